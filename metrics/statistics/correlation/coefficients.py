"""How closely two columns of numbers go together: Pearson, Spearman, Kendall; and of many short rows at once.

Our own for speed: they are computed for every two annotators and every metric, often from a few dozen numbers, where
scipy.stats takes up to seven times as long; loading it takes half a second of every process. The tests compare them
against scipy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_floats, complete_pairs, midranks, ratios

_LARGEST_TABLE = 100_000
_CELLS_AT_ONCE = 200_000
_BLOCK = 16  # within which all pairs are compared


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
    Missing data: A pair with a NaN on either side is dropped before ranking.
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
    """How many more pairs of points are in the same order than in the opposite one.

    Shape: `x` and `y`: (n_pairs,).
    Unit and range: Anything that can be ordered; -1 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: As `pearson`. An unknown variant raises ValueError.
    Method: With C concordant and D discordant pairs of points of n0 = n(n-1)/2, of which n1 tie in x and n2 in y: tau-b
        = (C - D) / sqrt((n0 - n1)(n0 - n2)); tau-c = 2 (C - D) / (n^2 (m - 1) / m) with m the smaller number of
        distinct values. D is counted from the table of values where it is small, else as inversions while sorting.
    Source: Kendall 1945 (b); Stuart 1953 (c).

    Example:
        Of six pairs of points five are in the same order.

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
    return _inversions(np.sort(codes_x * kinds_y + codes_y) % kinds_y)


