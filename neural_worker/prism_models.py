"""Prism on M2M100: how probable a translation model finds one text, given another (Thompson and Post 2020)."""

from collections.abc import Sequence
from math import log
from typing import Any

import torch
from transformers import M2M100ForConditionalGeneration, M2M100Tokenizer

from neural_worker.conversation import FAILED, LANGUAGE, Item, Request, RequestError, Scored
from neural_worker.model_folder import ModelFolder, check_weights, demand_complete, loading_failed
from neural_worker.models import LoadedModel, computing, device_in_use, number

_TIED = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight", "embed_positions.weights")
_IGNORED = -100  # labels that do not count
_NAMES = {"nb": "no", "nn": "no", "fil": "tl", "nso": "ns", "iw": "he", "in": "id"}


class PrismModel(LoadedModel):
    packages: Sequence[str] = ()

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        self.device = device_in_use()
        self._name = name
        self._model = model.to(self.device).eval()
        self._tokenizer = tokenizer
        self._limit: int = model.config.max_position_embeddings

    def prepare(self, request: Request) -> None:
        needed = {"target": request.options.target_language}
        if request.metric == "prism_src":
            needed["source"] = request.options.source_language
            missing = [item.number for item in request.items if not item.source]
        else:
            missing = [item.number for item in request.items if not item.references]
        unknown = [f"{side} {tag or '(not said)'}" for side, tag in needed.items() if not self._code(tag)]
        if unknown:
            raise RequestError(
                LANGUAGE, f"{self._name} does not know the languages of these texts: {', '.join(unknown)}."
            )
        if missing:
            what = "a source" if request.metric == "prism_src" else "a reference"
            raise RequestError(FAILED, f"{len(missing)} segments have not {what}, which {request.metric} needs.")

    def score(self, request: Request, items: Sequence[Item]) -> list[Scored]:
        """Of several references the best; with references the mean of both directions."""
        source, target = (self._code(tag) for tag in (request.options.source_language, request.options.target_language))
        scored = []
        if request.metric == "prism_src":
            pairs = [(item.source, item.translation) for item in items]
            found = self._log2_of(pairs, source, target, request.options.precision)
            return [
                Scored(item.number, number(each, item), is_cut=cut)
                for item, (each, cut) in zip(items, found, strict=True)
            ]
        pairs = [(reference, item.translation) for item in items for reference in item.references]
        there = self._log2_of(pairs, target, target, request.options.precision)
        back = self._log2_of([(b, a) for a, b in pairs], target, target, request.options.precision)
        at = 0
        for item in items:
            part = range(at, at + len(item.references))
            best = max((there[i][0] + back[i][0]) / 2 for i in part)
            is_cut = any(there[i][1] or back[i][1] for i in part)
            scored.append(Scored(item.number, number(best, item), is_cut=is_cut))
            at = part.stop
        return scored

    def _code(self, tag: str) -> str:
        """As the tokenizer has it; empty where it has none."""
        primary = tag.replace("_", "-").split("-")[0].lower()
        primary = _NAMES.get(primary, primary)
        return primary if primary in self._tokenizer.lang_code_to_token else ""

    def _log2_of(
        self, pairs: Sequence[tuple[str, str]], source: str, target: str, precision: str
    ) -> list[tuple[float, bool]]:
        """Mean log2 probability of the second text's pieces and its end, given the first; and whether one was cut.

        The piece that names the language is not counted: it was given.
        """
        self._tokenizer.src_lang, self._tokenizer.tgt_lang = source, target
        givens, wanted = [first for first, _ in pairs], [second for _, second in pairs]
        whole = self._tokenizer(givens, text_target=wanted, verbose=False)
        inputs = self._tokenizer(
            givens, text_target=wanted, padding=True, truncation=True, max_length=self._limit, return_tensors="pt"
        ).to(self.device)
        labels = inputs["labels"].masked_fill(inputs["labels"] == self._tokenizer.pad_token_id, _IGNORED)
        with computing(self.device, precision):
            logits = self._model(**{**inputs, "labels": labels}).logits.float()
        counted = labels != _IGNORED
        counted[:, 0] = False
        chosen = torch.log_softmax(logits, dim=-1).gather(2, labels.clamp(min=0).unsqueeze(2)).squeeze(2)
        means = (chosen * counted).sum(dim=1) / counted.sum(dim=1) / log(2)
        cut = [
            max(len(given), len(label)) > self._limit
            for given, label in zip(whole["input_ids"], whole["labels"], strict=True)
        ]
        return list(zip(means.tolist(), cut, strict=True))


def load(folder: ModelFolder) -> PrismModel:
    folder.demand_tokenizer(folder.path)
    check_weights(folder)
    try:
        tokenizer = M2M100Tokenizer.from_pretrained(folder.path, local_files_only=True)
        model, found = M2M100ForConditionalGeneration.from_pretrained(
            folder.path, local_files_only=True, use_safetensors=folder.has_safetensors, output_loading_info=True
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise loading_failed(folder, error) from error
    demand_complete(folder, [key for key in found["missing_keys"] if not key.endswith(_TIED)])
    return PrismModel(folder.name, model.float(), tokenizer)
