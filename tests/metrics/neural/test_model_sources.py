"""Published folders: of which kind a model is, and which of its files are taken."""

from pathlib import Path

import pytest

from metrics.neural.model_sources import (
    SourceError,
    comet_settings,
    encoder_files,
    files_to_take,
    kind_of,
    point_to_local_encoder,
)
from tests.metrics.neural.published_models import HPARAMS, comet, encoder, put


def _names(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("model_type", "kind"),
    [("bleurt", "bleurt"), ("m2m_100", "prism"), ("xlm-roberta", "encoder"), ("bert", "encoder")],
)
def test_a_model_of_transformers_is_known_by_its_type(tmp_path: Path, model_type: str, kind: str) -> None:
    assert kind_of(encoder(tmp_path, model_type)) == kind


def test_comet_is_known_by_its_settings(tmp_path: Path) -> None:
    assert kind_of(comet(tmp_path)) == "comet"


def test_a_folder_of_no_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"neither hparams\.yaml \(COMET\) nor a config\.json"):
        kind_of(put(tmp_path, {"config.json": "[]"}))


def test_safetensors_alone_are_taken_where_there_are_any(tmp_path: Path) -> None:
    taken = files_to_take(_names(encoder(tmp_path)), "encoder")
    assert taken == ["README.md", "config.json", "sentencepiece.bpe.model", "tokenizer.json", "model.safetensors"]


def test_other_weights_are_taken_only_where_there_are_no_safetensors(tmp_path: Path) -> None:
    names = [name for name in _names(encoder(tmp_path)) if name != "model.safetensors"]
    assert files_to_take(names, "bleurt")[-1] == "pytorch_model.bin"
    with pytest.raises(SourceError, match=r"no weights that can be loaded \(\*\.safetensors or \*\.bin\)"):
        files_to_take(["config.json", "tf_model.h5", "flax_model.msgpack"], "encoder")


def test_of_comet_its_checkpoint_is_taken_and_nothing_of_its_training(tmp_path: Path) -> None:
    taken = files_to_take(_names(comet(tmp_path)), "comet")
    assert taken == ["LICENSE", "README.md", "hparams.yaml", "checkpoints/model.ckpt"]
    assert files_to_take([*taken, "checkpoints/model.safetensors"], "comet")[-1] == "checkpoints/model.safetensors"


def test_of_its_encoder_everything_but_the_weights_is_taken(tmp_path: Path) -> None:
    assert encoder_files(_names(encoder(tmp_path))) == ["config.json", "sentencepiece.bpe.model", "tokenizer.json"]


def test_programs_are_never_taken() -> None:
    names = ["config.json", "modeling.py", "run.sh", "model.safetensors", "model.pkl", ".hidden/config.json"]
    assert files_to_take(names, "encoder") == ["config.json", "model.safetensors"]


QUALITY = HPARAMS.replace("regression_metric", "unified_metric") + "input_segments:\n- mt\n- src\n"
JOINED = HPARAMS.replace("regression_metric", "unified_metric") + "input_segments: ['mt', 'src', 'ref']\n"
ONLY_REFERENCES = JOINED.replace("'src', ", "")
XCOMET = HPARAMS.replace("regression_metric", "xcomet_metric")
REFERENCELESS = HPARAMS.replace("regression_metric", "referenceless_regression_metric")


@pytest.mark.parametrize(
    ("hparams", "needs", "takes", "marks"),
    [
        (HPARAMS, True, True, False),
        (REFERENCELESS, False, False, False),
        (QUALITY, False, False, False),
        (QUALITY + "word_level_training: true\n", False, False, True),
        (JOINED, False, True, False),
        (ONLY_REFERENCES, True, True, False),
        (XCOMET, False, True, True),
    ],
)
def test_settings_say_whether_references_are_needed_and_spans_marked(
    tmp_path: Path, hparams: str, needs: bool, takes: bool, marks: bool
) -> None:
    settings = comet_settings(comet(tmp_path, hparams))
    assert (settings.needs_reference, settings.takes_reference, settings.marks_spans) == (needs, takes, marks)
    assert settings.encoder == "xlm-roberta-large"


def test_settings_without_a_class_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="must name “class_identifier”"):
        comet_settings(comet(tmp_path, "dropout: 0.1\n"))


def test_the_encoder_is_named_by_its_folder_and_nothing_else_changes(tmp_path: Path) -> None:
    point_to_local_encoder(comet(tmp_path))
    assert (tmp_path / "hparams.yaml").read_text() == HPARAMS.replace("xlm-roberta-large", "encoder")
