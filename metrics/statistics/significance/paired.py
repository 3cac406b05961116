"""Student's t on paired differences. Of our own for the same reasons as the rank tests: twelve times the speed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from metrics.statistics.significance.alternatives import Alternative, check_alternative, complete_pairs


@dataclass(frozen=True)
class PairedT:
    """`difference` is the mean of x - y over the `n` complete pairs."""

    statistic: float
    p: float
    difference: float
    n: int


def paired_t(x: ArrayLike, y: ArrayLike, *, alternative: Alternative = "two-sided") -> PairedT:
    """Whether the mean of paired differences x - y is away from zero: the paired t-test.

    Shape:
        `x` and `y`: (n_pairs,), paired by position.
    Unit and range:
        Any interval unit; p from 0 to 1.
    Missing data:
        A pair with a NaN on either side is dropped.
    Degenerate input:
        Fewer than two pairs, or differences that are all equal: statistic and p are NaN (there is no spread to
        measure against; R refuses such data too). An unknown alternative raises ValueError.
    Method:
        t = mean(d) / (sd(d) / sqrt(n)) with ddof = 1 and n - 1 degrees of freedom.
    Source:
        "Student" 1908, "The probable error of a mean", Biometrika 6(1); the crowd pipeline of WMT (Graham et al.
        2017, Natural Language Engineering 23(1)) decides by it which annotators to keep.

    Example:
        Differences 1, 2, 3: mean 2, sd 1, so t = 2 * sqrt(3).

        >>> test = paired_t([2, 4, 6], [1, 2, 3], alternative="greater")
        >>> round(test.statistic, 4), round(test.p, 4), test.n
        (3.4641, 0.0371, 3)
    """
    check_alternative(alternative)
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
    p = float(stdtr(n - 1, sides[alternative]))
    return PairedT(statistic, min(1.0, 2 * p) if alternative == "two-sided" else p, mean, n)
