"""Annotators beside each other: each two of them, all pairs of ratings taken together, each one beside all others."""

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.agreement.kappas import kappas_of_codes
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes, as_floats
from metrics.statistics.correlation.coefficients import kendall, pearson, spearman
from metrics.statistics.resampling import Interval, no_interval


@dataclass(frozen=True)
class AnnotatorPair:
    """Annotators `first` and `second` (rows of the matrix) on `n` items; NaN where a number does not exist."""

    first: int
    second: int
    n: int
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    pearson: float
    spearman: float
    kendall_b: float


def annotator_pairs(
    ratings: ArrayLike, *, categories: ArrayLike | None = None, n_categories: int = 0, fewest: int = 20
) -> tuple[AnnotatorPair, ...]:
    """How far each two annotators agree: kappas on categories, correlations on scores.

    Shape: `ratings`: (n_annotators, n_items), NaN = not rated; `categories`: the same shape, each rating's place on a
        scale of `n_categories`, from 0 (see `bands`); without it there are no kappas.
    Unit and range: Scores in any unit; all coefficients from -1 to 1.
    Missing data: Two annotators are compared on the items both rated; pairs with fewer than `fewest` are left out.
    Degenerate input: A coefficient that does not exist for a pair is NaN; the pair stays.
    Method: `kappas_of_codes`: plain, linear and quadratic; `pearson`, `spearman`, `kendall`.
    Source: As of each coefficient.

    Example:
        >>> ratings = [[10, 20, 30, 40], [12, 25, 24, np.nan], [np.nan, np.nan, np.nan, 1]]
        >>> [(pair.first, pair.second, pair.n, round(pair.pearson, 3)) for pair in annotator_pairs(ratings, fewest=3)]
        [(0, 1, 3, 0.829)]
    """
    matrix = as_floats(ratings, dimensions=2)
    codes = None if categories is None else as_floats(categories, dimensions=2)
    present = ~np.isnan(matrix)
    some = scipy.sparse.csr_array(present).astype(np.float64)
    overlap = (some @ some.T).toarray()
    firsts, seconds = np.nonzero(np.triu(overlap >= max(1, fewest), k=1))
    return tuple(
        _pair_of(int(first), int(second), np.flatnonzero(present[first] & present[second]), matrix, codes, n_categories)
        for first, second in zip(firsts, seconds, strict=True)
    )


def bands(values: ArrayLike, *, low: float, high: float, n_bands: int = 7) -> FloatArray:
    """Which of `n_bands` equal parts of a scale each value falls into, so that a slider has categories.

    Shape: `values` of any shape; returns the same shape.
    Unit and range: Values from `low` to `high`; bands from 0 to n_bands - 1, as floats. What lies outside goes to the
        end bands.
    Missing data: NaN stays NaN.
    Degenerate input: Ends that are not finite, or equal, and fewer than one band raise ValueError.
    Method: floor((x - low) / (high - low) * n_bands), the upper end belonging to the last band.
    Source: A convention, to compare sliders with scales of few points; seven bands are the points 0 to 6.

    Example:
        >>> bands([0, 14, 15, 100, np.nan], low=0, high=100).tolist()
        [0.0, 0.0, 1.0, 6.0, nan]
    """
    if not (np.isfinite(low) and np.isfinite(high)) or low == high or n_bands < 1:
        raise ValueError(f"no bands between {low} and {high}, {n_bands} of them")
    parts = np.array(values, dtype=np.float64)  # from here in place: a matrix of annotators is large
    parts -= low
    parts /= high - low
    parts *= n_bands
    return np.clip(np.floor(parts, out=parts), 0, n_bands - 1, out=parts)


def _pair_of(
    first: int, second: int, both: IntArray, matrix: FloatArray, codes: FloatArray | None, n_categories: int
) -> AnnotatorPair:
    x, y = matrix[first, both], matrix[second, both]
    kappas = (float("nan"),) * 3
    if codes is not None:
        a, b = codes[first, both].astype(np.int64), codes[second, both].astype(np.int64)
        kappas = kappas_of_codes(a, b, n_categories)
    correlations = pearson(x, y).value, spearman(x, y).value, kendall(x, y).value
    return AnnotatorPair(first, second, x.size, *kappas, *correlations)


MOST_PAIRS = 2_000_000


@dataclass(frozen=True)
class PooledPairs:
    """Over `n` pairs: `pearson` and `kendall_b` of both orders, the mean absolute `difference`, the share `identical`.

    NaN where a number does not exist; `reason` is `no_overlap` without a pair, `too_many` beyond two million.
    """

    n: int
    pearson: float
    kendall_b: float
    difference: float
    identical: float
    reason: str = ""


