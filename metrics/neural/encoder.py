"""The encoder: numbers of pieces to a vector for each, after any of its layers, in float32.

The texts of a batch lie one after the other without padding: linear layers run over all of them at once, attention
over each text by itself. What stands beside a text changes the last digit of float32 at most, because libraries
multiply the first and the last rows of a matrix in different orders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import scipy

from metrics.neural.model_file import Float32Array, ModelFile, dequantised

_BATCH = 2_000  # pieces
_HALF_ROOT = np.float32(np.sqrt(0.5))


@dataclass(frozen=True)
class _Linear:
    """`weight` has shape (n_inputs, n_outputs)."""

    weight: Float32Array
    bias: Float32Array

    def __call__(self, states: Float32Array) -> Float32Array:
        product: Float32Array = states @ self.weight
        product += self.bias
        return product


@dataclass(frozen=True)
class _Norm:
    scale: Float32Array
    shift: Float32Array
    epsilon: np.float32

    def __call__(self, states: Float32Array) -> Float32Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        centred /= np.sqrt(variance + self.epsilon)
        centred *= self.scale
        centred += self.shift
        normalised: Float32Array = centred
        return normalised


@dataclass(frozen=True)
class _Layer:
    """Attention and a network of two linear layers, each followed by its normalisation."""

    heads: int
    queries_keys_values: _Linear
    mixed: _Linear
    after_attention: _Norm
    wider: _Linear
    narrower: _Linear
    after_network: _Norm

    def __call__(self, states: Float32Array, lengths: Sequence[int]) -> Float32Array:
        attended = self.mixed(self._attention(self.queries_keys_values(states), lengths))
        states = self.after_attention(states + attended)
        return self.after_network(states + self.narrower(_gelu(self.wider(states))))

    def _attention(self, projected: Float32Array, lengths: Sequence[int]) -> Float32Array:
        """Of texts sorted by length: those as long as each other together."""
        hidden = projected.shape[1] // 3
        size = hidden // self.heads
        result = np.empty((len(projected), hidden), dtype=np.float32)
        scale = np.float32(1 / np.sqrt(size))
        begin = 0
        for length, group in groupby(lengths):
            end = begin + length * len(list(group))
            # (n_texts, length, 3, heads, size) to three of (n_texts, heads, length, size)
            parts = projected[begin:end].reshape(-1, length, 3, self.heads, size).transpose(2, 0, 3, 1, 4)
            queries, keys, values = np.ascontiguousarray(parts)
            likeness = (queries * scale) @ keys.transpose(0, 1, 3, 2)
            likeness -= likeness.max(axis=-1, keepdims=True)
            np.exp(likeness, out=likeness)
            likeness /= likeness.sum(axis=-1, keepdims=True)
            result[begin:end] = (likeness @ values).transpose(0, 2, 1, 3).reshape(end - begin, hidden)
            begin = end
        return result


class Encoder:
    """A model ready to run, up to `layers` of its layers: the others are not read.

    Devlin et al. 2019, "BERT", NAACL; Wang et al. 2024, "Multilingual E5 text embeddings".
    """

    def __init__(self, file: ModelFile, layers: int) -> None:
        if not 0 <= layers <= file.layers:
            raise ValueError(f"The model has layers 0 to {file.layers}, not {layers}.")
        self._file = file
        self._positions = file.plain["emb.pos"].reshape(file.positions, file.hidden)
        self._first_type = file.plain["emb.type"][: file.hidden]
        self._rows = file.blocks["emb.word"].reshape(-1, file.hidden // 32, 18)
        self._norm = self._norm_of("emb.ln")
        self._layers = [self._layer(number) for number in range(layers)]

    def _norm_of(self, name: str) -> _Norm:
        plain = self._file.plain
        return _Norm(plain[f"{name}.w"], plain[f"{name}.b"], np.float32(self._file.epsilon))

    def _linear(self, *names: str) -> _Linear:
        """Several with the same input are one."""
        biases = [self._file.plain[f"{name}.b"] for name in names]
        weights = [self._file.matrix(f"{name}.w", len(bias)) for name, bias in zip(names, biases, strict=True)]
        return _Linear(np.ascontiguousarray(np.vstack(weights).T), np.concatenate(biases))

    def _layer(self, number: int) -> _Layer:
        at = f"l{number}"
        return _Layer(
            heads=self._file.heads,
            queries_keys_values=self._linear(f"{at}.q", f"{at}.k", f"{at}.v"),
            mixed=self._linear(f"{at}.ao"),
            after_attention=self._norm_of(f"{at}.aln"),
            wider=self._linear(f"{at}.fi"),
            narrower=self._linear(f"{at}.fo"),
            after_network=self._norm_of(f"{at}.oln"),
        )

    def rows(self, numbers: Sequence[int]) -> Float32Array:
        """The table of words itself, without any context. Shape: (n_pieces, hidden)."""
        blocks = self._rows[np.asarray(numbers, dtype=np.intp)].reshape(-1, 18)
        return dequantised(blocks).reshape(len(numbers), -1)

    def states(self, texts: Sequence[Sequence[int]]) -> list[Float32Array]:
        """Of each text, in its order. Shape of each: (n_pieces, hidden)."""
        results: list[Float32Array] = [np.empty((0, 0), dtype=np.float32)] * len(texts)
        for places in _batches(texts):
            lengths = [len(texts[place]) for place in places]
            states = self._run([texts[place] for place in places], lengths)
            for place, part in zip(places, np.split(states, np.cumsum(lengths)[:-1]), strict=True):
                results[place] = part
        return results

    def _run(self, texts: Sequence[Sequence[int]], lengths: Sequence[int]) -> Float32Array:
        states = self.rows([number for text in texts for number in text])
        states += np.concatenate([self._positions[:length] for length in lengths])
        states += self._first_type
        states = self._norm(states)
        for layer in self._layers:
            states = layer(states, lengths)
        return states


def _batches(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of texts, the shortest first, about as many pieces at a time."""
    batch: list[int] = []
    pieces = 0
    for place in sorted(range(len(texts)), key=lambda at: len(texts[at])):
        if batch and pieces + len(texts[place]) > _BATCH:
            yield batch
            batch, pieces = [], 0
        batch.append(place)
        pieces += len(texts[place])
    if batch:
        yield batch


def _gelu(states: Float32Array) -> Float32Array:
    """Hendrycks and Gimpel 2016, with the error function itself."""
    grown = scipy.special.erf(states * _HALF_ROOT)
    grown += 1
    grown *= states
    grown *= np.float32(0.5)
    result: Float32Array = grown
    return result
