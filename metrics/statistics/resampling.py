"""Drawing with replacement: how often each unit was drawn, a few resamples at a time, and the interval that follows."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from metrics.statistics.arrays import FloatArray, IntArray

_LONG_ROW = 500
FEWEST_RESAMPLES = 100  # of fewer the ends of an interval are hardly more than two draws: none is shown
# Draws in which a statistic does not exist are ignored; if most are, there is no interval.
_LEAST_DEFINED = 0.5


@dataclass(frozen=True)
class Interval:
    """Both ends are NaN where there is no interval; `reason` then says why, in a word of docs/statistics.md."""

    low: float
    high: float
    reason: str = field(default="", repr=False)


def no_interval(reason: str) -> Interval:
    return Interval(float("nan"), float("nan"), reason)


FEW_RESAMPLES = "few_resamples"
NO_INTERVAL = no_interval("too_few_items")


def times_drawn(n_units: int, resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Matrices (rows, n_units) of how often each unit was drawn, `resamples` rows in all; none without units."""
    for rows in rows_at_once(resamples, n_units):
        if n_units == 0:
            return
        drawn = rng.integers(0, n_units, size=(rows, n_units), dtype=np.int32)  # twice as fast as 64 bits
        yield counted_draws(drawn, n_units)


def times_drawn_of(sizes: IntArray, resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """As `times_drawn`, of units that fall into classes of `sizes` within which one is as good as another.

    (rows, n_classes): how often units of each class were drawn, sum(sizes) in each row. Many units of few kinds, as
    items with so many ratings of each category, cost what their kinds cost.
    """
    n_units = int(sizes.sum())
    for rows in rows_at_once(resamples, sizes.size):
        if n_units == 0:
            return
        yield rng.multinomial(n_units, sizes / n_units, size=rows).astype(np.float64)


def rows_at_once(resamples: int, row_length: int, *, cells: int = 2_000_000) -> Iterator[int]:
    """So many resamples at a time that a matrix of them has no more than `cells`."""
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    step = max(1, cells // max(1, row_length))
    for start in range(0, resamples, step):
        yield min(step, resamples - start)


def counted_draws(drawn: NDArray[np.signedinteger], n_units: int) -> FloatArray:
    """How often each unit is in each row of `drawn`, which may be overwritten.

    Long rows one by one, so that what is counted stays in the processor's cache; short ones all at once.
    """
    rows = len(drawn)
    if n_units >= _LONG_ROW:
        counts = np.empty((rows, n_units))
        for row, of_row in zip(counts, drawn, strict=True):
            row[:] = np.bincount(of_row, minlength=n_units)
        return counts
    drawn += np.arange(rows, dtype=drawn.dtype)[:, None] * n_units
    return np.bincount(drawn.ravel(), minlength=rows * n_units).reshape(rows, n_units).astype(np.float64)


def percentile_interval(values: FloatArray, level: float) -> Interval:
    """The middle `level` of the resampled values that exist.

    None of fewer than FEWEST_RESAMPLES (`few_resamples`), nor where most of them do not exist (`too_few_draws`).
    """
    check_level(level)
    if values.size < FEWEST_RESAMPLES:
        return no_interval(FEW_RESAMPLES)
    defined = values[~np.isnan(values)]
    if defined.size < _LEAST_DEFINED * values.size or not defined.size:
        return no_interval("too_few_draws")
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high))


def check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not at {level}")