def pooled_pairs(values: ArrayLike, items: ArrayLike) -> PooledPairs:
    """How far apart, and how alike in order, are two ratings of one item by any two annotators?

    Shape: `values`: (n_ratings,); `items`: (n_ratings,) labels of what was rated. One rating an annotator and item.
    Unit and range: Scores in any unit; the difference in theirs, coefficients from -1 to 1, a share from 0 to 1.
    Missing data: A NaN rating is dropped.
    Degenerate input: Nothing rated twice: NaN, reason `no_overlap`. Where all are equal, coefficients are NaN. More
        than two million pairs are not formed: NaN, reason `too_many`.
    Method: Every pair of ratings of an item enters once for difference and share, and in both orders for the
        coefficients, so that it does not matter who is first. An item with many ratings weighs by its pairs.
    Source: Pearson of both orders is Fisher's first intraclass correlation (Fisher 1925, section 38).

    Example:
        >>> result = pooled_pairs([1, 2, 5, 5, 9, 7], ["a", "a", "b", "b", "c", "c"])
        >>> result.n, result.difference, round(result.identical, 4), round(result.pearson, 4)
        (3, 1.0, 0.3333, 0.8885)
    """
    numbers = as_floats(values)
    _, codes = as_codes(items, numbers.size)
    present = ~np.isnan(numbers)
    numbers, codes = numbers[present], codes[present]
    sizes = np.bincount(codes).astype(np.int64)
    n, nan = int((sizes * (sizes - 1) // 2).sum()), float("nan")
    if not n or n > MOST_PAIRS:
        return PooledPairs(n, nan, nan, nan, nan, reason="too_many" if n else "no_overlap")
    first, second = _pairs(numbers, codes)
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    apart = np.abs(first - second)
    correlations = pearson(one, other).value, kendall(one, other).value
    return PooledPairs(n, *correlations, float(apart.mean()), float(np.mean(apart == 0)))


def _pairs(values: FloatArray, codes: IntArray) -> tuple[FloatArray, FloatArray]:
    order = np.argsort(codes, kind="stable")
    values, codes = values[order], codes[order]
    firsts, seconds = [], []
    lag = 1
    while lag < codes.size and (together := codes[lag:] == codes[:-lag]).any():
        firsts.append(values[:-lag][together])
        seconds.append(values[lag:][together])
        lag += 1
    return np.concatenate(firsts), np.concatenate(seconds)


_NORMAL_97_5 = 1.959963984540054
_FEWEST_FOR_AN_INTERVAL = 4


@dataclass(frozen=True)
class WithOthers:
    """`n` items somebody else has too; `difference` is the mean of own minus others', `pearson` their correlation.

    `difference_interval` is NaN below four items.

    `reason` says why there is no correlation: `no_overlap` (then there is no difference either), `too_few`, `constant`.
    """

    n: int
    pearson: float
    interval: Interval
    difference: float
    difference_interval: Interval
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
        tanh(artanh(r) +- 1.96 / sqrt(n - 3)); mean(x - others) +- 1.96 s / sqrt(n), items drawn independently.
    Source: The corrected item-total correlation of classical test theory, a person in the place of an item: Nunnally &
        Bernstein 1994, "Psychometric theory", chapter 8; Fisher 1921 for the interval.

    Example:
        >>> results = agreement_with_others([[10, 20, 30, 40], [20, 30, 40, 50], [60, 10, 50, np.nan]])
        >>> [(one.n, round(one.pearson, 3), round(one.difference, 2)) for one in results]
        [(4, 0.54, -13.75), (4, 0.434, 2.5), (3, -0.189, 15.0)]
    """
    matrix = as_floats(ratings, dimensions=2)
    is_counted = np.ones(len(matrix), dtype=np.bool_) if counted is None else np.asarray(counted, dtype=np.bool_)
    present = ~np.isnan(matrix)
    numbers = np.where(present, matrix, 0.0)
    sums, sizes = numbers[is_counted].sum(axis=0), present[is_counted].sum(axis=0)
    results = []
    for row, own, rated, counts in zip(matrix, numbers, present, is_counted, strict=True):
        others: BoolArray = rated & (sizes > int(counts))
        means = (sums[others] - own[others] * counts) / (sizes[others] - int(counts))
        results.append(_beside(row[others], means))
    return tuple(results)


def _beside(own: FloatArray, others: FloatArray) -> WithOthers:
    if not own.size:
        return WithOthers(0, math.nan, no_interval("no_overlap"), math.nan, no_interval("no_overlap"), "no_overlap")
    r, apart = pearson(own, others), own - others
    difference = float(np.mean(apart))
    return WithOthers(own.size, r.value, _interval(r.value, own.size), difference, _of_mean(apart), r.reason)


def _of_mean(values: FloatArray) -> Interval:
    if values.size < _FEWEST_FOR_AN_INTERVAL:
        return no_interval("too_few")
    mean, half = float(values.mean()), _NORMAL_97_5 * float(values.std(ddof=1)) / math.sqrt(values.size)
    return Interval(mean - half, mean + half)


def _interval(r: float, n: int) -> Interval:
    if math.isnan(r) or n < _FEWEST_FOR_AN_INTERVAL:
        return no_interval("too_few")
    if abs(r) >= 1:
        return Interval(r, r)
    half = _NORMAL_97_5 / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
