"""Is one metric closer to people than another? Williams' test, swapping the metrics' scores, and all pairs at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, as_floats
from metrics.statistics.correlation.coefficients import pearson
from metrics.statistics.correlation.pairwise import ordered_alike, pairwise_accuracy_with_ties
from metrics.statistics.resampling import rows_at_once

NO_COMMON_PAIR = "too_few"
_CELLS_AT_ONCE = 4_000_000
_GAINS_AT_ONCE = 16_000_000


@dataclass(frozen=True)
class Williams:
    """`p` is one-sided for the metric that correlates more, whichever it is: `difference` says which (r1 - r2)."""

    p: float
    statistic: float
    difference: float
    first: float
    second: float
    n: int
    reason: str = ""


@dataclass(frozen=True)
class MetricPermutation:
    """`difference` is r(first) - r(second); `extreme` of `resamples` swaps gave at least as much."""

    difference: float
    p: float
    extreme: int
    resamples: int
    reason: str = ""


def williams_test(human: ArrayLike, first: ArrayLike, second: ArrayLike) -> Williams:
    """Whether two metrics correlate differently with people, accounting for their correlation with each other.

    Shape: All (n,): systems, or cells.
    Unit and range: Any interval unit; p from 0 to 1.
    Missing data: A place where any of the three is NaN is dropped.
    Degenerate input: Fewer than four places: NaN, reason `too_few`. A constant column: NaN, reason `constant`. Two
        metrics that are one: NaN, reason `identical`.
    Method: t = |r12 - r13| sqrt((n - 1)(1 + r23) / (2 K (n - 1) / (n - 3) + ((r12 + r13) / 2)^2 (1 - r23)^3)) with K =
        1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23; one-sided p of Student's t with n - 3 degrees of freedom.
    Source: Williams 1959; Graham & Baldwin 2014, "Testing for significance of increased correlation with human
        judgment", whose implementation takes the absolute value as well: p alone does not say who won.

    Example:
        >>> test = williams_test([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5], [2, 1, 4, 3, 6, 5])
        >>> round(test.difference, 4), round(test.p, 4)
        (0.1143, 0.1524)
    """
    columns = np.stack([as_floats(column) for column in (human, first, second)])
    columns = columns[:, ~np.isnan(columns).any(axis=0)]
    nan, n = float("nan"), columns.shape[1]
    with_first, with_second = pearson(columns[0], columns[1]), pearson(columns[0], columns[2])
    each_other = pearson(columns[1], columns[2])
    reason = "too_few" if n < 4 else with_first.reason or with_second.reason
    if not reason and each_other.value >= 1 - 1e-12:
        reason = "identical"
    if reason:
        return Williams(nan, nan, with_first.value - with_second.value, with_first.value, with_second.value, n, reason)
    r12, r13, r23 = with_first.value, with_second.value, each_other.value
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    statistic = float(abs(r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)) if below else float("inf")
    return Williams(float(scipy.special.stdtr(n - 3, -statistic)), statistic, r12 - r13, r12, r13, n)


def permutation_test(
    human: ArrayLike, first: ArrayLike, second: ArrayLike, *, resamples: int = 1_000, rng: np.random.Generator
) -> MetricPermutation:
    """Whether the first metric correlates better with people than the second, were their scores anybody's.

    Shape: All (n,): scores of systems.
    Unit and range: Any unit: both metrics are standardised first. p from 1 / (resamples + 1) to 1.
    Missing data: A place where any of the three is NaN is dropped.
    Degenerate input: A correlation that does not exist for one metric: NaN, and its reason. Less than one resample
        raises ValueError.
    Method: Swap the two metrics' standardised scores at random; p = (b + 1) / (resamples + 1) with b swaps that give at
        least the observed difference of Pearson's r (the reference has b / resamples, which can be 0). All swaps are
        products of matrices.
    Source: Deutsch, Dror & Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling
        methods": PERM-BOTH.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> human = rng.normal(size=40)
        >>> noise = rng.normal(size=(2, 40))
        >>> test = permutation_test(human, human + noise[0] / 4, human + noise[1] * 4, resamples=99, rng=rng)
        >>> test.extreme, test.p
        (0, 0.01)
    """
    columns = np.stack([as_floats(column) for column in (human, first, second)])
    columns = columns[:, ~np.isnan(columns).any(axis=0)]
    of_first, of_second = pearson(columns[0], columns[1]), pearson(columns[0], columns[2])
    observed = of_first.value - of_second.value
    if np.isnan(observed):
        return MetricPermutation(observed, float("nan"), 0, resamples, reason=of_first.reason or of_second.reason)
    people, one, other = (columns - columns.mean(axis=1, keepdims=True)) / columns.std(axis=1, keepdims=True)
    extreme = 0
    for rows in rows_at_once(resamples, people.size, cells=_CELLS_AT_ONCE):
        drawn = rng.integers(0, 2, size=(rows, people.size), dtype=np.int8)
        swapped = drawn.astype(np.float64)
        difference = _pearson_swapped(people, one, other, swapped) - _pearson_swapped(people, other, one, swapped)
        extreme += int((difference >= observed - 1e-12).sum())
    return MetricPermutation(observed, (extreme + 1) / (resamples + 1), extreme, resamples)


def _pearson_swapped(people: FloatArray, one: FloatArray, other: FloatArray, swapped: FloatArray) -> FloatArray:
    """(resamples,): of standardised people with a metric that is `one`, and `other` where it is swapped."""
    total, squares, products = (
        first.sum() + swapped @ (second - first)
        for first, second in ((one, other), (one**2, other**2), (people * one, people * other))
    )
    spread = squares - total**2 / people.size
    usable = spread > 1e-12 * np.maximum(squares, 1e-300)
    return np.where(usable, products / np.sqrt(np.where(usable, spread, 1.0) * people.size), np.nan)


@dataclass(frozen=True)
class AccuraciesCompared:
    """Square matrices: `difference[i, j]` is accuracy(i) - accuracy(j), `p[i, j]` one-sided for i; NaN on the diagonal.

    `values` and `epsilons` are each metric's own. NaN off it: NO_COMMON_PAIR is the reason.
    """

    values: FloatArray
    epsilons: FloatArray
    difference: FloatArray
    p: FloatArray


def compare_accuracies(
    human: ArrayLike, metrics: Sequence[ArrayLike], *, resamples: int = 1_000, rng: np.random.Generator
) -> AccuraciesCompared:
    """Which metrics order the translations of a segment as people do more often than others do.

    Shape: `human` and each of `metrics`: (n_systems, n_segments).
    Unit and range: Higher is better in all; accuracies from 0 to 1, p from 1 / (resamples + 1) to 1.
    Missing data: Two metrics are compared on the pairs of translations for which people and both have scores.
    Degenerate input: Two metrics without a common pair: NaN, reason `too_few`. Less than one resample raises
        ValueError.
    Method: Each metric at its own epsilon, the outcomes of pairs swapped at random; p = (b + 1) / (resamples + 1). All
        pairs of metrics share the swaps, which makes of all tests one product of matrices.
    Source: Deutsch, Foster & Freitag 2023, "Ties matter"; Deutsch, Dror & Roth 2021.

    Example:
        >>> human = np.arange(60.0).reshape(3, 20)
        >>> result = compare_accuracies(human, [human, -human], resamples=99, rng=np.random.default_rng(1))
        >>> result.difference[0, 1], result.p[0, 1], result.p[1, 0]
        (np.float64(1.0), np.float64(0.01), np.float64(1.0))
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    people = as_floats(human, dimensions=2)
    scores = [as_floats(metric, dimensions=2) for metric in metrics]
    accuracies = [pairwise_accuracy_with_ties(people, metric) for metric in scores]
    one, other = np.triu_indices(len(people), k=1)
    wanted = people[one] - people[other]
    apart = [metric[one] - metric[other] for metric in scores]
    compared = [~(np.isnan(each) | np.isnan(wanted)) for each in apart]
    agree = [
        ordered_alike(wanted, each, np.nan_to_num(of.epsilon)).astype(np.float64)
        for each, of in zip(apart, accuracies, strict=True)
    ]
    difference, p = np.full((len(scores), len(scores)), np.nan), np.full((len(scores), len(scores)), np.nan)
    first, second = np.triu_indices(len(scores), k=1)
    seed = int(rng.integers(2**32))
    step = max(1, _GAINS_AT_ONCE // max(1, wanted.size))
    for start in range(0, first.size, step):
        left, right = first[start : start + step], second[start : start + step]
        both = [compared[i] & compared[j] for i, j in zip(left, right, strict=True)]
        columns = [_weighted(agree[i] - agree[j], met) for i, j, met in zip(left, right, both, strict=True)]
        gains, common = np.stack(columns, axis=1), np.array([met.any() for met in both], dtype=np.bool_)
        observed = gains.sum(axis=0)
        above, below = _reached(gains, observed, resamples, np.random.default_rng(seed))
        difference[left, right] = np.where(common, observed, np.nan)
        difference[right, left] = np.where(common, -observed, np.nan)
        p[left, right] = np.where(common, (above + 1) / (resamples + 1), np.nan)
        p[right, left] = np.where(common, (below + 1) / (resamples + 1), np.nan)
    values, epsilons = (np.array([getattr(each, name) for each in accuracies]) for name in ("value", "epsilon"))
    return AccuraciesCompared(values, epsilons, difference, p)


def significance_groups(p: ArrayLike, *, alpha: float = 0.05) -> list[int]:
    """The group of each metric, best metric first: a metric that any other of the group is better than begins the next.

    Shape: `p`: (n_metrics, n_metrics), best metric first; `p[i, j]` is of i being better than j. Returns n_metrics
        numbers from 1.
    Unit and range: p from 0 to 1.
    Missing data: NaN counts as not significant.
    Degenerate input: No metric: an empty list.
    Method: Down the list; metric j begins a new group where some i of the present group has p[i, j] < alpha.
    Source: Freitag et al. 2023 and the metrics tasks before it.

    Example:
        The third is worse than the first, so it begins a group, though not significantly worse than the second.

        >>> significance_groups([[1, 0.2, 0.01], [0.8, 1, 0.3], [0.99, 0.7, 1]])
        [1, 1, 2]
    """
    matrix = np.asarray(p, dtype=np.float64)
    groups: list[int] = []
    start = 0
    for place in range(len(matrix)):
        if place and (matrix[start:place, place] < alpha).any():
            start = place
            groups.append(groups[-1] + 1)
        else:
            groups.append(groups[-1] if groups else 1)
    return groups


def _weighted(gain: FloatArray, compared: BoolArray) -> FloatArray:
    """Each pair's part in the mean over segments of the share of pairs."""
    per_segment = compared.sum(axis=0)
    segments = max(1, int((per_segment > 0).sum()))
    weighted: FloatArray = (np.where(compared, gain, 0.0) / np.maximum(per_segment, 1) / segments).ravel()
    return weighted


def _reached(
    gains: FloatArray, observed: FloatArray, resamples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """How many swaps give at least what was observed, and at most."""
    gains = gains[(gains != 0).any(axis=1)]
    above, below = np.zeros(observed.size), np.zeros(observed.size)
    for rows in rows_at_once(resamples, len(gains), cells=_CELLS_AT_ONCE):
        signs = rng.integers(0, 2, size=(rows, len(gains)), dtype=np.int8).astype(np.float64) * 2 - 1
        swapped = signs @ gains
        above += (swapped >= observed - 1e-12).sum(axis=0)
        below += (swapped <= observed + 1e-12).sum(axis=0)
    return above, below
