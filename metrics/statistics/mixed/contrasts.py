"""Differences between the means of a model, each with its error, its interval and its test."""

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_floats


@dataclass(frozen=True)
class Contrasts:
    """Every pair of means, `first` before `second`; NaN where two means cannot be compared.

    `low` and `high` are the ends of the interval of the `difference`, `p` is two-sided and not corrected.
    """

    first: IntArray
    second: IntArray
    difference: FloatArray
    se: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.first.tolist(), self.second.tolist(), strict=True))


def contrasts(
    means: ArrayLike,
    covariance: ArrayLike,
    *,
    df: float = math.inf,
    components: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Contrasts:
    """How far apart two means of a model are, and whether more than chance would put them.

    Shape: `means` (n,), `covariance` (n, n), `components` (n,): only means of one component are compared.
    Unit and range: Differences, errors and intervals in the unit of the means; p from 0 to 1.
    Missing data: A mean that is NaN has no differences.
    Degenerate input: Fewer than two means give no pairs, `df` below 1 no interval and no p. No error (two means that
        are one) gives p 1 where they are equal and 0 where they are not. Other shapes raise ValueError.
    Method: difference / se against Student's t with `df` degrees of freedom (infinite: normal), se² = v_ii + v_jj -
        2 v_ij. For a mixed model `df` is one less than its independent texts.
    Source: "Student" 1908 for t; Searle, Casella & McCulloch 1992, "Variance components", section 7.6 for the errors.

    Example:
        Two means that vary together are better told apart than each is known.

        >>> tested = contrasts([71, 70], [[1, 0.9], [0.9, 1]], df=59)
        >>> tested.se.round(3).tolist(), tested.p.round(3).tolist()
        ([0.447], [0.029])
    """
    values, matrix = as_floats(means), as_floats(covariance, dimensions=2)
    n = values.size
    groups = np.zeros(n) if components is None else np.asarray(components)
    if matrix.shape != (n, n) or groups.shape != (n,):
        raise ValueError(f"{n} means need a covariance of {n} by {n} and {n} components")
    first, second = (side.astype(np.int64, copy=False) for side in np.triu_indices(n, k=1))
    difference = np.where(groups[first] == groups[second], values[first] - values[second], np.nan)
    spread = np.diagonal(matrix)
    se = np.sqrt(np.maximum(spread[first] + spread[second] - 2 * matrix[first, second], 0.0))
    se[np.isnan(difference)] = np.nan
    away = np.abs(difference)
    t = np.divide(away, se, out=np.where(away > 0, np.inf, np.where(away == 0, 0.0, np.nan)), where=se > 0)
    reach = critical_t(df, confidence) * se
    p = 2 * scipy.stats.t.sf(t, df if df >= 1 else np.nan)
    return Contrasts(first, second, difference, se, difference - reach, difference + reach, p)


def critical_t(df: float, confidence: float) -> float:
    """How many errors an interval of this confidence reaches to either side; NaN below one degree of freedom."""
    return float(scipy.stats.t.ppf((1 + confidence) / 2, df if df >= 1 else np.nan))
