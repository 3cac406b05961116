"""The bootstrap over whole documents: how far a mean or a share could have been elsewhere, and two systems at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, by_group, group_sums, paired, ratios
from metrics.statistics.resampling import (
    FEW_RESAMPLES,
    FEWEST_RESAMPLES,
    Interval,
    check_level,
    no_interval,
    percentile_interval,
    times_drawn,
)


@dataclass(frozen=True)
class PairedBootstrap:
    """`difference` is mean(x - y) over `n` segments; `share` of the draws have x ahead. NaN has a `reason`."""

    difference: float
    share: float
    n: int
    reason: str = ""


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

    Shape: `values`: (n_values,), one a segment; `groups`: (n_values,) labels of what is drawn together (the document);
        without them each value is drawn on its own. `strata`: (n_values,) labels of parts whose means are averaged (the
        domain); each is drawn apart.
    Unit and range: The unit of the values. `level` between 0 and 1.
    Missing data: NaN values are dropped before anything is drawn.
    Degenerate input: Fewer than two groups in a stratum: both ends are NaN (`one_document`), for one document says
        nothing about the next; so they are of fewer than 100 resamples (`few_resamples`). All values equal: both ends
        are that value. A level outside (0, 1) or less than one resample raises ValueError.
    Method: Draw as many groups as there are, with replacement; the mean of all values in them, `resamples` times; the
        (1 - level) / 2 quantile at each end, interpolated linearly. Use a thousand resamples or more, and do not read
        much into an interval from fewer than about ten documents: it comes out too narrow.
    Source: Efron & Tibshirani 1993, "An introduction to the bootstrap", chapter 13 (percentile) and chapter 8 (drawing
        whole clusters).

    Example:
        >>> bootstrap_interval([5.0, 5.0, 5.0], rng=np.random.default_rng(1))
        Interval(low=5.0, high=5.0)
        >>> bootstrap_interval([1.0, 9.0], groups=["a", "a"], rng=np.random.default_rng(1))
        Interval(low=nan, high=nan)
    """
    check_level(level)
    means = _resampled_means(values, groups=groups, strata=strata, resamples=resamples, rng=rng)
    if np.isnan(means).any() and resamples >= FEWEST_RESAMPLES:
        return no_interval("one_document")
    return percentile_interval(means, level)


def _resampled_means(
    values: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    resamples: int = 1_000,
    rng: np.random.Generator,
) -> FloatArray:
    """(resamples,), all NaN where a stratum has fewer than two groups.

    Sums and counts per group are taken once; a resample is two dot products with how often each group was drawn.
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    array = as_floats(values)
    _, stratum = as_codes(np.zeros(array.size) if strata is None else strata, array.size)
    present, group, _n_groups = by_group(array, groups)
    stratum = stratum[~np.isnan(array)]
    parts = [stratum == part for part in np.unique(stratum)]
    if not parts:
        return np.full(resamples, np.nan)
    means: FloatArray = np.mean([_means_of_draws(present[part], group[part], resamples, rng) for part in parts], axis=0)
    return means


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


def paired_bootstrap(
    x: ArrayLike,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    resamples: int = 1_000,
    rng: np.random.Generator,
) -> PairedBootstrap:
    """In what share of test sets like this one would the first system come out ahead?

    Shape: `x` and `y`: (n_segments,), paired by position; `groups`: (n_segments,) labels of what is drawn together (the
        document); without them each segment is drawn on its own.
    Unit and range: Any interval unit, higher is better; shares from 0 to 1. One above 0.95 is evidence for x at the 5 %
        level, one-sided.
    Missing data: A segment with a NaN on either side is dropped.
    Degenerate input: No segment: NaN, reason `no_overlap`. One group: NaN, reason `one_group`, for one document says
        nothing of the next. Equal systems: the share is 0, for none is ahead. Less than one resample raises
        ValueError.
    Method: Groups are drawn with replacement, as many as there are, the same ones for both systems; a draw's difference
        is that of the means of all its segments. `share`: draws in which it is above 0.
    Source: Koehn 2004, "Statistical significance tests for machine translation evaluation".

    Example:
        Of five segments x is ahead on four, by more than it is behind on one.

        >>> test = paired_bootstrap([3, 4, 5, 6, 0], [1, 1, 3, 4, 1], rng=np.random.default_rng(1))
        >>> round(test.difference, 4), test.share > 0.95
        (1.6, True)
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    nan = float("nan")
    first, second = paired(x, y)
    differences, codes, n_groups = by_group(first - second, groups)
    if not differences.size:
        return PairedBootstrap(nan, nan, 0, "no_overlap")
    observed = float(differences.mean())
    if n_groups < 2:
        return PairedBootstrap(observed, nan, differences.size, "one_group")
    sums, sizes = group_sums(differences, codes, n_groups), np.bincount(codes).astype(np.float64)
    drawn = np.concatenate([(times @ sums) / (times @ sizes) for times in times_drawn(n_groups, resamples, rng)])
    rounding = 1e-12 * float(np.abs(differences).mean())
    return PairedBootstrap(observed, float(np.mean(drawn > rounding)), differences.size)


@dataclass(frozen=True)
class Understood:
    """`correct` of all `questions`; without questions `share` is NaN and `reason` is `nothing_asked`."""

    correct: float
    questions: float
    share: float
    interval: Interval
    reason: str = ""


def share_correct(
    correct: ArrayLike,
    questions: ArrayLike,
    documents: ArrayLike,
    *,
    resamples: int = 1_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Understood:
    """What share of the questions was answered correctly, and where it could lie with other documents.

    Shape: All (n_readings,), one entry for each reading of a text; `documents` are labels.
    Unit and range: Numbers of questions; the share from 0 to 1.
    Missing data: A reading with a NaN on either side is left out.
    Degenerate input: No question: NaN (`nothing_asked`). One document: the interval is NaN (`one_document`).
    Method: Correct answers divided by questions, both summed over readings, so that a text with more questions weighs
        more; whole documents are drawn with replacement, percentiles.
    Source: Scarton & Specia 2016, "A reading comprehension corpus for machine translation evaluation"; Efron &
        Tibshirani 1993, chapter 8, for drawing whole clusters.

    Example:
        >>> result = share_correct([2, 1, 3], [3, 3, 4], ["a", "a", "b"], rng=np.random.default_rng(1))
        >>> result.correct, result.questions, result.share
        (6.0, 10.0, 0.6)
        >>> result.interval
        Interval(low=0.5, high=0.75)
    """
    right, counts = paired(correct, questions)
    _, codes = as_codes(documents, right.size)
    present = ~(np.isnan(right) | np.isnan(counts))
    drawn_together, codes = np.unique(codes[present], return_inverse=True)
    n_documents = drawn_together.size
    rights = group_sums(right[present], codes, n_documents)
    whole = group_sums(counts[present], codes, n_documents)
    total, of = float(rights.sum()), float(whole.sum())
    if not of:
        return Understood(total, of, float("nan"), no_interval("nothing_asked"), "nothing_asked")
    share = total / of
    if n_documents < 2:
        reason = FEW_RESAMPLES if resamples < FEWEST_RESAMPLES else "one_document"
        return Understood(total, of, share, no_interval(reason))
    draws = np.concatenate(
        [ratios(times @ rights, times @ whole) for times in times_drawn(n_documents, resamples, rng)]
    )
    return Understood(total, of, share, percentile_interval(draws, level))