def _inversions(codes: IntArray) -> int:
    """Pairs in the wrong order: those within short blocks, then those between two sorted blocks that are merged.

    In two blocks that were sorted as one, each of the first has moved up by as many of the second as are less.
    """
    n = codes.size
    order = np.sort(codes * n + np.arange(n)) % n
    ranks = np.arange(max(_BLOCK, 1 << (n - 1).bit_length()), dtype=np.int32)  # blocks of one length
    ranks[order] = np.arange(n, dtype=np.int32)  # equal codes in their order
    places = np.ascontiguousarray(ranks.reshape(-1, _BLOCK).T)
    inverted = sum(int(np.count_nonzero(places[:-k] > places[k:])) for k in range(1, _BLOCK))
    width = _BLOCK
    while width < ranks.size:
        merged = ranks.reshape(-1, 2 * width) << 1
        merged[:, :width] |= 1
        merged.sort(axis=1)
        moved_to = (merged & 1).sum(axis=0, dtype=np.int64) @ np.arange(2 * width)
        inverted += int(moved_to) - len(merged) * (width * (width - 1) // 2)
        ranks, width = merged >> 1, 2 * width
    return inverted


@dataclass(frozen=True)
class RowCoefficients:
    """One value a row, NaN where the coefficient does not exist; `cells` are the complete ones of each row."""

    pearson: FloatArray
    spearman: FloatArray
    kendall_b: FloatArray
    kendall_c: FloatArray
    accuracy: FloatArray
    cells: FloatArray

    @property
    def reason(self) -> str:
        """Why a coefficient that exists in no row does not."""
        return "constant" if (self.cells > 1).any() else "too_few"


def coefficients_of_rows(human: ArrayLike, metric: ArrayLike, *, labels: ArrayLike | None = None) -> RowCoefficients:
    """Pearson, Spearman, Kendall and the share of pairs ordered alike, row by row.

    Shape: `human` and `metric`: (n_rows, n_columns), rows short (systems); `labels`: (n_rows, n_columns), pairs
        with equal labels do not count for `accuracy`, as when a system was drawn twice.
    Unit and range: Higher is better in both; coefficients from -1 to 1, `accuracy` a share from 0 to 1.
    Missing data: A cell in which either is NaN is left out of its row.
    Degenerate input: A row with fewer than two cells, or constant on either side: NaN; `accuracy` exists for constants.
    Method: As `pearson`, `spearman`, `kendall` and `pairwise_accuracy` on each row, from the comparisons of all its
        pairs.
    Source: As there.

    Example:
        >>> result = coefficients_of_rows([[1, 2, 3, 4], [5, 5, 5, 5]], [[1, 3, 2, 5], [1, 2, 3, 4]])
        >>> result.pearson.round(4).tolist(), result.kendall_b.round(4).tolist(), result.accuracy.round(4).tolist()
        ([0.8315, nan], [0.6667, nan], [0.8333, 0.0])
    """
    people, scores = as_floats(human, dimensions=2), as_floats(metric, dimensions=2)
    if people.shape != scores.shape:
        raise ValueError(f"human and metric must have one shape, got {people.shape} and {scores.shape}")
    names = None if labels is None else np.asarray(labels)
    step = max(1, _CELLS_AT_ONCE // max(1, people.shape[1]))
    parts = [
        _of_some(people[at : at + step], scores[at : at + step], None if names is None else names[at : at + step])
        for at in range(0, max(1, len(people)), step)
    ]
    return RowCoefficients(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _of_some(people: FloatArray, scores: FloatArray, labels: NDArray[Any] | None) -> Iterator[FloatArray]:
    present = ~(np.isnan(people) | np.isnan(scores))
    n = present.sum(axis=1).astype(np.float64)
    either = np.where(present, people, np.nan).T, np.where(present, scores, np.nan).T
    pairs = _compare(either, present.T, labels)
    people, scores = np.where(present, people, 0.0), np.where(present, scores, 0.0)
    yield _pearson_of_rows(people, scores, present, n)
    yield _pearson_of_rows(pairs.places[0].T.astype(np.float64), pairs.places[1].T.astype(np.float64), present, n)
    yield ratios(pairs.surplus, np.sqrt(pairs.untied[0] * pairs.untied[1]))
    fewest = np.minimum(pairs.kinds[0], pairs.kinds[1])
    yield ratios(2 * pairs.surplus * fewest, n**2 * (fewest - 1))
    yield ratios(pairs.alike, pairs.compared)
    yield n


class _Pairs:
    """What the pairs of present cells of each row say, row by row.

    Of both sides: `places` (n_columns, n_rows) are how many cells are below less how many are above, a rank in steps of
    two but for a constant, which no correlation sees; `untied` pairs; `kinds` of values.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.places = np.zeros((2, columns, rows), dtype=np.int32)
        self.is_repeated = np.zeros((2, columns, rows), dtype=np.bool_)
        self.untied, self.kinds = np.zeros((2, rows)), np.zeros((2, rows))
        self.surplus, self.alike, self.compared = np.zeros(rows), np.zeros(rows), np.zeros(rows)


def _compare(either: tuple[FloatArray, FloatArray], present: BoolArray, labels: NDArray[Any] | None) -> _Pairs:
    """Shape: (n_columns, n_rows), NaN where a value is missing on either side; `labels`: (n_rows, n_columns).

    Each column with the one `apart` columns before it, in bytes: few numpy calls, and nothing as large as all pairs.
    """
    pairs = _Pairs(*present.shape)
    sides = [np.ascontiguousarray(values) for values in either]
    names = None if labels is None else np.ascontiguousarray(labels.T)
    present = np.ascontiguousarray(present)
    for apart in range(1, len(present)):
        both = present[apart:] & present[:-apart]
        signs = [_signs(values[apart:], values[:-apart]) for values in sides]
        for side, sign in enumerate(signs):
            pairs.places[side, apart:] += sign
            pairs.places[side, :-apart] -= sign
            pairs.untied[side] += np.count_nonzero(sign, axis=0)
            pairs.is_repeated[side, apart:] |= (sign == 0) & both
        pairs.surplus += (signs[0] * signs[1]).sum(axis=0, dtype=np.int32)
        compared = both if names is None else both & (names[apart:] != names[:-apart])
        pairs.alike += np.count_nonzero((signs[0] == signs[1]) & compared, axis=0)
        pairs.compared += np.count_nonzero(compared, axis=0)
    pairs.kinds += (present & ~pairs.is_repeated).sum(axis=1)
    return pairs


def _signs(values: FloatArray, others: FloatArray) -> NDArray[np.int8]:
    """1 where the value is greater, -1 where it is less, else 0, as for NaN."""
    return (values > others).view(np.int8) - (values < others).view(np.int8)


def _pearson_of_rows(first: FloatArray, second: FloatArray, present: BoolArray, n: FloatArray) -> FloatArray:
    usable = (n > 1) & _varies(first, present) & _varies(second, present)
    share = np.maximum(n, 1.0)[:, None]
    one = np.where(present, first - first.sum(axis=1, keepdims=True) / share, 0.0)
    other = np.where(present, second - second.sum(axis=1, keepdims=True) / share, 0.0)
    spread = np.sqrt((one**2).sum(axis=1)) * np.sqrt((other**2).sum(axis=1))
    return np.clip(ratios((one * other).sum(axis=1), np.where(usable, spread, 0.0)), -1.0, 1.0)


def _varies(values: FloatArray, present: BoolArray) -> BoolArray:
    varies: BoolArray = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf) > np.where(
        present, values, np.inf
    ).min(axis=1, initial=np.inf)
    return varies
