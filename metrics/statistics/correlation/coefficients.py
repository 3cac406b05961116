"""How closely two columns of numbers go together: Pearson, Spearman, Kendall.

Of our own for speed: they are asked for each two annotators and each metric, often of a few dozen numbers, where
scipy.stats takes up to seven times as long; loading it takes half a second of every process. The tests hold them
against scipy.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, complete_pairs, midranks

_LARGEST_TABLE = 100_000


@dataclass(frozen=True)
class Correlation:
    """`value` over `n` complete pairs; NaN where it does not exist, for a `reason`: `too_few` or `constant`."""

    value: float
    n: int
    reason: str = ""

    def __float__(self) -> float:
        return self.value


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """How closely y follows x along a straight line.

    Shape: `x` and `y`: (n_pairs,).
    Unit and range: Any interval unit; -1 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: Fewer than two pairs: NaN, reason `too_few`. A constant column: NaN, reason `constant`. Never 0.
    Method: sum((x - mx)(y - my)) / sqrt(sum((x - mx)^2) sum((y - my)^2)).
    Source: Pearson 1895, as every textbook has it.

    Example:
        >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 5]).value, 4)
        0.8315
        >>> pearson([1, 2, 3], [7, 7, 7])
        Correlation(value=nan, n=3, reason='constant')
    """
    first, second = complete_pairs(x, y)
    reason = _reason(first, second)
    if reason:
        return Correlation(float("nan"), first.size, reason)
    first, second = first - first.mean(), second - second.mean()
    first, second = first / np.abs(first).max(), second / np.abs(second).max()
    value = float((first * second).sum() / np.sqrt((first**2).sum() * (second**2).sum()))
    return Correlation(min(1.0, max(-1.0, value)), first.size)


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """How closely the order of y follows the order of x, by how far ranks lie apart.

    Shape: `x` and `y`: (n_pairs,).
    Unit and range: Anything that can be ordered; -1 to 1.
    Missing data: A pair with a NaN on either side is dropped, before ranks are given.
    Degenerate input: As `pearson`.
    Method: Pearson's r of mid-ranks.
    Source: Spearman 1904; ties by mid-ranks.

    Example:
        >>> round(spearman([1, 2, 3, 4], [1, 30, 20, 500]).value, 4)
        0.8
    """
    first, second = complete_pairs(x, y)
    return pearson(midranks(first)[0], midranks(second)[0])


def kendall(x: ArrayLike, y: ArrayLike, *, variant: Literal["b", "c"] = "b") -> Correlation:
    """How many more pairs of points stand in the same order than in the opposite one.

    Shape: `x` and `y`: (n_pairs,).
    Unit and range: Anything that can be ordered; -1 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: As `pearson`. An unknown variant raises ValueError.
    Method: With C concordant and D discordant pairs of points of n0 = n(n-1)/2, of which n1 tie in x and n2 in y: tau-b
        = (C - D) / sqrt((n0 - n1)(n0 - n2)); tau-c = 2 (C - D) / (n^2 (m - 1) / m) with m the smaller number of
        distinct values. D is counted from the table of values where it is small, else as inversions, bit by bit.
    Source: Kendall 1945 (b); Stuart 1953 (c).

    Example:
        Of six pairs of points five stand in the same order.

        >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 5]).value, 4)
        0.6667
    """
    if variant not in ("b", "c"):
        raise ValueError(f"variant must be b or c, not {variant!r}")
    first, second = complete_pairs(x, y)
    n = first.size
    reason = _reason(first, second)
    if reason:
        return Correlation(float("nan"), n, reason)
    kinds_x, codes_x = np.unique(first, return_inverse=True)
    kinds_y, codes_y = np.unique(second, return_inverse=True)
    ties_x, ties_y = _tied(codes_x), _tied(codes_y)
    total = n * (n - 1) // 2
    ties_both = _tied(codes_x * kinds_y.size + codes_y)
    discordant = _discordant(codes_x, codes_y, kinds_x.size, kinds_y.size)
    surplus = total - ties_x - ties_y + ties_both - 2 * discordant
    if variant == "b":
        return Correlation(float(surplus / np.sqrt(float(total - ties_x) * float(total - ties_y))), n)
    fewest = min(kinds_x.size, kinds_y.size)
    return Correlation(float(2 * surplus / (n**2 * (fewest - 1) / fewest)), n)


def _reason(first: FloatArray, second: FloatArray) -> str:
    if first.size < 2:
        return "too_few"
    return "constant" if first.min() == first.max() or second.min() == second.max() else ""


def _tied(codes: IntArray) -> int:
    counts = np.unique(codes, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _discordant(codes_x: IntArray, codes_y: IntArray, kinds_x: int, kinds_y: int) -> int:
    if kinds_x * kinds_y <= max(_LARGEST_TABLE, 4 * codes_x.size):
        table = np.bincount(codes_x * kinds_y + codes_y, minlength=kinds_x * kinds_y).reshape(kinds_x, kinds_y)
        below_left = np.zeros_like(table)  # of each cell: points further in x and less in y
        below_left[:-1, 1:] = np.cumsum(np.cumsum(table[::-1], axis=0)[::-1], axis=1)[1:, :-1]
        return int((table * below_left).sum())
    return _inversions(codes_y[np.lexsort([codes_y, codes_x])])


def _inversions(codes: IntArray) -> int:
    """Pairs in the wrong order: within each common prefix of bits, zeros that come after ones."""
    found = 0
    for bit in reversed(range(int(codes.max()).bit_length())):
        prefix = codes >> (bit + 1)
        ones = (codes >> bit) & 1
        before = np.cumsum(ones) - ones
        starts = np.flatnonzero(np.concatenate([[True], prefix[1:] != prefix[:-1]]))
        sizes = np.diff(np.append(starts, codes.size))
        found += int((before - np.repeat(before[starts], sizes))[ones == 0].sum())
        codes = codes[np.argsort(codes >> bit, kind="stable")]
    return found
