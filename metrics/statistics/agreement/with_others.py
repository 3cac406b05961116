"""One annotator beside all others: whether they order outputs alike, and who is stricter."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, as_floats
from metrics.statistics.correlation.coefficients import pearson
from metrics.statistics.resampling import Interval, no_interval

_NORMAL_97_5 = 1.959963984540054
_FEWEST_FOR_AN_INTERVAL = 4


@dataclass(frozen=True)
class WithOthers:
    """`n` items somebody else has too; `difference` is the mean of own minus others', `pearson` their correlation.

    `reason` says why there is no correlation: `no_overlap` (then there is no difference either), `too_few`, `constant`.
    """

    n: int
    pearson: float
    interval: Interval
    difference: float
    reason: str = ""


def agreement_with_others(ratings: ArrayLike, *, counted: ArrayLike | None = None) -> tuple[WithOthers, ...]:
    """How far each annotator agrees with the mean of all others, item by item.

    Shape: `ratings`: (n_annotators, n_items), NaN = not rated; `counted`: (n_annotators,), whether one is among the
        others; by default all are. The answer has one entry an annotator.
    Unit and range: `difference` in the unit of the ratings, above 0 for who gives higher numbers; `pearson` from -1 to
        1.
    Missing data: An annotator is compared on the items that at least one of the others rated, by the mean of those who
        did.
    Degenerate input: No such item: `n` is 0, the rest NaN. Fewer than two, or a constant side: the correlation is NaN.
        `reason` says which. The interval is NaN below four items, and where the correlation is 1 or -1 it has no width.
    Method: Pearson's r of x and (sum of all - x) / (number - 1) over shared items, with the 95 % interval
        tanh(artanh(r) +- 1.96 / sqrt(n - 3)); mean(x - others).
    Source: The corrected item-total correlation of classical test theory, a person in the place of an item: Nunnally &
        Bernstein 1994, "Psychometric theory", chapter 8; Fisher 1921 for the interval.

    Example:
        >>> found = agreement_with_others([[10, 20, 30, 40], [20, 30, 40, 50], [60, 10, 50, np.nan]])
        >>> [(one.n, round(one.pearson, 3), round(one.difference, 2)) for one in found]
        [(4, 0.54, -13.75), (4, 0.434, 2.5), (3, -0.189, 15.0)]
    """
    matrix = as_floats(ratings, dimensions=2)
    is_counted = np.ones(len(matrix), dtype=np.bool_) if counted is None else np.asarray(counted, dtype=np.bool_)
    present = ~np.isnan(matrix)
    numbers = np.where(present, matrix, 0.0)
    sums, sizes = numbers[is_counted].sum(axis=0), present[is_counted].sum(axis=0)
    found = []
    for row, own, rated, counts in zip(matrix, numbers, present, is_counted, strict=True):
        others: BoolArray = rated & (sizes > int(counts))
        means = (sums[others] - own[others] * counts) / (sizes[others] - int(counts))
        found.append(_beside(row[others], means))
    return tuple(found)


def _beside(own: FloatArray, others: FloatArray) -> WithOthers:
    if not own.size:
        return WithOthers(0, math.nan, no_interval("no_overlap"), math.nan, "no_overlap")
    r = pearson(own, others)
    return WithOthers(own.size, r.value, _interval(r.value, own.size), float(np.mean(own - others)), r.reason)


def _interval(r: float, n: int) -> Interval:
    if math.isnan(r) or n < _FEWEST_FOR_AN_INTERVAL:
        return no_interval("too_few")
    if abs(r) >= 1:
        return Interval(r, r)
    half = _NORMAL_97_5 / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
