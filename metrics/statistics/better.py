"""Whether one system is better than another by the rule of WMT 2026: a paired or an unpaired bound above zero."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, paired
from metrics.statistics.bca import bca_low, bca_low_of_difference

FEWEST_SHARED = 2


@dataclass(frozen=True)
class Better:
    """`n` items are shared; a bound that does not exist is NaN."""

    is_better: bool
    n: int
    paired_difference: float
    paired_low: float
    difference: float
    low: float


def better(
    x: ArrayLike, y: ArrayLike, *, level: float = 0.95, resamples: int = 100, rng: np.random.Generator
) -> Better:
    """Whether a system is better than the one ranked below it, as WMT 2026 decides it.

    Shape: `x` and `y`: (n_items,), the score of each system on each item (segment), paired by position.
    Unit and range: Any interval unit.
    Missing data: NaN marks an item that the system was not judged on; it counts in the unpaired difference of the
        other system alone.
    Degenerate input: No value of either: differences and bounds are NaN, not better. A bound that does not exist says
        nothing. Arrays of different lengths raise ValueError.
    Method: Better if the one-sided BCa bound (see `bca_low`) of the paired differences is above 0, which needs two
        shared items and one positive difference at least, or that of the unpaired difference of means. Two chances
        at 5 % without correction: more than 5 % of equal systems are called different.
    Source: The scripts of the organisers of WMT 2026 (100 resamples, no seed).

    Example:
        >>> result = better([90, 80, 85, np.nan], [60, 70, 65, 50], resamples=2000, rng=np.random.default_rng(1))
        >>> result.is_better, result.n, result.paired_difference, result.difference
        (True, 3, 20.0, 23.75)
    """
    first, second = paired(x, y)
    gaps = (first - second)[~np.isnan(first - second)]
    is_testable = gaps.size >= FEWEST_SHARED and bool((gaps > 0).any())
    paired_low = bca_low(gaps, level=level, resamples=resamples, rng=rng) if is_testable else float("nan")
    low = bca_low_of_difference(first, second, level=level, resamples=resamples, rng=rng)
    return Better(
        is_better=paired_low > 0 or low > 0,
        n=gaps.size,
        paired_difference=float(gaps.mean()) if gaps.size else float("nan"),
        paired_low=paired_low,
        difference=_mean(first) - _mean(second),
        low=low,
    )


def _mean(values: FloatArray) -> float:
    present = values[~np.isnan(values)]
    return float(present.mean()) if present.size else float("nan")
