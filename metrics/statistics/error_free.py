"""Do two agree on which translations are free of errors?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class ErrorFree:
    """Translations that both call free of errors (`tp`), only the prediction (`fp`), only the gold (`fn`), neither."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f(self) -> float:
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def share_first(self) -> float:
        return _share(self.tp + self.fp, self.n)

    @property
    def share_second(self) -> float:
        return _share(self.tp + self.fn, self.n)


def error_free_matches(predicted: ArrayLike, gold: ArrayLike) -> ErrorFree:
    """How many of the translations that one calls free of errors does the other call so, and the reverse?

    Shape: Both (n,), true where the translation is free of errors, paired by position.
    Unit and range: Counts; precision, recall, F and the two shares of error-free translations are from 0 to 1.
    Missing data: Leave out what one of the two did not judge.
    Degenerate input: Nothing predicted: precision NaN; no gold: recall NaN; neither: F NaN; n = 0: everything NaN.
        Unequal lengths raise ValueError.
    Method: precision tp / (tp + fp), recall tp / (tp + fn), F = 2 tp / (2 tp + fp + fn).
    Source: van Rijsbergen 1979, "Information Retrieval", chapter 7.

    Example:
        >>> matches = error_free_matches([True, True, False], [True, False, False])
        >>> matches.precision, matches.recall, round(matches.f, 4)
        (0.5, 1.0, 0.6667)
    """
    one, other = np.asarray(predicted, dtype=np.bool_), np.asarray(gold, dtype=np.bool_)
    if one.shape != other.shape:
        raise ValueError(f"predicted and gold must be paired, got {one.size} and {other.size}")
    counts = np.bincount(2 * one.astype(np.int64) + other, minlength=4).tolist()
    return ErrorFree(tp=counts[3], fp=counts[2], fn=counts[1], tn=counts[0])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
