"""What a folder with a published model holds: its kind, which of its files are taken, and what its settings say.

Uses the standard library alone, and reads only text: no weights are loaded.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from metrics.neural.operator_models import BLEURT, COMET, ENCODER, PRISM

CHECKPOINTS = ("checkpoints/model.safetensors", "checkpoints/model.ckpt")
SETTINGS = "hparams.yaml"
ENCODER_FOLDER = "encoder"
_TEXT = (".json", ".yaml", ".txt", ".model", ".md")
_NAMES = ("LICENSE", "LICENCE", "NOTICE")
_WEIGHTS = (".safetensors", ".bin")
_OTHER_WEIGHTS = re.compile(r"(?:^|/)(?:tf_|flax_|rust_|optimizer|training_args|onnx/|openvino)")
_SETTING = re.compile(r"^(?P<key>\w+):[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)


class SourceError(ValueError):
    """A folder is not one of a model that can be used: a sentence that says what is missing."""


@dataclass(frozen=True)
class CometSettings:
    """Of COMET's `hparams.yaml`. `encoder` is the model whose configuration and tokenizer it needs."""

    kind: str
    encoder: str
    needs_reference: bool
    takes_reference: bool
    marks_spans: bool


def kind_of(folder: Path) -> str:
    """By its files. SourceError where it is of no kind that is known."""
    if (folder / SETTINGS).is_file():
        return COMET
    try:
        described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        model_type = described["model_type"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder} has neither {SETTINGS} (COMET) nor a config.json that names its “model_type”."
        raise SourceError(message) from error
    return {"bleurt": BLEURT, "m2m_100": PRISM}.get(model_type, ENCODER)


def files_to_take(names: Iterable[str], kind: str) -> list[str]:
    """Of all paths in a model's folder: text, tokenizer and weights; safetensors alone where there are any.

    SourceError where it has no weights. Nothing that is a program is ever taken.
    """
    every = sorted(name for name in names if not any(part.startswith(".") for part in PurePosixPath(name).parts))
    if kind == COMET:
        taken = [name for name in every if _is_text(name) and not name.startswith("checkpoints/")]
        weights = next(([name] for name in CHECKPOINTS if name in every), [])
    else:
        taken = [name for name in every if _is_text(name) and "/" not in name]
        there = [name for name in every if "/" not in name and not _OTHER_WEIGHTS.search(name)]
        weights = next((some for end in _WEIGHTS if (some := [name for name in there if name.endswith(end)])), [])
    if not weights:
        wanted = " or ".join(CHECKPOINTS) if kind == COMET else "*.safetensors or *.bin"
        raise SourceError(f"it has no weights that can be loaded ({wanted}).")
    return taken + weights


def encoder_files(names: Iterable[str]) -> list[str]:
    """Configuration and tokenizer, without the weights, which COMET has in its own checkpoint."""
    return [name for name in sorted(names) if _is_text(name) and "/" not in name and not name.endswith(".md")]


def comet_settings(folder: Path) -> CometSettings:
    try:
        text = (folder / SETTINGS).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SourceError(f"{folder / SETTINGS} cannot be read: {error}") from error
    values = {match["key"]: match["value"].strip("'\"") for match in _SETTING.finditer(text)}
    kind, encoder = values.get("class_identifier", ""), values.get("pretrained_model", "")
    if not kind or not encoder:
        raise SourceError(f"{folder / SETTINGS} must name “class_identifier” and “pretrained_model”.")
    segments = _listed(text, "input_segments") or ["mt", "src", "ref"]
    is_joined = kind in ("unified_metric", "xcomet_metric")
    takes = kind != "referenceless_regression_metric" and (not is_joined or "ref" in segments)
    return CometSettings(
        kind,
        encoder,
        needs_reference=takes and (not is_joined or "src" not in segments),
        takes_reference=takes,
        marks_spans=kind == "xcomet_metric" or values.get("word_level_training") == "true",
    )


def point_to_local_encoder(folder: Path) -> None:
    """COMET's settings name a model of the hub: from now on the folder beside them."""
    path = folder / SETTINGS
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^pretrained_model:.*$", f"pretrained_model: {ENCODER_FOLDER}", text), encoding="utf-8")


def _listed(text: str, key: str) -> Sequence[str]:
    """A list of words in YAML, in either of its forms."""
    found = re.search(rf"(?m)^{key}:[ \t]*(?:\[(?P<inline>[^\]]*)\]|\n(?P<lines>(?:[ \t]*-[ \t]*.*\n?)*))", text)
    if found is None:
        return []
    parts = (found["inline"] or "").split(",") if found["inline"] is not None else (found["lines"] or "").splitlines()
    return [word for part in parts if (word := part.strip(" \t-'\""))]


def _is_text(name: str) -> bool:
    return PurePosixPath(name).suffix in _TEXT or PurePosixPath(name).name.startswith(_NAMES)
