"""Many annotators, counts of categories per item: Fleiss' kappa, Gwet's AC1, and plain agreement."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.agreement.outcome import Agreement, beyond_chance, need_rng, nothing_to_compare
from metrics.statistics.arrays import FloatArray, as_floats, group_sums
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval, times_drawn, times_drawn_of


def fleiss_kappa(
    counts: ArrayLike, *, resamples: int = 0, confidence: float = 0.95, rng: np.random.Generator | None = None
) -> Agreement:
    """How far annotators agree beyond chance, each item rated by the same number of them (any of them).

    Shape:
        `counts`: (n_items, n_categories), how many put the item into the category.
    Unit and range:
        Whole numbers; kappa is 1 at most, 0 for chance, negative for less.
    Missing data:
        There is none: a row tells all. Rows without any rating are dropped.
    Degenerate input:
        No item with two ratings: NaN, reason `no_overlap`. One category only: NaN, reason `no_variation`. Rows with
        unequal sums raise ValueError: use `krippendorff_alpha` there.
    Method:
        P_o = mean over items of sum(c (c - 1)) / (m (m - 1)); P_e = sum of squares of the pooled shares. Interval:
        items drawn with replacement, percentiles.
    Source:
        Fleiss 1971. Krippendorff's nominal alpha of the same data is a little higher, by its small-sample term.

    Example:
        >>> round(fleiss_kappa([[3, 0], [2, 1], [0, 3], [0, 3]]).value, 4)
        0.6571
    """
    table = _counts(counts)
    sizes = table.sum(axis=1)
    if sizes.size and sizes.min() != sizes.max():
        raise ValueError("items have different numbers of ratings: use krippendorff_alpha")
    if not sizes.size or sizes[0] < 2:
        return nothing_to_compare()
    agreed = _agreed(table)
    observed, expected = _fleiss_parts(np.ones((1, sizes.size)), agreed, table)
    interval = NO_INTERVAL
    if resamples and sizes.size > 1:
        kinds, alike = np.unique(table, axis=0, return_counts=True)
        of_kinds = _agreed(kinds)
        draws = [
            _beyond(*_fleiss_parts(times, of_kinds, kinds))
            for times in times_drawn_of(alike, resamples, need_rng(resamples, rng))
        ]
        interval = percentile_interval(np.concatenate(draws), confidence)
    return beyond_chance(float(observed[0]), float(expected[0]), sizes.size, interval)


def gwet_ac1(
    counts: ArrayLike, *, resamples: int = 0, confidence: float = 0.95, rng: np.random.Generator | None = None
) -> Agreement:
    """How far annotators agree beyond chance where nearly everything falls into one category.

    Shape:
        `counts`: (n_items, n_categories); rows may have different sums. The columns are the full scale.
    Unit and range:
        Whole numbers; AC1 is 1 at most and stays high where Fleiss' kappa falls for lack of variation.
    Missing data:
        Items with one rating count towards the shares of the categories, not towards agreement.
    Degenerate input:
        No item with two ratings: NaN, reason `no_overlap`. A scale of one category: NaN, reason `no_variation`.
    Method:
        P_o = mean over items of sum(c (c - 1)) / (m (m - 1)); P_e = sum(s (1 - s)) / (q - 1) with s the mean over
        items of c / m and q the number of categories. Interval: items drawn with replacement, percentiles.
    Source:
        Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement".

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
    observed, expected = _gwet_parts(np.ones((1, sizes.size)), table)
    interval = NO_INTERVAL
    if resamples and sizes.size > 1:
        kinds, alike = np.unique(table, axis=0, return_counts=True)
        draws = [
            _beyond(*_gwet_parts(times, kinds)) for times in times_drawn_of(alike, resamples, need_rng(resamples, rng))
        ]
        interval = percentile_interval(np.concatenate(draws), confidence)
    return beyond_chance(float(observed[0]), float(expected[0]), int((sizes > 1).sum()), interval)


def percent_agreement(
    ratings: ArrayLike, *, resamples: int = 0, confidence: float = 0.95, rng: np.random.Generator | None = None
) -> Agreement:
    """How often two annotators of the same item said the same.

    Shape:
        `ratings`: (n_annotators, n_items), NaN = not rated.
    Unit and range:
        Categories as numbers; a share from 0 to 1. `expected` is 0: nothing is taken off for chance.
    Missing data:
        Items with fewer than two ratings are left out.
    Degenerate input:
        Nothing rated twice: NaN, reason `no_overlap`.
    Method:
        Identical pairs over all pairs of ratings of an item, pooled over items. Interval: items drawn with
        replacement, percentiles.
    Source:
        Any textbook; it is here to stand beside kappa, not instead of it.

    Example:
        >>> round(percent_agreement([[1, 2, 3, 1], [1, 2, 2, np.nan], [1, 3, 2, np.nan]]).value, 4)
        0.5556
    """
    matrix = as_floats(ratings, dimensions=2)
    _, items = np.nonzero(~np.isnan(matrix))
    values = matrix[~np.isnan(matrix)]
    sizes = np.bincount(items, minlength=matrix.shape[1]).astype(np.float64)
    _, codes = np.unique(values, return_inverse=True)
    _, first, together = np.unique(items * (codes.max(initial=0) + 1) + codes, return_index=True, return_counts=True)
    alike = group_sums(together * (together - 1.0), items[first], sizes.size)
    paired = sizes > 1
    alike, pairs = alike[paired], (sizes * (sizes - 1))[paired]
    if not pairs.size:
        return nothing_to_compare()
    interval = _ratio_interval(alike, pairs, resamples, confidence, rng)
    share = float(alike.sum() / pairs.sum())
    return Agreement(share, share, 0.0, pairs.size, interval)


def _ratio_interval(
    parts: FloatArray, wholes: FloatArray, resamples: int, confidence: float, rng: np.random.Generator | None
) -> Interval:
    if not resamples or parts.size < 2:
        return NO_INTERVAL
    generator = need_rng(resamples, rng)
    draws = [(times @ parts) / (times @ wholes) for times in times_drawn(parts.size, resamples, generator)]
    return percentile_interval(np.concatenate(draws), confidence)


def _counts(counts: ArrayLike) -> FloatArray:
    table = as_floats(counts, dimensions=2)
    rated: FloatArray = table[table.sum(axis=1) > 0]
    return rated


def _agreed(table: FloatArray) -> FloatArray:
    sizes = table.sum(axis=1)
    pairs = sizes * (sizes - 1)
    agreed: FloatArray = np.divide((table * (table - 1)).sum(axis=1), pairs, out=np.zeros_like(pairs), where=pairs > 0)
    return agreed


def _fleiss_parts(times: FloatArray, agreed: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    totals = times @ table
    shares = totals / totals.sum(axis=1, keepdims=True)
    return (times @ agreed) / times.sum(axis=1), (shares**2).sum(axis=1)


def _gwet_parts(times: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    sizes = table.sum(axis=1)
    drawn = times @ (sizes > 1)
    agreed = times @ np.where(sizes > 1, _agreed(table), 0.0)
    observed = np.divide(agreed, drawn, out=np.full_like(drawn, np.nan), where=drawn > 0)
    pooled = (times @ (table / sizes[:, None])) / times.sum(axis=1, keepdims=True)
    return observed, (pooled * (1 - pooled)).sum(axis=1) / (table.shape[1] - 1)


def _beyond(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return np.divide(observed - expected, 1 - expected, out=np.full_like(observed, np.nan), where=expected < 1)
