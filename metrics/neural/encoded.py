"""Vectors of texts, each text encoded once as long as there is room to remember it."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metrics.neural.encoder import Encoder
from metrics.neural.light_model import LIGHT_MODELS, LightModel
from metrics.neural.model_file import Float32Array, read_model
from metrics.neural.tokenizer import Tokenizer

ROOM = 256 * 1024 * 1024  # bytes of vectors that are remembered: 170,000 pieces, about 6,000 segments
STATIC = 0  # the layer of the table of words


@dataclass(frozen=True)
class EncodedText:
    """Numbers of a text's pieces, and a vector of length 1 for each; the first and the last mark its ends.

    `is_cut`: the text has more pieces than the model reads.

    Shape:
        `pieces` (n_pieces,), `vectors` (n_pieces, hidden).
    """

    pieces: NDArray[np.intp]
    vectors: Float32Array
    is_cut: bool = False


class TextEncoder:
    """Texts to vectors after one layer of a model. Blanks at the ends of a text do not count."""

    def __init__(self, model: LightModel, models_folder: str, layer: int) -> None:
        file = read_model(model, models_folder)
        self._tokenizer = Tokenizer(file.tables)
        self._encoder = Encoder(file, layer)
        self._layer = layer
        self._known: OrderedDict[str, EncodedText] = OrderedDict()
        self._bytes = 0
        self.encoded = 0  # texts, each as often as it was

    def pieces(self, text: str) -> list[int]:
        return self._tokenizer.numbers(text.strip())

    def encode(self, texts: Iterable[str]) -> dict[str, EncodedText]:
        """By text."""
        named = {text: text.strip() for text in texts}
        known = {plain: self._known[plain] for plain in named.values() if plain in self._known}
        for plain in known:
            self._known.move_to_end(plain)
        missing = list({plain: None for plain in named.values() if plain not in known})
        read = [self._tokenizer.numbers_and_cut(plain) for plain in missing]
        numbers = [pieces for pieces, _is_cut in read]
        states = self._encoder.states(numbers) if self._layer else [self._encoder.rows(each) for each in numbers]
        self.encoded += len(missing)
        for plain, (pieces, is_cut), each in zip(missing, read, states, strict=True):
            vectors = each / np.linalg.norm(each, axis=1, keepdims=True)
            known[plain] = EncodedText(np.array(pieces, dtype=np.intp), vectors, is_cut)
        self._remember((plain, known[plain]) for plain in missing)
        return {text: known[plain] for text, plain in named.items()}

    def _remember(self, entries: Iterable[tuple[str, EncodedText]]) -> None:
        """What was not used for the longest time is forgotten first."""
        for text, encoded in entries:
            self._known[text] = encoded
            self._bytes += encoded.vectors.nbytes
        while self._bytes > ROOM and self._known:
            self._bytes -= self._known.popitem(last=False)[1].vectors.nbytes


@lru_cache(maxsize=2)  # the layer in use, and one more
def text_encoder(model: str, models_folder: str, layer: int) -> TextEncoder:
    """Read once in a process. ModelMissing or ModelDamaged where it cannot be."""
    return TextEncoder(LIGHT_MODELS[model], models_folder, layer)
