"""Encoders of the BERT family for BERTScore, YiSi-1 and YiSi-2: texts in, vectors of their pieces out."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from bert_score.utils import sent_encode
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer

from neural_worker.conversation import FAILED, REFUSED, Item, Request, RequestError, Scored
from neural_worker.matching import Matching, matching_of
from neural_worker.model_folder import ModelFolder, check_weights, demand_complete, loading_failed
from neural_worker.models import LoadedModel, computing, device_in_use, number

ROOM = 256 * 1024 * 1024  # bytes of vectors that are remembered: references come again with every system
_SHIFTED = ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "xmod")  # positions begin after that of padding
STATIC = -1  # the layer of the table of words


@dataclass(frozen=True)
class EncodedText:
    """Pieces with the marks of begin and end, and a vector of length 1 for each."""

    pieces: NDArray[np.int64]
    vectors: NDArray[np.float32]
    is_cut: bool

    @property
    def is_empty(self) -> bool:
        return len(self.pieces) <= 2


class EncoderModel(LoadedModel):
    packages = ("bert-score",)

    def __init__(self, folder: ModelFolder, model: Any, tokenizer: Any) -> None:
        self.device = device_in_use()
        self.folder = folder
        self._model = model.to(self.device).eval()
        self._layers = model.encoder.layer
        self.tokenizer = tokenizer
        positions = model.config.max_position_embeddings
        shift = tokenizer.pad_token_id + 1 if model.config.model_type in _SHIFTED else 0
        self._limit = min(tokenizer.model_max_length, positions - shift)
        self.tokenizer.model_max_length = self._limit  # bert-score's way to cut a text
        self._known: OrderedDict[tuple[str, int, str], EncodedText] = OrderedDict()
        self._bytes = 0
        self._matching: Matching | None = None

    @property
    def layers(self) -> int:
        return len(self._layers)

    def prepare(self, request: Request) -> None:
        missing = [item.number for item in request.items if not _others(request, item)]
        if missing:
            what = "a source" if request.metric == "yisi_2" else "a reference"
            raise RequestError(FAILED, f"{len(missing)} segments have not {what}, which {request.metric} needs.")
        if not 0 <= request.options.layer <= self.layers:
            message = f"{self.folder.name} has layers 1 to {self.layers}, not {request.options.layer}."
            raise RequestError(FAILED, message)
        self._matching = matching_of(request, self.pieces, self.folder, request.options.layer or self.layers)

    def score(self, request: Request, items: Sequence[Item]) -> list[Scored]:
        """Of several references the one with the best F. An empty text has 0, whatever the other is."""
        if self._matching is None:
            raise RequestError(FAILED, "The request was not prepared.")
        layer = STATIC if request.options.embeddings == "static" else request.options.layer or self.layers
        texts = [text for item in items for text in (item.translation, *_others(request, item))]
        encoded = self.encode(texts, layer, request.options.precision)
        scored = []
        for item in items:
            translation, others = encoded[item.translation], [encoded[text] for text in _others(request, item)]
            values = max((self._compared(translation, other) for other in others), key=lambda each: each[2])
            is_cut = translation.is_cut or any(other.is_cut for other in others)
            scored.append(Scored(item.number, number(values[2], item), values, is_cut=is_cut))
        return scored

    def _compared(self, translation: EncodedText, other: EncodedText) -> tuple[float, float, float]:
        if self._matching is None or translation.is_empty or other.is_empty:
            return 0.0, 0.0, 0.0
        return self._matching.values(translation.pieces, translation.vectors, other.pieces, other.vectors)

    def pieces(self, text: str) -> list[int]:
        """With the marks of begin and end, cut, as bert-score does it."""
        pieces: list[int] = sent_encode(self.tokenizer, text)
        return pieces

    def encode(self, texts: Iterable[str], layer: int, precision: str) -> dict[str, EncodedText]:
        """By text."""
        found, missing = {}, []
        for text in dict.fromkeys(texts):
            known = self._known.get((text, layer, precision))
            if known is None:
                missing.append(text)
            else:
                self._known.move_to_end((text, layer, precision))
                found[text] = known
        for text, encoded in zip(missing, self._encoded(missing, layer, precision), strict=True):
            found[text] = self._known[text, layer, precision] = encoded
            self._bytes += encoded.vectors.nbytes
        while self._bytes > ROOM and self._known:
            self._bytes -= self._known.popitem(last=False)[1].vectors.nbytes
        return found

    def _encoded(self, texts: Sequence[str], layer: int, precision: str) -> list[EncodedText]:
        pieces = [self.pieces(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda at: len(pieces[at]), reverse=True)
        encoded: dict[int, EncodedText] = {}
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            states = self._states([pieces[at] for at in batch], layer, precision)
            for at, state in zip(batch, states, strict=True):
                vectors = state / np.linalg.norm(state, axis=1, keepdims=True)
                encoded[at] = EncodedText(np.array(pieces[at]), vectors, self._is_cut(texts[at], pieces[at]))
        return [encoded[at] for at in range(len(texts))]

    def _states(self, batch: Sequence[Sequence[int]], layer: int, precision: str) -> list[NDArray[np.float32]]:
        longest = max(map(len, batch))
        padded = [[*pieces, *[self.tokenizer.pad_token_id] * (longest - len(pieces))] for pieces in batch]
        mask = [[1] * len(pieces) + [0] * (longest - len(pieces)) for pieces in batch]
        numbers, seen = torch.tensor(padded, device=self.device), torch.tensor(mask, device=self.device)
        with computing(self.device, precision):
            if layer == STATIC:
                states = self._model.get_input_embeddings()(numbers)
            else:
                self._model.encoder.layer = self._layers[:layer]
                states = self._model(input_ids=numbers, attention_mask=seen)[0]
        values = states.float().cpu().numpy()
        return [values[at, : len(pieces)] for at, pieces in enumerate(batch)]

    def _is_cut(self, text: str, pieces: Sequence[int]) -> bool:
        if len(pieces) < self._limit:
            return False
        whole = self.tokenizer(text.strip(), add_special_tokens=True, verbose=False)["input_ids"]
        return bool(len(whole) > self._limit)


def _others(request: Request, item: Item) -> tuple[str, ...]:
    return (item.source,) if request.metric == "yisi_2" else item.references


def load(folder: ModelFolder) -> EncoderModel:
    folder.demand_tokenizer(folder.path)
    check_weights(folder)
    options = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder.path, use_fast=False, **options)
        model, found = AutoModel.from_pretrained(
            folder.path, use_safetensors=folder.has_safetensors, output_loading_info=True, **options
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError) as error:
        raise loading_failed(folder, error) from error
    demand_complete(folder, [key for key in found["missing_keys"] if not key.startswith("pooler.")])  # not used
    is_of_bert = hasattr(model, "encoder") and hasattr(model.encoder, "layer")
    if not is_of_bert or len(tokenizer.build_inputs_with_special_tokens([])) != 2:
        message = f"{folder.name} is not an encoder of the BERT family; others were not tried with BERTScore and YiSi."
        raise RequestError(REFUSED, message)
    return EncoderModel(folder, model.float(), tokenizer)
