"""Many texts as one array of whole numbers, and where each begins: what a kernel takes."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]
WORTH_COMPILED_CODE = 20_000  # characters; fewer are counted before the compiled code is loaded


@dataclass(frozen=True)
class Flat:
    """Text i is `codes[starts[i] : starts[i + 1]]`. Shape: (n_items,) and (n_texts + 1,)."""

    codes: Codes
    starts: Starts


class _Known(dict[Hashable, int]):
    def __missing__(self, item: Hashable) -> int:
        self[item] = number = len(self)
        return number


@dataclass
class Numbers:
    """A number for each different item, in the order of their first appearance."""

    known: dict[Hashable, int] = field(default_factory=_Known)

    def flat(self, texts: Sequence[Sequence[Hashable]]) -> Flat:
        starts = _starts(map(len, texts))
        numbers = map(self.known.__getitem__, chain.from_iterable(texts))
        return Flat(np.fromiter(numbers, dtype=np.int32, count=int(starts[-1])), starts)


def characters(texts: Sequence[str]) -> Flat:
    """Texts as code points, lone surrogates among them.

    >>> characters(["ab", "", "c"]).starts.tolist()
    [0, 2, 2, 3]
    """
    starts = _starts(map(len, texts))
    return Flat(np.array(["".join(texts)]).view(np.int32)[: starts[-1]], starts)  # an empty text is stored as a zero


def units_of(texts: Sequence[bytes]) -> Flat:
    """Texts in UTF-16 (little-endian) as their units."""
    codes = np.frombuffer(b"".join(texts), dtype="<u2").astype(np.int32)
    return Flat(codes, _starts(len(text) // 2 for text in texts))


def bytes_of(texts: Sequence[bytes]) -> Flat:
    return Flat(np.frombuffer(b"".join(texts), dtype=np.uint8).astype(np.int32), _starts(map(len, texts)))


def groups(lists: Sequence[Sequence[object]]) -> Starts:
    """Where the texts of each list begin if all lists are one. Shape: (n_lists + 1,)."""
    return _starts(map(len, lists))


def _starts(lengths: Iterable[int]) -> Starts:
    return np.cumsum([0, *lengths], dtype=np.int64)
