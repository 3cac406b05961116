"""Is one metric closer to people than another? Williams' test, and swapping the two metrics' scores."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_floats
from metrics.statistics.correlation.cells import By, pairs_within, rated_cells
from metrics.statistics.correlation.coefficients import kendall, pearson, spearman
from metrics.statistics.correlation.grouped import grouped
from metrics.statistics.correlation.pairwise import outcome_pairs, pairwise_accuracy_with_ties

Mode = Literal["both", "inputs", "systems"]
Statistic = Literal["pearson", "spearman", "kendall", "accuracy_with_ties"]
_CELLS_AT_ONCE = 2_000_000
_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
_LARGEST_GROUP = 200


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
    """`difference` is statistic(first) - statistic(second); `extreme` of `resamples` swaps gave at least as much."""

    difference: float
    p: float
    extreme: int
    resamples: int
    reason: str = ""


def williams_test(human: ArrayLike, first: ArrayLike, second: ArrayLike) -> Williams:
    """Whether two metrics correlate differently with people, given that they correlate with each other.

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
    return Williams(float(stdtr(n - 3, -statistic)), statistic, r12 - r13, r12, r13, n)


def permutation_test(
    human: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    mode: Mode = "both",
    statistic: Statistic = "pearson",
    by: By = "none",
    resamples: int = 1_000,
    rng: np.random.Generator,
) -> MetricPermutation:
    """Whether the first metric is closer to people than the second, were their scores anybody's.

    Shape: All (n_systems, n_segments), or (n_systems,) for system scores.
    Unit and range: Any unit: both metrics are standardised first. p from 1 / (resamples + 1) to 1.
    Missing data: A cell in which any of the three is NaN is left out.
    Degenerate input: A statistic that does not exist for one metric: NaN, and its reason. Less than one resample,
        unknown modes and statistics raise ValueError.
    Method: Swap the two metrics' standardised scores at random: of every cell (both), of whole segments (inputs) or of
        whole systems (systems); p = (b + 1) / (resamples + 1) with b swaps that give at least the observed difference
        (the reference has b / resamples, which can be 0). With ties counted, outcomes of pairs are swapped instead of
        scores, each metric at its own epsilon. Pearson is sums of products with the swaps, Kendall looks the four
        outcomes of a pair up.
    Source: Deutsch, Dror & Roth 2021 (PERM-BOTH, PERM-INPUTS, PERM-SYSTEMS); Deutsch, Foster & Freitag 2023 for ties.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> human = rng.normal(size=40)
        >>> noise = rng.normal(size=(2, 40))
        >>> test = permutation_test(human, human + noise[0] / 4, human + noise[1] * 4, resamples=99, rng=rng)
        >>> test.extreme, test.p
        (0, 0.01)
    """
    if mode not in ("both", "inputs", "systems") or (
        statistic not in _COEFFICIENTS and statistic != "accuracy_with_ties"
    ):
        raise ValueError(f"unknown mode or statistic: {mode!r}, {statistic!r}")
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    scores = [np.asarray(each, dtype=np.float64) for each in (human, first, second)]
    scores = [each[:, None] if each.ndim == 1 else each for each in scores]
    missing = np.logical_or.reduce([np.isnan(each) for each in scores])
    scores = [np.where(missing, np.nan, each) for each in scores]
    if statistic == "accuracy_with_ties":
        return _outcomes_swapped(scores, by, resamples, rng)
    one, other = (grouped(_COEFFICIENTS[statistic], scores[0], metric, by=by) for metric in scores[1:])
    observed = one.value - other.value
    if np.isnan(observed):
        return MetricPermutation(observed, float("nan"), 0, resamples, reason=one.reason or other.reason)
    scores[1:] = [_standardised(each) for each in scores[1:]]
    places = np.broadcast_to(_places(mode, scores[0].shape), scores[0].shape).astype(np.float64)
    (people, first_cells, second_cells, place), starts = rated_cells(*scores, places, by=by)
    swapper = _Swapper(people, first_cells, second_cells, starts, statistic)
    extreme = 0
    for masks in _masks(place.astype(np.int64), resamples, rng):
        extreme += int((swapper.differences(masks) >= observed - 1e-12).sum())
    return MetricPermutation(observed, (extreme + 1) / (resamples + 1), extreme, resamples)


def _standardised(scores: FloatArray) -> FloatArray:
    present = scores[~np.isnan(scores)]
    standardised: FloatArray = (scores - present.mean()) / present.std()
    return standardised


def _places(mode: Mode, shape: tuple[int, ...]) -> IntArray:
    """What is swapped together has one number."""
    rows, columns = np.arange(shape[0])[:, None], np.arange(shape[1])[None, :]
    return {"both": rows * shape[1] + columns, "inputs": columns, "systems": rows}[mode]


