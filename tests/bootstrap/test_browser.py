"""A browser is found in the nearest place that has one which starts; where none does, everything tried is named."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bootstrap import browser
from bootstrap.steps import SetUpError


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def missing(reason: str) -> Callable[[], Path]:
    def look() -> Path:
        raise SetUpError(reason)

    return look


@pytest.fixture(autouse=True)
def _nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(browser.VARIABLE, raising=False)


def test_the_variable_goes_before_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = program(tmp_path / "mine", "echo Chromium 1")
    monkeypatch.setenv(browser.VARIABLE, str(mine))
    assert browser.find_browser() == mine


def test_a_named_browser_that_does_not_start_is_an_error_and_no_other_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(browser.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(SetUpError, match=r"ASSAY_BROWSER names .*nowhere, which does not start"):
        browser.find_browser()


def test_a_stub_on_the_path_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stub = program(tmp_path / "stub", "echo please install the snap >&2; exit 1")
    good = program(tmp_path / "good", "echo Chromium 1")
    monkeypatch.setattr(browser, "PLACES", {"PATH has": lambda: stub, "Playwright has": lambda: good})
    assert browser.find_browser() == good


def test_where_nothing_starts_everything_tried_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stub = program(tmp_path / "stub", "echo please install the snap >&2; exit 1")
    monkeypatch.setattr(browser, "PLACES", {"PATH has": lambda: stub, "npm has": missing("npm is not reached")})
    with pytest.raises(SetUpError) as refusal:
        browser.find_browser()
    told = str(refusal.value)
    assert "please install the snap" in told
    assert "npm is not reached" in told
    assert "ASSAY_BROWSER=/path/to/chromium" in told


def test_the_places_are_asked_from_near_to_far() -> None:
    names = ["PATH has", "Playwright has", "Playwright has installed", "npm has", "apt-get has"]
    assert list(browser.PLACES) == names
