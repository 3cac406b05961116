"""The front end is built when something it is made of has changed, and only then."""

import os

import pytest

from tests.bootstrap.house import House

BUILD = "from bootstrap import frontend; frontend.build()"


@pytest.fixture
def built(house: House) -> House:
    house.has_front_end()
    house.python(BUILD)
    assert house.calls() == ["npm ci", "build.mjs"]
    return house


def test_nothing_is_built_twice(built: House) -> None:
    built.python(BUILD)
    assert built.calls() == []


def test_dates_are_not_changes(built: House) -> None:
    os.utime(built.root / "frontend" / "src" / "main.ts", (0, 0))
    built.python(BUILD)
    assert built.calls() == []


def test_a_changed_source_is_built_without_installing_again(built: House) -> None:
    (built.root / "frontend" / "src" / "main.ts").write_text("changed")
    built.python(BUILD)
    assert built.calls() == ["build.mjs"]


def test_a_new_lock_is_installed_and_built(built: House) -> None:
    (built.root / "frontend" / "package-lock.json").write_text("changed")
    built.python(BUILD)
    assert built.calls() == ["npm ci", "build.mjs"]


def test_a_test_is_no_source(built: House) -> None:
    (built.root / "frontend" / "src" / "main.test.ts").write_text("new")
    built.python(BUILD)
    assert built.calls() == []


def test_a_build_that_was_thrown_away_is_made_again(built: House) -> None:
    (built.root / "frontend" / "static" / "build" / "main.js").unlink()
    built.python(BUILD)
    assert built.calls() == ["build.mjs"]


def test_a_failed_build_is_told_and_tried_again(house: House) -> None:
    house.has_front_end()
    house.has_program(
        "node", 'if [ "$1" = --version ]; then echo v22.12.0; else echo "error: no such file"; exit 1; fi'
    )
    code = f"from bootstrap.steps import SetUpError\ntry:\n  {BUILD}\nexcept SetUpError as error:\n  print(error)"
    for _attempt in range(2):
        assert house.python(code).startswith("Building the front end failed: no such file (full output: ")


def test_style_sheets_and_scripts_are_collected_once_hashed_and_compressed(house: House) -> None:
    house.has_filled_environment()
    sheet = house.root / "frontend" / "static" / "css" / "assay.css"
    sheet.parent.mkdir(parents=True)
    sheet.write_text("p { color: red }")
    collecting = "from bootstrap import frontend, places; print(*frontend.collect(places.PYTHON).values())"
    collected = house.root / ".assay" / "static"
    assert house.python(collecting) == f"{collected} true"
    manifest = collected / "staticfiles.json"
    first = manifest.stat().st_mtime_ns
    assert list(collected.glob("css/assay.????????????.css.gz"))
    house.python(collecting)
    assert manifest.stat().st_mtime_ns == first
    sheet.write_text("p { color: blue }")
    house.python(collecting)
    assert manifest.stat().st_mtime_ns > first