def _masks(place: IntArray, resamples: int, rng: np.random.Generator) -> "list[BoolArray]":
    distinct, codes = np.unique(place, return_inverse=True)
    step = max(1, _CELLS_AT_ONCE // max(1, place.size))
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    return [rng.integers(0, 2, size=(rows, distinct.size), dtype=np.int8)[:, codes] > 0 for rows in sizes]


class _Swapper:
    """Statistics of both metrics after swaps, for many swaps at once."""

    def __init__(
        self, human: FloatArray, first: FloatArray, second: FloatArray, starts: IntArray, statistic: str
    ) -> None:
        self._human, self._first, self._second = human, first, second
        self._starts, self._statistic = starts, statistic
        self._ends = np.append(starts, human.size)[1:]
        largest = int((self._ends - starts).max(initial=0))
        self._pairs = pairs_within(starts, human.size) if statistic == "kendall" and largest <= _LARGEST_GROUP else None

    def differences(self, masks: BoolArray) -> FloatArray:
        if self._statistic == "pearson":
            return self._pearson(masks) - self._pearson(~masks)
        if self._pairs is not None:
            return self._kendall(masks, *self._pairs) - self._kendall(~masks, *self._pairs)
        return np.array([self._one_by_one(mask) - self._one_by_one(~mask) for mask in masks])

    def _pearson(self, masks: BoolArray) -> FloatArray:
        """The metric is `first` where not swapped and `second` where it is."""
        sizes = (self._ends - self._starts).astype(np.float64)
        means = np.add.reduceat(self._human, self._starts) / sizes
        people = self._human - np.repeat(means, sizes.astype(np.int64))
        parts = []
        for one, other in (
            (self._first, self._second),
            (self._first**2, self._second**2),
            (people * self._first, people * self._second),
        ):
            parts.append(self._sums(masks, one, other))
        total, squares, products = parts
        of_people = np.add.reduceat(people**2, self._starts)
        spread = of_people * (squares - total**2 / sizes)
        usable = spread > 1e-12 * np.maximum(of_people * squares, 1e-300)
        values = np.divide(products, np.sqrt(np.where(usable, spread, 1.0)))
        return _mean_of(values, usable)

    def _sums(self, masks: BoolArray, one: FloatArray, other: FloatArray) -> FloatArray:
        """(n_masks, n_groups)"""
        base = np.add.reduceat(one, self._starts)
        if self._starts.size == 1:
            return base + (masks.astype(np.float64) @ (other - one))[:, None]
        return base + np.add.reduceat(masks * (other - one), self._starts, axis=1)

    def _kendall(self, masks: BoolArray, first: IntArray, second: IntArray, group: IntArray) -> FloatArray:
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        people = np.sign(self._human[first] - self._human[second])
        scores = (self._first, self._second)
        outcomes = np.stack([np.sign(one[first] - other[second]) for one in scores for other in scores], axis=1)
        cell = np.arange(first.size) * 4
        met_people = np.add.reduceat(np.abs(people), starts)
        step = max(1, _CELLS_AT_ONCE // max(1, first.size))
        rows = []
        for at in range(0, len(masks), step):
            some = masks[at : at + step]
            signs = outcomes.ravel()[cell + 2 * some[:, first] + some[:, second]]
            surplus = np.add.reduceat(signs * people, starts, axis=1)
            product = np.add.reduceat(np.abs(signs), starts, axis=1) * met_people
            rows.append(_mean_of(surplus / np.sqrt(np.maximum(product, 1.0)), product > 0))
        return np.concatenate(rows)

    def _one_by_one(self, mask: BoolArray) -> float:
        metric = np.where(mask, self._second, self._first)
        function = _COEFFICIENTS[self._statistic]
        bounds = zip(self._starts, self._ends, strict=True)
        values = [float(function(self._human[start:end], metric[start:end])) for start, end in bounds]
        defined = [value for value in values if not np.isnan(value)]
        return sum(defined) / len(defined) if defined else float("nan")


def _mean_of(values: FloatArray, usable: BoolArray) -> FloatArray:
    """Over the groups (columns) in which there is a value; NaN without any."""
    usable = np.broadcast_to(usable, values.shape)
    count = usable.sum(axis=1)
    total = np.where(usable, values, 0.0).sum(axis=1)
    means: FloatArray = np.divide(total, count, out=np.full(len(values), np.nan), where=count > 0)
    return means


def _outcomes_swapped(scores: list[FloatArray], by: By, resamples: int, rng: np.random.Generator) -> MetricPermutation:
    found = [pairwise_accuracy_with_ties(scores[0], metric, by=by) for metric in scores[1:]]
    observed = found[0].value - found[1].value
    if np.isnan(observed):
        return MetricPermutation(observed, float("nan"), 0, resamples, reason=found[0].reason or found[1].reason)
    pairs = [outcome_pairs(scores[0], metric, by=by) for metric in scores[1:]]
    gain = (pairs[0].agree(found[0].epsilon) - pairs[1].agree(found[1].epsilon)) * pairs[0].weights
    gain = gain[gain != 0]
    extreme = 0
    for masks in _masks(np.arange(gain.size), resamples, rng):
        extreme += int((gain.sum() - 2 * (masks @ gain) >= observed - 1e-12).sum())
    return MetricPermutation(observed, (extreme + 1) / (resamples + 1), extreme, resamples)
