"""Tests whether a difference is real, by formula; and many p-values at once, corrected for their number or combined.

The paired t-test and Wilcoxon's two tests are our own for speed and for ties: they are computed for every two systems,
and scipy.stats takes four to fourteen times as long; its exact signed-rank test knows no ties, of which scores from 0
to 100 are full. The tests compare them with scipy.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats, complete_pairs, midranks

Alternative = Literal["two-sided", "greater", "less"]
EXACT_UP_TO = 50


@dataclass(frozen=True)
class PairedT:
    """`difference` is the mean of x - y over the `n` complete pairs."""

    statistic: float
    p: float
    difference: float
    n: int


def paired_t(x: ArrayLike, y: ArrayLike, *, alternative: Alternative = "two-sided") -> PairedT:
    """Whether the mean of paired differences x - y is away from zero: the paired t-test.

    Shape: `x` and `y`: (n_pairs,), paired by position.
    Unit and range: Any interval unit; p from 0 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: Fewer than two pairs, or differences that are all equal: statistic and p are NaN (there is no
        spread to measure against; R refuses such data too). An unknown alternative raises ValueError.
    Method: t = mean(d) / (sd(d) / sqrt(n)) with ddof = 1 and n - 1 degrees of freedom.
    Source: "Student" 1908, "The probable error of a mean", Biometrika 6(1); the crowd pipeline of WMT (Graham et al.
        2017, Natural Language Engineering 23(1)) decides by it which annotators to keep.

    Example:
        Differences 1, 2, 3: mean 2, sd 1, so t = 2 * sqrt(3).

        >>> test = paired_t([2, 4, 6], [1, 2, 3], alternative="greater")
        >>> round(test.statistic, 4), round(test.p, 4), test.n
        (3.4641, 0.0371, 3)
    """
    _check_alternative(alternative)
    first, second = complete_pairs(x, y)
    differences = first - second
    n = differences.size
    if n == 0:
        return PairedT(float("nan"), float("nan"), float("nan"), 0)
    mean = float(differences.mean())
    if n == 1 or differences.min() == differences.max():
        return PairedT(float("nan"), float("nan"), mean, n)
    statistic = mean / float(differences.std(ddof=1) / np.sqrt(n))
    sides = {"greater": -statistic, "less": statistic, "two-sided": -abs(statistic)}
    p = float(scipy.special.stdtr(n - 1, sides[alternative]))
    return PairedT(statistic, min(1.0, 2 * p) if alternative == "two-sided" else p, mean, n)


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

    Shape: `x`: (n_x,), `y`: (n_y,); not paired.
    Unit and range: Any ordered unit; U from 0 to n_x * n_y, p from 0 to 1.
    Missing data: NaN values are dropped.
    Degenerate input: An empty sample, or all values equal: p is NaN. An unknown alternative raises ValueError.
    Method: Asymptotic at every size: z = (U - n_x n_y / 2 -+ 1/2) / s with s^2 = n_x n_y / 12 * ((N + 1) - sum(t^3 - t)
        / (N (N - 1))) over groups of t tied values. Do not use it below about ten values a side.
    Source: Mann & Whitney 1947, with the corrections for ties and continuity as R's `wilcox.test` makes them beyond 50
        values. WMT takes the one-sided p of the system with the higher mean.

    Example:
        Five of the six pairs (2,1) (2,3) (4,1) (4,3) (5,1) (5,3) are won by x.

        >>> test = rank_sum([2, 4, 5], [1, 3], alternative="greater")
        >>> test.statistic, round(test.p, 4)
        (5.0, 0.1932)
    """
    _check_alternative(alternative)
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

    Shape: `x` and `y`: (n_pairs,), paired by position.
    Unit and range: Any unit in which differences can be ordered; p from 0 to 1.
    Missing data: A pair with a NaN on either side is dropped.
    Degenerate input: Pairs without a difference are dropped (Wilcoxon's way); when none is left p is NaN. With fewer
        than five differing pairs a one-sided p cannot reach 0.05, with fewer than six a two-sided one cannot: look at
        `n`.
    Method: W = sum of the ranks of |x - y| over the positive differences, ties sharing their mean rank. Up to 50 pairs
        the exact distribution of W over all sign patterns of these very ranks (ties included); beyond, the normal
        approximation with variance n(n+1)(2n+1)/24 - sum(t^3 - t)/48 and no continuity correction. A two-sided p is
        twice the smaller side, at most 1.
    Source: Wilcoxon 1945; Pratt & Gibbons 1981 for the exact distribution given the ties. WMT24 uses the two-sided test
        on shared segments.

    Example:
        All five differences are positive: of 32 sign patterns one is as extreme.

        >>> signed_rank([5, 7, 9, 8, 6], [1, 2, 3, 1, 4], alternative="greater")
        SignedRank(statistic=15.0, p=0.03125, n=5, is_exact=True)
    """
    _check_alternative(alternative)
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
        return float(scipy.special.ndtr(-(distance - continuity) / scale))
    if alternative == "less":
        return float(scipy.special.ndtr((distance + continuity) / scale))
    return min(1.0, 2 * float(scipy.special.ndtr(-(abs(distance) - continuity) / scale)))


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


def _check_alternative(alternative: str) -> None:
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"alternative must be two-sided, greater or less, not {alternative!r}")


@dataclass(frozen=True)
class Combined:
    """`statistic` is the combined z; with signs, positive in the direction of the positive ones."""

    statistic: float
    p: float
    n: int


def holm(p: ArrayLike) -> FloatArray:
    """The p-values, raised so that the chance of even one false finding among all tests stays below the level.

    Shape: `p`: (n_tests,); returns the same shape and order.
    Unit and range: 0 to 1, and never below the p put in.
    Missing data: NaN (a pair that could not be tested) stays NaN and does not count as a test.
    Degenerate input: No tests: an empty array. A p outside 0 to 1 raises ValueError.
    Method: In rising order, p_(k) * (m - k + 1), each at least as large as the one before, at most 1.
    Source: Holm 1979, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    values = _probabilities(p)
    corrected = np.full(values.size, np.nan)
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    factors = order.size - np.arange(order.size)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return corrected


def stouffer(p: ArrayLike, *, signs: ArrayLike | None = None) -> Combined:
    """One p from the p-values of independent parts (domains), by adding their z.

    Shape: `p`: (n_parts,); `signs`: (n_parts,), +1 or -1, which way each part's difference points.
    Unit and range: 0 to 1.
    Missing data: A part whose p is NaN is left out.
    Degenerate input: No part left: NaN. A p of 0 or 1 gives an infinite z and is allowed; opposite infinities give NaN.
        A p outside 0 to 1 raises ValueError.
    Method: Without signs: z_i = F(1 - p_i), z = sum(z_i) / sqrt(k), p = 1 - F'(z), F' being the normal distribution and
        F its inverse: right for one-sided p that look the same way. WMT24 fed it two-sided p, so that opposite effects
        add up; the recipe `wmt24` does as they did and says so. With signs the p are taken as two-sided: z_i = sign_i *
        F(1 - p_i / 2), combined, and two-sided again.
    Source: Stouffer et al. 1949, "The American soldier", volume 1, footnote 14.

    Example:
        Two parts that say the opposite, equally loudly: nothing is left, unless the signs are thrown away.

        >>> round(stouffer([0.02, 0.02], signs=[1, -1]).p, 6), round(stouffer([0.02, 0.02]).p, 6)
        (1.0, 0.00184)
    """
    values = _probabilities(p)
    present = ~np.isnan(values)
    n = int(np.count_nonzero(present))
    if n == 0:
        return Combined(float("nan"), float("nan"), 0)
    if signs is None:
        z = -scipy.special.ndtri(values[present])
    else:
        z = -scipy.special.ndtri(values[present] / 2) * np.sign(as_floats(signs)[present])
    infinite = z[np.isinf(z)]
    if infinite.size and not (infinite == infinite[0]).all():
        return Combined(float("nan"), float("nan"), n)
    statistic = float(z.sum() / np.sqrt(n))
    tail = float(scipy.special.ndtr(-statistic if signs is None else -abs(statistic)))
    return Combined(statistic, tail if signs is None else min(1.0, 2 * tail), n)


def _probabilities(p: ArrayLike) -> FloatArray:
    values = as_floats(p)
    if ((values < 0) | (values > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    return values
