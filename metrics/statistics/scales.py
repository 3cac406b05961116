"""Rating scales as ordinal data: how often each point was chosen, and how often one system is above another."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import IntArray, as_floats, complete_pairs


@dataclass(frozen=True)
class PointDistribution:
    """`counts` of each of `points`; `median` and `quartiles`; `top_share` of the best point. NaN without any value."""

    points: IntArray
    counts: IntArray
    median: float
    quartiles: tuple[float, float]
    top_share: float
    n: int


@dataclass(frozen=True)
class Superiority:
    """`value` over `n` comparisons; NaN, reason `no_overlap`, without any."""

    value: float
    n: int
    reason: str = ""


def point_distribution(values: ArrayLike, *, low: int, high: int, higher_is_better: bool = True) -> PointDistribution:
    """How often was each point of a scale chosen, where is the middle, and what share is the best point?

    Shape: `values`: (n_judgments,).
    Unit and range: Whole points from `low` to `high`.
    Missing data: NaN is dropped.
    Degenerate input: No value: counts of 0, the rest NaN. A value that is not a point of the scale raises ValueError.
    Method: Counts. Median and quartiles are points that were chosen, or lie halfway between two.
    Source: Hyndman & Fan 1996, "Sample quantiles in statistical packages", method 2. That a 4 is as far from a 3 as
        from a 5 is assumed by a mean, and by nothing here: Graham et al. 2013 on why interval scales were brought in.

    Example:
        >>> result = point_distribution([1, 2, 2, 5], low=1, high=5)
        >>> result.counts.tolist(), result.median, result.quartiles, result.top_share
        ([1, 2, 0, 0, 1], 2.0, (1.5, 3.5), 0.25)
    """
    present = as_floats(values)
    present = present[~np.isnan(present)]
    points = np.arange(low, high + 1)
    if not np.isin(present, points).all():
        raise ValueError(f"values must be whole points from {low} to {high}")
    counts = np.bincount((present - low).astype(np.int64), minlength=points.size)
    if not present.size:
        nan = float("nan")
        return PointDistribution(points, counts, nan, (nan, nan), nan, 0)
    quartiles = np.quantile(present, [0.25, 0.5, 0.75], method="averaged_inverted_cdf")
    first, median, last = quartiles.tolist()
    top = float(np.mean(present == (high if higher_is_better else low)))
    return PointDistribution(points, counts, median, (first, last), top, present.size)


def probability_of_superiority(x: ArrayLike, y: ArrayLike) -> Superiority:
    """How probable is it that a judgment of one system is above one of another on the same segment, ties halved?

    Shape: `x` and `y`: (n_segments,), by position.
    Unit and range: Anything that can be ordered, higher is better; 0 to 1, one half where neither is ahead.
    Missing data: NaN is dropped, with its pair.
    Degenerate input: No complete pair: NaN, reason `no_overlap`.
    Method: P(x > y) + P(x = y) / 2 over the segments both have.
    Source: Vargha & Delaney 2000, "A critique and improvement of the CL common language effect size statistics", here
        of pairs: over all pairs of two samples it is Mann-Whitney's U / (n_x n_y).

    Example:
        >>> probability_of_superiority([90, 70, 50, np.nan], [80, 70, 60, 10])
        Superiority(value=0.5, n=3, reason='')
    """
    first, second = complete_pairs(x, y)
    if not first.size:
        return Superiority(float("nan"), 0, "no_overlap")
    return Superiority(float((np.sign(first - second) + 1).mean() / 2), first.size)
