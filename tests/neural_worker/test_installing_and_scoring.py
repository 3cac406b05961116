"""Models that commands install, from a folder and from a hub, score as the libraries do."""

import json
import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest
from pytest_django import Settings

from metrics.management.commands import neural_install
from metrics.neural.operator_models import COMET, FOR_TESTS, MANIFEST, KnownModel
from tests.neural_worker.child import Child
from tests.neural_worker.small_hub import COMMIT, small_hub

XLMR = "facebook/xlm-roberta-large"
TINY = KnownModel(
    name="tiny-from-hub",
    kind=COMET,
    title="Tiny",
    repository="tests/tiny-comet",
    licence="CC-BY-NC-SA-4.0",
    gigabytes=0.1,
    is_commercial=False,
    languages=("de",),
)


@pytest.fixture
def installed(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MODELS_DIR = tmp_path / "models"
    monkeypatch.setenv(FOR_TESTS, "1")
    return tmp_path / "models"


@pytest.fixture
def published(models: Path, tmp_path: Path) -> Path:
    """As a repository has it: without the encoder, which its settings name."""
    folder = tmp_path / "tiny-comet"
    shutil.copytree(models / "tiny-regression", folder, ignore=shutil.ignore_patterns("encoder", MANIFEST))
    hparams = (folder / "hparams.yaml").read_text()
    (folder / "hparams.yaml").write_text(hparams.replace("xlm-roberta-large", XLMR))
    (folder / "predict.sh").write_text("echo not taken\n")
    return folder


@pytest.fixture
def hub(published: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(neural_install, "KNOWN_MODELS", {TINY.name: TINY})
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with small_hub({TINY.repository: published, XLMR: models / "tiny-encoder"}) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        yield


def _run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def _scores(child: Child, folder: Path) -> list[float]:
    answer = child.ask("comet", folder)
    assert not answer.error
    return answer.scores


def _means(expected: dict[str, Any]) -> list[float]:
    return [sum(scores) / len(scores) for scores in expected["tiny-regression"]["scores"]]


def test_a_model_from_a_folder_scores_and_can_be_removed(
    child: Child, models: Path, installed: Path, published: Path, expected: dict[str, Any]
) -> None:
    said = _run("neural_add", str(published), "--encoder", str(models / "tiny-encoder"), "--languages", "de,en-GB")
    assert "tiny-comet (comet, licence not stated) is installed in" in said
    assert _scores(child, installed / "tiny-comet") == pytest.approx(_means(expected), abs=1e-6)
    assert json.loads((installed / "tiny-comet" / MANIFEST).read_text())["languages"] == ["de", "en"]
    assert "Removed tiny-comet" in _run("neural_remove", "tiny-comet")
    assert not (installed / "tiny-comet").exists()


def test_a_folder_that_cannot_be_added_is_one_sentence(models: Path, installed: Path, published: Path) -> None:
    with pytest.raises(CommandError, match=rf"names the encoder {XLMR}\. Give a folder"):
        _run("neural_add", str(published))
    with pytest.raises(CommandError, match="is not a model that can be removed"):
        _run("neural_remove", "tiny-comet")


@pytest.mark.usefixtures("hub")
def test_a_model_from_the_hub_scores_and_says_its_commit_and_who_accepted_its_licence(
    child: Child, installed: Path, expected: dict[str, Any]
) -> None:
    said = _run("neural_install", TINY.name, "--accept-licence")
    assert "Tiny from tests/tiny-comet: about 0.1 GB, licence CC-BY-NC-SA-4.0." in said
    assert f"revision {COMMIT}" in said
    folder = installed / TINY.name
    assert _scores(child, folder) == pytest.approx(_means(expected), abs=1e-6)
    manifest = json.loads((folder / MANIFEST).read_text())
    assert (manifest["source"], manifest["revision"]) == (TINY.repository, COMMIT)
    assert manifest["accepted_by"]
    assert manifest["accepted_at"]
    assert not (folder / "predict.sh").exists()
    assert not (folder / "encoder" / "model.safetensors").exists()
    assert not (folder / ".cache").exists()


@pytest.mark.usefixtures("hub")
def test_a_licence_without_commercial_use_must_be_accepted(installed: Path) -> None:
    with pytest.raises(CommandError, match=r"Nothing was installed\. The licence does not allow commercial use"):
        _run("neural_install", TINY.name)
    assert not installed.exists()


@pytest.mark.usefixtures("hub")
def test_what_the_hub_does_not_have_is_one_sentence_and_leaves_nothing(
    installed: Path, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match=r"tests/tiny-comet has no revision of-yesterday\."):
        _run("neural_install", TINY.name, "--accept-licence", "--revision", "of-yesterday")
    with small_hub({TINY.repository: published}, gated=TINY.repository) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(CommandError, match="only to accounts that accepted its licence there"):
            _run("neural_install", TINY.name, "--accept-licence")
    with small_hub({TINY.repository: published}) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(CommandError, match=f"The hub has no model {XLMR}"):
            _run("neural_install", TINY.name, "--accept-licence")
    assert not list(installed.iterdir())


def test_without_a_network_it_is_said_what_else_can_be_done(
    models: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(CommandError, match=r"from the hub: no connection\. Connect .*\./assay neural add FOLDER"):
        _run("neural_install", "BLEURT-20-D3")
    assert not list(installed.iterdir())


def test_an_unknown_name_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(CommandError, match=r"“comet-2000” is not a known model\. Known: light, wmt22-comet-da, "):
        _run("neural_install", "comet-2000")


def test_without_the_environment_it_is_said_to_install_it_first(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    with pytest.raises(CommandError, match=r"First run \./assay neural install environment"):
        _run("neural_install", "BLEURT-20")
