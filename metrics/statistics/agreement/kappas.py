"""Kappas: Cohen's of two annotators; Fleiss' and Gwet's AC1 of many, from counts of categories per item."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.agreement.outcome import (
    Agreement,
    beyond_chance,
    interval_beyond_chance,
    need_rng,
    nothing_to_compare,
)
from metrics.statistics.arrays import FloatArray, IntArray, as_floats, ratios
from metrics.statistics.resampling import NO_INTERVAL, times_drawn_of


def kappas_of_codes(a: IntArray, b: IntArray, n_categories: int) -> tuple[float, float, float]:
    """How far two annotators agree beyond what their own habits would give by chance: plain, linear and quadratic.

    Shape: `a` and `b`: (n_items,) codes of the full scale, whole numbers from 0 below `n_categories`.
    Unit and range: 1 at most, 0 for chance, negative for less.
    Missing data: There must be none.
    Degenerate input: NaN without an item, and where both use one and the same category only.
    Method: Cohen's kappa, (P_o - P_e) / (1 - P_e), P_e from either annotator's own shares of the categories. Weights of
        a pair i, j of k categories: 1 - |i - j| / (k - 1), or 1 - (i - j)^2 / (k - 1)^2. The scale has to be the full
        one: a category in between that was never used changes weighted values.
    Source: Cohen 1960; Cohen 1968 for weights.

    Example:
        >>> [round(kappa, 4) for kappa in kappas_of_codes(np.array([0, 1, 2, 4]), np.array([0, 2, 2, 3]), 5)]
        [0.3846, 0.6667, 0.8519]
    """
    cells = np.bincount(a * n_categories + b, minlength=n_categories**2)
    shares = cells.reshape(n_categories, n_categories) / max(1, a.size)
    by_chance = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    places = np.arange(n_categories, dtype=np.float64)
    apart = np.abs(places[:, None] - places[None, :]) / max(1, n_categories - 1)
    plain, linear, quadratic = (
        beyond_chance(float((shares * credit).sum()), float((by_chance * credit).sum()), a.size).value
        for credit in (np.eye(n_categories), 1 - apart, 1 - apart**2)
    )
    return plain, linear, quadratic


def fleiss_kappa(
    counts: ArrayLike, *, resamples: int = 0, confidence: float = 0.95, rng: np.random.Generator | None = None
) -> Agreement:
    """How far annotators agree beyond chance, each item rated by the same number of them (any of them).

    Shape: `counts`: (n_items, n_categories), how many put the item into the category.
    Unit and range: Whole numbers; kappa is 1 at most, 0 for chance, negative for less.
    Missing data: There is none: a row tells all. Rows without any rating are dropped.
    Degenerate input: No item with two ratings: NaN, reason `no_overlap`. One category only: NaN, reason `no_variation`.
        Rows with unequal sums raise ValueError: use `krippendorff_alphas` there.
    Method: P_o = mean over items of sum(c (c - 1)) / (m (m - 1)); P_e = sum of squares of the pooled shares. Interval:
        items drawn with replacement, percentiles.
    Source: Fleiss 1971. Krippendorff's nominal alpha of the same data is a little higher, by its small-sample term.

    Example:
        >>> round(fleiss_kappa([[3, 0], [2, 1], [0, 3], [0, 3]]).value, 4)
        0.6571
    """
    table = _counts(counts)
    sizes = table.sum(axis=1)
    if sizes.size and sizes.min() != sizes.max():
        raise ValueError("items have different numbers of ratings: use krippendorff_alphas")
    if not sizes.size or sizes[0] < 2:
        return nothing_to_compare()
    return _of_items(_fleiss_parts, table, sizes.size, resamples, confidence, rng)


def gwet_ac1(
    counts: ArrayLike, *, resamples: int = 0, confidence: float = 0.95, rng: np.random.Generator | None = None
) -> Agreement:
    """How far annotators agree beyond chance where nearly everything falls into one category.

    Shape: `counts`: (n_items, n_categories); rows may have different sums. The columns are the full scale.
    Unit and range: Whole numbers; AC1 is 1 at most and stays high where Fleiss' kappa falls for lack of variation.
    Missing data: Items with one rating count towards the shares of the categories, not towards agreement.
    Degenerate input: No item with two ratings: NaN, reason `no_overlap`. A scale of one category: NaN, reason
        `no_variation`.
    Method: P_o = mean over items of sum(c (c - 1)) / (m (m - 1)); P_e = sum(s (1 - s)) / (q - 1) with s the mean over
        items of c / m and q the number of categories. Interval: items drawn with replacement, percentiles.
    Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement".

    Example:
        >>> round(gwet_ac1([[3, 0], [3, 0], [3, 0], [2, 1]]).value, 4)
        0.8033
    """
    table = _counts(counts)
    sizes = table.sum(axis=1)
    if not (sizes > 1).any():
        return nothing_to_compare()
    if table.shape[1] < 2:
        return Agreement(float("nan"), 1.0, 1.0, int((sizes > 1).sum()), reason="no_variation")
    return _of_items(_gwet_parts, table, int((sizes > 1).sum()), resamples, confidence, rng)


def _counts(counts: ArrayLike) -> FloatArray:
    table = as_floats(counts, dimensions=2)
    rated: FloatArray = table[table.sum(axis=1) > 0]
    return rated


# From how often each item was drawn (resamples, n_items): observed and expected agreement of each resample.
_Parts = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def _of_items(
    parts: _Parts, table: FloatArray, n: int, resamples: int, confidence: float, rng: np.random.Generator | None
) -> Agreement:
    observed, expected = parts(np.ones((1, len(table))), table)
    interval = NO_INTERVAL
    if resamples and len(table) > 1:
        kinds, alike = np.unique(table, axis=0, return_counts=True)
        drawn = times_drawn_of(alike, resamples, need_rng(resamples, rng))
        interval = interval_beyond_chance((parts(times, kinds) for times in drawn), confidence)
    return beyond_chance(float(observed[0]), float(expected[0]), n, interval)


def _agreed(table: FloatArray) -> FloatArray:
    sizes = table.sum(axis=1)
    return np.nan_to_num(ratios((table * (table - 1)).sum(axis=1), sizes * (sizes - 1)))


def _fleiss_parts(times: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    totals = times @ table
    shares = totals / totals.sum(axis=1, keepdims=True)
    return (times @ _agreed(table)) / times.sum(axis=1), (shares**2).sum(axis=1)


def _gwet_parts(times: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    sizes = table.sum(axis=1)
    observed = ratios(times @ _agreed(table), times @ (sizes > 1))
    pooled = (times @ (table / sizes[:, None])) / times.sum(axis=1, keepdims=True)
    return observed, (pooled * (1 - pooled)).sum(axis=1) / (table.shape[1] - 1)
