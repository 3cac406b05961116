"""Wilcoxon's two tests: rank-sum for unpaired values, signed-rank for paired ones.

Of our own for speed and for ties: they are asked for every two systems, and scipy.stats takes four to fourteen times as
long; its exact signed-rank test knows no ties, of which scores from 0 to 100 are full. The tests hold them against
scipy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from metrics.statistics.arrays import FloatArray, as_floats, midranks
from metrics.statistics.significance.alternatives import Alternative, check_alternative, complete_pairs

EXACT_UP_TO = 50


@dataclass(frozen=True)
class RankSum:
    """`statistic` is U of x: the number of pairs (x_i, y_j) with x_i > y_j, ties counting one half."""

    statistic: float
    p: float
    n_x: int
    n_y: int


@dataclass(frozen=True)
class SignedRank:
    """`statistic` is the rank sum of the positive differences; `n` the pairs that differ."""

    statistic: float
    p: float
    n: int
    is_exact: bool


def rank_sum(x: ArrayLike, y: ArrayLike, *, alternative: Alternative = "two-sided") -> RankSum:
    """Whether values of x tend to be greater (or less) than values of y: Mann-Whitney's U, Wilcoxon's rank-sum.

    Shape:
        `x`: (n_x,), `y`: (n_y,); not paired.
    Unit and range:
        Any ordered unit; U from 0 to n_x * n_y, p from 0 to 1.
    Missing data:
        NaN values are dropped.
    Degenerate input:
        An empty sample, or all values equal: p is NaN. An unknown alternative raises ValueError.
    Method:
        Asymptotic at every size: z = (U - n_x n_y / 2 -+ 1/2) / s with
        s^2 = n_x n_y / 12 * ((N + 1) - sum(t^3 - t) / (N (N - 1))) over groups of t tied values. Do not use it below
        about ten values a side.
    Source:
        Mann & Whitney 1947, with the corrections for ties and continuity as R's `wilcox.test` makes them beyond 50
        values. WMT takes the one-sided p of the system with the higher mean.

    Example:
        Five of the six pairs (2,1) (2,3) (4,1) (4,3) (5,1) (5,3) are won by x.

        >>> test = rank_sum([2, 4, 5], [1, 3], alternative="greater")
        >>> test.statistic, round(test.p, 4)
        (5.0, 0.1932)
    """
    check_alternative(alternative)
    first, second = as_floats(x), as_floats(y)
    first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    n_x, n_y = first.size, second.size
    if n_x == 0 or n_y == 0:
        return RankSum(float("nan"), float("nan"), n_x, n_y)
    ranks, ties = midranks(np.concatenate([first, second]))
    total = n_x + n_y
    statistic = float(ranks[:n_x].sum()) - n_x * (n_x + 1) / 2
    tied = float((ties**3 - ties).sum()) / (total * (total - 1))
    variance = n_x * n_y / 12 * (total + 1 - tied)
    p = _normal_p(statistic - n_x * n_y / 2, variance, alternative, continuity=0.5)
    return RankSum(statistic, p, n_x, n_y)


def signed_rank(x: ArrayLike, y: ArrayLike, *, alternative: Alternative = "two-sided") -> SignedRank:
    """Whether paired differences x - y lean to one side: Wilcoxon's signed-rank test.

    Shape:
        `x` and `y`: (n_pairs,), paired by position.
    Unit and range:
        Any unit in which differences can be ordered; p from 0 to 1.
    Missing data:
        A pair with a NaN on either side is dropped.
    Degenerate input:
        Pairs without a difference are dropped (Wilcoxon's way); when none is left p is NaN. With fewer than five
        differing pairs a one-sided p cannot reach 0.05, with fewer than six a two-sided one cannot: look at `n`.
    Method:
        W = sum of the ranks of |x - y| over the positive differences, ties sharing their mean rank. Up to 50 pairs
        the exact distribution of W over all sign patterns of these very ranks (ties included); beyond, the normal
        approximation with variance n(n+1)(2n+1)/24 - sum(t^3 - t)/48 and no continuity correction. A two-sided p is
        twice the smaller side, at most 1.
    Source:
        Wilcoxon 1945; Pratt & Gibbons 1981 for the exact distribution given the ties. WMT24 uses the two-sided test
        on shared segments.

    Example:
        All five differences are positive: of 32 sign patterns one is as extreme.

        >>> signed_rank([5, 7, 9, 8, 6], [1, 2, 3, 1, 4], alternative="greater")
        SignedRank(statistic=15.0, p=0.03125, n=5, is_exact=True)
    """
    check_alternative(alternative)
    first, second = complete_pairs(x, y)
    differences = first - second
    differences = differences[differences != 0]
    n = differences.size
    if n == 0:
        return SignedRank(float("nan"), float("nan"), 0, is_exact=True)
    ranks, ties = midranks(np.abs(differences))
    statistic = float(ranks[differences > 0].sum())
    if n <= EXACT_UP_TO:
        return SignedRank(statistic, _exact_p(ranks, statistic, alternative), n, is_exact=True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    p = _normal_p(statistic - n * (n + 1) / 4, variance, alternative, continuity=0.0)
    return SignedRank(statistic, p, n, is_exact=False)


def _normal_p(distance: float, variance: float, alternative: Alternative, *, continuity: float) -> float:
    if variance <= 0:
        return float("nan")
    scale = float(np.sqrt(variance))
    if alternative == "greater":
        return float(ndtr(-(distance - continuity) / scale))
    if alternative == "less":
        return float(ndtr((distance + continuity) / scale))
    return min(1.0, 2 * float(ndtr(-(abs(distance) - continuity) / scale)))


def _exact_p(ranks: FloatArray, statistic: float, alternative: Alternative) -> float:
    """Half ranks are doubled to whole numbers, so that the distribution is a plain convolution."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    for rank in doubled:
        shifted = np.zeros_like(chances)
        shifted[rank:] = chances[: chances.size - rank]
        chances = (chances + shifted) / 2
    at = round(2 * statistic)
    greater, less = float(chances[at:].sum()), float(chances[: at + 1].sum())
    if alternative == "greater":
        return min(1.0, greater)
    if alternative == "less":
        return min(1.0, less)
    return min(1.0, 2 * min(greater, less))
