"""COMET's own classes: regression, ranking, referenceless, unified (CometKiwi), and XCOMET, which marks spans."""

from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import comet.encoders.minilm
import torch
import yaml
from comet.models import str2model
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import XLMRobertaTokenizerFast

from neural_worker.conversation import DAMAGED, FAILED, REFUSED, Item, Request, RequestError, Scored, Span
from neural_worker.model_folder import ModelFolder, demand_complete, loading_failed, read_checkpoint
from neural_worker.models import LoadedModel, computing, device_in_use, number

ENCODER = "encoder"  # configuration and tokenizer of the model it was built on; its weights are in the checkpoint
_OF_TRAINING = frozenset({"wordloss.weight"})
_JOINED = ("unified_metric", "xcomet_metric")  # one text of all inputs


class CometModel(LoadedModel):
    packages = ("unbabel-comet",)

    def __init__(self, name: str, model: Any, kind: str) -> None:
        self.device = device_in_use()
        self._name = name
        self._model = model.to(self.device).eval()
        self._is_joined = kind in _JOINED
        segments = set(model.hparams.get("input_segments") or ()) if self._is_joined else {"mt", "src", "ref"}
        self._takes_reference = kind != "referenceless_regression_metric" and "ref" in segments
        self._takes_source = "src" in segments
        self._needs_reference = self._takes_reference and (not self._is_joined or not self._takes_source)

    def prepare(self, request: Request) -> None:
        if self._needs_reference and not all(item.references for item in request.items):
            raise RequestError(FAILED, f"{self._name} needs references, and there are segments without one.")

    def score(self, request: Request, items: Sequence[Item]) -> list[Scored]:
        """A score for each reference, of which the mean is taken: the library has no other rule. Spans of the first."""
        samples = [self._samples(item) for item in items]
        sizes = {len(each) for each in samples}
        scored: dict[int, Scored] = {}
        for size in sizes:  # a batch must be of equal shape: with as many references
            those = [(item, each) for item, each in zip(items, samples, strict=True) if len(each) == size]
            found = self._predicted([sample for _item, each in those for sample in each], request.options.precision)
            for at, (item, each) in enumerate(those):
                part = found[at * size : (at + 1) * size]
                mean = number(sum(score for score, _spans in part) / size, item)
                spans = _spans(part[0][1], item.translation)
                scored[id(item)] = Scored(item.number, mean, spans=spans, is_cut=any(map(self._is_cut, each)))
        return [scored[id(item)] for item in items]

    def _samples(self, item: Item) -> list[dict[str, str]]:
        plain = {"mt": item.translation} | ({"src": item.source} if self._takes_source else {})
        if not self._takes_reference or not item.references:
            return [plain]
        return [plain | {"ref": reference} for reference in item.references]

    def _predicted(self, samples: list[dict[str, str]], precision: str) -> list[tuple[float, Any]]:
        with computing(self.device, precision):
            prediction = self._model.predict_step(_moved(self._model.prepare_for_inference(samples), self.device))
        scores = prediction["scores"].float().flatten().tolist()
        marked = (prediction.get("metadata") or {}).get("error_spans") or [None] * len(scores)
        return list(zip(scores, marked, strict=True))

    def _is_cut(self, sample: Mapping[str, str]) -> bool:
        """By the library's limits: of each text, or of all joined."""
        encoder = self._model.encoder
        pieces = encoder.tokenizer(list(sample.values()), add_special_tokens=False, verbose=False)["input_ids"]
        lengths = [len(each) for each in pieces]
        if max(lengths) + 2 > encoder.max_positions - 2:
            return True
        return self._is_joined and sum(lengths) > encoder.max_positions - 1 - len(lengths) * encoder.size_separator


def load(folder: ModelFolder) -> CometModel:
    """By hand, as the library's own loader takes a checkpoint without its encoder in silence."""
    settings = _settings(folder)
    kind = str(settings.get("class_identifier"))
    if kind not in str2model:
        raise RequestError(DAMAGED, f"hparams.yaml of {folder.name} names the class “{kind}”, which COMET has not.")
    weights, stored = _weights(folder)
    home = folder.path / ENCODER
    folder.demand_tokenizer(home)
    _local_tokenizer_of_minilm(home)
    model = _built(folder, kind, {**settings, **stored}, home)
    try:
        missing = model.load_state_dict(weights, strict=False, assign=True).missing_keys
    except RuntimeError as error:
        raise loading_failed(folder, error) from error
    demand_complete(folder, [key for key in missing if key not in _OF_TRAINING])
    return CometModel(folder.name, model.float(), kind)


def _settings(folder: ModelFolder) -> Mapping[str, Any]:
    try:
        settings = yaml.safe_load((folder.path / "hparams.yaml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RequestError(DAMAGED, f"{folder.name} has no hparams.yaml that can be read.") from error
    except yaml.YAMLError as error:
        message = f"hparams.yaml of {folder.name} was not read: it contains more than plain values."
        raise RequestError(REFUSED, message) from error
    if not isinstance(settings, dict):
        raise RequestError(DAMAGED, f"hparams.yaml of {folder.name} has no settings.")
    return settings


def _weights(folder: ModelFolder) -> tuple[Mapping[str, torch.Tensor], Mapping[str, Any]]:
    """And the settings that the checkpoint itself stores."""
    safe = folder.path / "checkpoints" / "model.safetensors"
    if safe.is_file():
        try:
            return load_file(safe), {}
        except SafetensorError as error:
            raise RequestError(DAMAGED, f"{safe} is not a file of weights, or it is cut off.") from error
    path = safe.with_suffix(".ckpt")
    content = read_checkpoint(path)
    if not isinstance(content.get("state_dict"), Mapping):
        raise RequestError(DAMAGED, f"{path} is not a checkpoint of COMET: it has no “state_dict”.")
    return content["state_dict"], content.get("hyper_parameters") or {}


def _built(folder: ModelFolder, kind: str, settings: Mapping[str, Any], home: Path) -> Any:
    """With random weights, all of which the checkpoint must replace."""
    known = signature(str2model[kind].__init__).parameters
    chosen = {key: value for key, value in settings.items() if key in known}
    chosen |= {"pretrained_model": str(home), "load_pretrained_weights": False, "local_files_only": True}
    if chosen.get("layer_transformation") == "sparsemax_patch":
        chosen["layer_transformation"] = "softmax"  # what the library's own loader makes of it
    try:
        return str2model[kind](**chosen)
    except MemoryError:
        raise
    except Exception as error:
        raise loading_failed(folder, error) from error


class _LocalTokenizer:
    """In place of the one that COMET's MiniLM always takes from the hub."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def from_pretrained(self, _name: str, **_options: object) -> Any:
        return XLMRobertaTokenizerFast.from_pretrained(self._home, local_files_only=True)


def _local_tokenizer_of_minilm(home: Path) -> None:
    comet.encoders.minilm.XLMRobertaTokenizerFast = _LocalTokenizer(home)


def _moved(value: Any, device: torch.device) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, Mapping):
        return {key: _moved(each, device) for key, each in value.items()}
    return tuple(_moved(each, device) for each in value) if isinstance(value, tuple) else value


def _spans(marked: Sequence[Mapping[str, Any]] | None, translation: str) -> tuple[Span, ...] | None:
    """Inside the translation and not empty: the mark of its begin belongs to the model's text, not to ours."""
    if marked is None:
        return None
    clipped = (Span(max(0, each["start"]), min(len(translation), each["end"]), each["severity"]) for each in marked)
    return tuple(span for span in clipped if span.start < span.end)
