"""Ratings in ordered bands: how likely each is, by its place on the scale behind them, and the slopes of that.

A rating is in band k if a logistic error lifts its place beyond threshold k - 1 and not beyond k. Of the log-chance
the parts that depend on the place are log F(upper - place) + log F(place - lower); the rest is of the gap between the
thresholds alone, which makes every derivative short.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Chances:
    """Of every rating (n,): log-chance, its slope by the place, its curvature turned to be positive (`weight`).

    `by_upper` and `by_lower` are the slopes of `slope` by the thresholds above and below; `bends_up` and `bends_down`
    those of `weight`.
    """

    log_p: FloatArray
    slope: FloatArray
    above: FloatArray
    below: FloatArray
    by_upper: FloatArray
    by_lower: FloatArray
    bends_up: FloatArray
    bends_down: FloatArray

    @property
    def weight(self) -> FloatArray:
        return self.by_upper + self.by_lower

    @property
    def weight_slope(self) -> FloatArray:
        return -(self.bends_up + self.bends_down)


class Bands:
    """The band (from 0) of every rating; bands are the distinct values, in order."""

    def __init__(self, values: ArrayLike) -> None:
        distinct, codes = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True)
        self.points: FloatArray = distinct
        self.codes: IntArray = codes.astype(np.int64)
        self.counts: FloatArray = np.bincount(codes, minlength=distinct.size).astype(np.float64)

    @property
    def n_thresholds(self) -> int:
        return int(self.points.size) - 1

    def first_thresholds(self) -> FloatArray:
        """Those of ratings that are all in one place."""
        shares: FloatArray = np.cumsum(self.counts)[:-1] / self.counts.sum()
        return scipy.special.logit(shares)  # type: ignore[no-any-return]

    def chances(self, thresholds: FloatArray, place: FloatArray) -> Chances:
        edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
        upper, lower = edges[self.codes + 1] - place, edges[self.codes] - place
        gaps = np.log(-np.expm1(-np.diff(edges)))
        above, below = scipy.special.expit(-upper), scipy.special.expit(lower)
        by_upper, by_lower = above * (1 - above), below * (1 - below)
        return Chances(
            log_p=scipy.special.log_expit(upper) + scipy.special.log_expit(-lower) + gaps[self.codes],
            slope=below - above,
            above=above,
            below=below,
            by_upper=by_upper,
            by_lower=by_lower,
            bends_up=by_upper * (2 * above - 1),
            bends_down=by_lower * (1 - 2 * below),
        )

    def by_threshold(self, upper: FloatArray, lower: FloatArray) -> FloatArray:
        """Sums for each threshold: of `upper` over the ratings below it, of `lower` over those above it."""
        n = self.points.size
        sums: FloatArray = np.bincount(self.codes, upper, minlength=n)[:-1].astype(np.float64)
        return sums + np.bincount(self.codes, lower, minlength=n)[1:]

    def slope_of_thresholds(self, thresholds: FloatArray, chances: Chances) -> FloatArray:
        """How the sum of log-chances changes with each threshold."""
        gaps = np.zeros(self.points.size)
        closed = np.exp(-np.diff(thresholds))
        gaps[1:-1] = self.counts[1:-1] * closed / (1 - closed)
        return self.by_threshold(chances.above, -chances.below) + gaps[:-1] - gaps[1:]

    def curvature_of_thresholds(self, thresholds: FloatArray, chances: Chances) -> FloatArray:
        """The second derivatives by thresholds, turned to be positive."""
        n = thresholds.size
        closed = np.exp(-np.diff(thresholds))
        tight = self.counts[1:-1] * closed / (1 - closed) ** 2
        curve = np.diag(self.by_threshold(chances.by_upper, chances.by_lower))
        at = np.arange(n - 1)
        curve[at, at] += tight
        curve[at + 1, at + 1] += tight
        curve[at, at + 1] -= tight
        curve[at + 1, at] -= tight
        return curve
