"""How far a mean could have been elsewhere: the percentile bootstrap over whole documents."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats
from metrics.statistics.resampling import (
    FEWEST_RESAMPLES,
    Interval,
    check_level,
    no_interval,
    percentile_interval,
    times_drawn,
)


def bootstrap_interval(
    values: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    resamples: int = 1_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Interval:
    """The interval in which the mean of the values would lie, had other documents of the same kind been chosen.

    Shape:
        `values`: (n_values,), one a segment; `groups`: (n_values,) labels of what is drawn together (the document);
        without them each value is drawn on its own. `strata`: (n_values,) labels of parts whose means are averaged
        (the domain); each is drawn apart.
    Unit and range:
        The unit of the values. `level` between 0 and 1.
    Missing data:
        NaN values are dropped before anything is drawn.
    Degenerate input:
        Fewer than two groups in a stratum: both ends are NaN (`one_document`), for one document says nothing about the
        next; so they are of fewer than 100 resamples (`few_resamples`). All values equal: both ends are that value. A
        level outside (0, 1) or less than one resample raises ValueError.
    Method:
        Draw as many groups as there are, with replacement; the mean of all values in them, `resamples` times; the
        (1 - level) / 2 quantile at each end, interpolated linearly. Use a thousand resamples or more, and do not read
        much into an interval from fewer than about ten documents: it comes out too narrow.
    Source:
        Efron & Tibshirani 1993, "An introduction to the bootstrap", chapter 13 (percentile) and chapter 8 (drawing
        whole clusters).

    Example:
        >>> bootstrap_interval([5.0, 5.0, 5.0], rng=np.random.default_rng(1))
        Interval(low=5.0, high=5.0)
        >>> bootstrap_interval([1.0, 9.0], groups=["a", "a"], rng=np.random.default_rng(1))
        Interval(low=nan, high=nan)
    """
    check_level(level)
    means = bootstrap_means(values, groups=groups, strata=strata, resamples=resamples, rng=rng)
    if np.isnan(means).any() and resamples >= FEWEST_RESAMPLES:
        return no_interval("one_document")
    return percentile_interval(means, level)


def bootstrap_means(
    values: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    resamples: int = 1_000,
    rng: np.random.Generator,
) -> FloatArray:
    """The resampled means from which `bootstrap_interval` takes its quantiles.

    Shape:
        As `bootstrap_interval`; returns (resamples,).
    Unit and range:
        The unit of the values.
    Missing data:
        NaN values are dropped before anything is drawn.
    Degenerate input:
        No values, or fewer than two groups in a stratum: all NaN. Less than one resample raises ValueError.
    Method:
        Sums and counts per group are taken once; a resample is two dot products with the numbers of times each group
        was drawn.
    Source:
        As `bootstrap_interval`.

    Example:
        Two values: each resampled mean is 1, 5 or 9.

        >>> sorted(set(bootstrap_means([1.0, 9.0], resamples=50, rng=np.random.default_rng(1)).tolist()))
        [1.0, 5.0, 9.0]
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    array = as_floats(values)
    present = ~np.isnan(array)
    n = array.size
    _, group_codes = as_codes(np.arange(n) if groups is None else groups, n)
    _, stratum_codes = as_codes(np.zeros(n, dtype=np.int64) if strata is None else strata, n)
    array, group_codes, stratum_codes = array[present], group_codes[present], stratum_codes[present]
    parts = np.unique(stratum_codes)
    if parts.size == 0:
        return np.full(resamples, np.nan)
    total = np.zeros(resamples)
    for part in parts:
        inside = stratum_codes == part
        total += _means_of_draws(array[inside], group_codes[inside], resamples, rng)
    return total / parts.size


def _means_of_draws(values: FloatArray, groups: IntArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    _, codes, counts = np.unique(groups, return_inverse=True, return_counts=True)
    n_groups = counts.size
    if n_groups < 2:
        return np.full(resamples, np.nan)
    centre = float(values.mean())  # sums of deviations lose less to rounding than sums of values
    sums = np.bincount(codes, weights=values - centre, minlength=n_groups)
    return centre + np.concatenate(
        [(times @ sums) / (times @ counts) for times in times_drawn(n_groups, resamples, rng)]
    )
