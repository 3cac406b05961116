"""Models added from folders, and removed: whole or not at all. Fetching is tested with the hub's own library."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from metrics.neural.installing import InstallError, Wanted, add, install, remove
from metrics.neural.operator_models import KNOWN_MODELS, MANIFEST, check_files, installed_models
from tests.metrics.neural.published_models import comet, encoder, put

COMET = Wanted(name="ours", title="COMET of ours", licence="Apache-2.0", languages=("en", "de"))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _is_empty(models: Path) -> bool:
    return not models.exists() or not list(models.iterdir())


def test_a_model_is_copied_described_and_whole(tmp_path: Path, models: Path) -> None:
    source = encoder(tmp_path / "source", "bleurt")
    made = add(source, models, Wanted(name="ours"))
    assert installed_models(models) == [made]
    assert (made.kind, made.title, made.licence) == ("bleurt", "ours", "not stated")
    assert sorted(made.files) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "sentencepiece.bpe.model",
        "tokenizer.json",
    ]
    check_files(made)
    assert (source / "pytorch_model.bin").exists()


def test_comet_takes_its_encoder_from_a_folder_that_is_named(tmp_path: Path, models: Path) -> None:
    made = add(comet(tmp_path / "source"), models, COMET, encoder=encoder(tmp_path / "xlmr"))
    assert "pretrained_model: encoder" in (made.folder / "hparams.yaml").read_text()
    assert {"encoder/config.json", "encoder/tokenizer.json"} < set(made.files)
    assert not any(name.startswith("encoder/") and "safetensors" in name for name in made.files)
    assert made.needs_reference
    assert (made.languages, made.licence) == (("en", "de"), "Apache-2.0")


@pytest.mark.parametrize("place", ["source/encoder", "source/xlm-roberta-large"])
def test_comet_takes_its_encoder_from_beside_its_settings(tmp_path: Path, models: Path, place: str) -> None:
    encoder(tmp_path / place)
    assert "encoder/config.json" in add(comet(tmp_path / "source"), models, COMET).files


def test_a_missing_encoder_is_named_and_nothing_stays(tmp_path: Path, models: Path) -> None:
    with pytest.raises(InstallError, match=r"names the encoder xlm-roberta-large\. Give a folder .* --encoder FOLDER"):
        add(comet(tmp_path / "source"), models, COMET)
    assert _is_empty(models)


def test_a_model_with_code_of_its_own_is_refused(tmp_path: Path, models: Path) -> None:
    source = put(encoder(tmp_path / "source"), {"modeling.py": "print('hello')"})
    with pytest.raises(InstallError, match=r"brings code of its own \(modeling\.py\)"):
        add(source, models, COMET)
    assert _is_empty(models)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"config.json": "{"}, r"neither hparams\.yaml"),
        ({"config.json": '{"model_type": "bert"}', "tokenizer.json": "{}"}, "no weights that can be loaded"),
        (
            {"hparams.yaml": "class_identifier: regression_metric\npretrained_model: x\n"},
            "no weights that can be loaded",
        ),
    ],
)
def test_a_folder_without_a_model_is_refused(tmp_path: Path, models: Path, files: dict[str, str], words: str) -> None:
    with pytest.raises(InstallError, match=words):
        add(put(tmp_path / "source", files), models, COMET)
    assert _is_empty(models)


def test_a_name_is_given_once(tmp_path: Path, models: Path) -> None:
    source = encoder(tmp_path / "source")
    add(source, models, COMET)
    with pytest.raises(InstallError, match=r"Remove it first: \./assay neural remove ours"):
        add(source, models, COMET)
    with pytest.raises(InstallError, match="is not a name for a model"):
        add(source, models, replace(COMET, name="../ours"))
    with pytest.raises(InstallError, match="is not a folder"):
        add(tmp_path / "nowhere", models, COMET)


def test_a_removed_model_is_gone_with_all_its_files(tmp_path: Path, models: Path) -> None:
    add(encoder(tmp_path / "source"), models, COMET)
    remove("ours", models)
    assert _is_empty(models)


@pytest.mark.parametrize("name", ["theirs", "../source", "e5-small-q4", ""])
def test_nothing_else_is_removed(tmp_path: Path, models: Path, name: str) -> None:
    source = put(encoder(tmp_path / "source"), {MANIFEST: "{}"})
    add(source, models, COMET)
    put(models / "e5-small-q4", {MANIFEST: '{"kind": "light"}'})
    with pytest.raises(InstallError, match=r"is not a model that can be removed\. In .*: e5-small-q4, ours\."):
        remove(name, models)
    assert (source / MANIFEST).exists()


def test_without_room_on_the_disk_nothing_is_fetched(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is said to be large by a program in place of Python."""
    python = tmp_path / "python"
    answer = {"revision": "abc", "files": {"config.json": 100, "model.safetensors": 10**16}}
    python.write_text(f"#!/bin/sh\necho '{json.dumps(answer)}'\n")
    python.chmod(0o755)
    with pytest.raises(InstallError, match=r"needs 10,000,000\.0 GB on the disk"):
        install(KNOWN_MODELS["BLEURT-20"], models, python, Wanted(name="BLEURT-20"))
    assert _is_empty(models)


@pytest.mark.parametrize("script", ["exit 3", "echo not JSON; exit 1"])
def test_a_process_that_ends_without_an_answer_is_said(tmp_path: Path, models: Path, script: str) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    with pytest.raises(InstallError, match="ended with the code"):
        install(KNOWN_MODELS["BLEURT-20"], models, python, Wanted(name="BLEURT-20"))
    with pytest.raises(InstallError, match="cannot be started"):
        install(KNOWN_MODELS["BLEURT-20"], models, tmp_path / "gone", Wanted(name="BLEURT-20"))
    assert _is_empty(models)


def test_a_failed_copy_leaves_nothing(tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_source: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(InstallError, match=r"Cannot write to .* \(No space left on device\)"):
        add(encoder(tmp_path / "source"), models, COMET)
    assert _is_empty(models)
