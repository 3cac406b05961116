"""The file of the light model: its header, its tokenizer's tables and its tensors, read without running anything.

Layout, little-endian: `E5S1`, version, seven sizes, epsilon, block size; then the tokenizer: counts, byte offsets,
scores and text of the pieces, and what each code point is replaced by; then a directory of tensors by name.
Large tensors are in blocks of 32 weights: a float16 scale and 16 bytes; the low half of byte j is weight j, the high
half weight j+16, both less 8.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.neural.light_model import LightModel, ModelDamaged

Float32Array = NDArray[np.float32]

_MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_BYTES = 18


@dataclass(frozen=True)
class PieceTables:
    """What the tokenizer knows: each piece with its score, by number, and the special numbers."""

    pieces: tuple[str, ...]
    scores: Float32Array
    begin: int
    end: int
    unknown: int
    replacements: Mapping[str, str]


@dataclass(frozen=True)
class ModelFile:
    """Sizes, tokenizer and tensors of a model; `blocks` are still quantised, by name, as rows of bytes."""

    hidden: int
    layers: int
    heads: int
    positions: int
    epsilon: float
    tables: PieceTables
    plain: Mapping[str, Float32Array]
    blocks: Mapping[str, NDArray[np.uint8]]

    def matrix(self, name: str, rows: int) -> Float32Array:
        """A quantised tensor in float32. Shape: (rows, columns)."""
        return dequantised(self.blocks[name]).reshape(rows, -1)


def read_model(model: LightModel, models_folder: str | Path) -> ModelFile:
    """ModelMissing or ModelDamaged where the published file is not there: nothing else is ever run."""
    path = model.path(models_folder)
    model.check(path)
    try:
        return _parsed(np.memmap(path, dtype=np.uint8, mode="r"))  # of the largest table only what is used is read
    except (ValueError, IndexError, KeyError, struct.error) as error:
        raise ModelDamaged(f"{path} cannot be read ({error}).") from error


def dequantised(blocks: NDArray[np.uint8]) -> Float32Array:
    """Shape: (n_blocks, 18) bytes to (n_blocks * 32,).

    >>> halves = [0x08 + (j << 4) for j in range(16)]  # low halves 8: weight 0; high halves 0 to 15
    >>> block = np.array([[0x00, 0x3C, *halves]], dtype=np.uint8)  # scale 1.0
    >>> dequantised(block)[[0, 15, 16, 31]].tolist()
    [0.0, 0.0, -8.0, 7.0]
    """
    scales = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
    halves = blocks[:, 2:]
    weights = np.hstack([halves & 0x0F, halves >> 4]).astype(np.float32)
    weights -= 8
    weights *= scales
    return weights.reshape(-1)


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, content: NDArray[np.uint8]) -> None:
        self.content, self.at = content, 0

    def numbers(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(f"<{layout}", self.take(struct.calcsize(f"<{layout}")).tobytes())

    def take(self, size: int) -> NDArray[np.uint8]:
        if size < 0 or self.at + size > len(self.content):
            raise ValueError("it ends too early")
        self.at += size
        return self.content[self.at - size : self.at]

    def array(self, dtype: str, count: int) -> NDArray[np.generic]:
        return np.frombuffer(self.take(np.dtype(dtype).itemsize * count).tobytes(), dtype=dtype)


def _parsed(content: NDArray[np.uint8]) -> ModelFile:
    cursor = _Cursor(content)
    if cursor.take(4).tobytes() != _MAGIC:
        raise ValueError("it does not begin like a model")
    _version, hidden, layers, heads, _inner, _words, positions, _types = cursor.numbers("I7i")
    epsilon, block = cursor.numbers("fi")
    if block != _BLOCK:
        raise ValueError(f"its blocks have {block} weights")
    tables = _tables(cursor)
    plain, blocks = _tensors(cursor)
    return ModelFile(hidden, layers, heads, positions, float(epsilon), tables, plain, blocks)


def _tables(cursor: _Cursor) -> PieceTables:
    count, begin, end, _padding, unknown = cursor.numbers("5i")
    [size] = cursor.numbers("Q")
    offsets = cursor.array("<u4", count + 1).tolist()
    scores = cursor.array("<f4", count).astype(np.float32)
    text = cursor.take(size).tobytes()
    pieces = tuple(text[first:last].decode("utf-8") for first, last in pairwise(offsets))
    replaced, size = cursor.numbers("iI")
    rows = _Cursor(cursor.take(size))
    replacements = {}
    for _row in range(replaced):
        code, length = rows.numbers("IB")
        replacements[chr(code)] = "".join(map(chr, rows.numbers(f"{length}I")))
    return PieceTables(pieces, scores, begin, end, unknown, replacements)


def _tensors(cursor: _Cursor) -> tuple[dict[str, Float32Array], dict[str, NDArray[np.uint8]]]:
    plain: dict[str, Float32Array] = {}
    blocks: dict[str, NDArray[np.uint8]] = {}
    [count] = cursor.numbers("i")
    for _row in range(count):
        [length] = cursor.numbers("H")
        name = cursor.take(length).tobytes().decode("ascii")
        is_quantised, _weights, offset, size = cursor.numbers("BIQQ")
        content = cursor.content[offset : offset + size]
        if len(content) != size:
            raise ValueError(f"{name} ends too early")
        if is_quantised:
            blocks[name] = content.reshape(-1, _BLOCK_BYTES)
        else:
            plain[name] = content.view("<f4").astype(np.float32)
    return plain, blocks
