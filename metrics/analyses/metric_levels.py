"""How each metric correlates with people, over systems and over segments, with intervals; and every two compared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np

from metrics.analyses.people_and_metrics import MetricColumn, SideBySide, mean_of_rows
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.arrays import FloatArray, IntArray, ratios
from metrics.statistics.correlation.coefficients import (
    Correlation,
    RowCoefficients,
    coefficients_of_rows,
    kendall,
    pearson,
    spearman,
)
from metrics.statistics.correlation.comparing import (
    NO_COMMON_PAIR,
    Williams,
    compare_accuracies,
    permutation_test,
    significance_groups,
    williams_test,
)
from metrics.statistics.correlation.grouped import grouped
from metrics.statistics.correlation.pairwise import (
    kendall_like,
    ordered_alike,
    pairwise_accuracy,
    pairwise_accuracy_with_ties,
    soft_pairwise_accuracy,
)
from metrics.statistics.resampling import percentile_interval, times_drawn

# The reference implementation's number of draws, for swaps of metrics and for soft pairwise accuracy.
RESAMPLES = 1_000
COEFFICIENTS: Mapping[str, Callable[..., Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall_b": kendall,
    "kendall_c": partial(kendall, variant="c"),
}
STATISTICS = (
    *COEFFICIENTS, "kendall_like", "pairwise_accuracy", "soft_pairwise_accuracy", "accuracy_with_ties", "epsilon",
)  # fmt: skip
FEWEST_DOCUMENTS = 2
Groups = dict[str, int]


@dataclass(frozen=True, kw_only=True)
class CorrelatedMetric:
    """A metric at one `level` (system, segment) and `grouping` (none, item, system): the closer to 1, the better.

    Coefficients are means over `groups`; `epsilon` is in the unit of the metric. `intervals` are by coefficient, of
    those that are resampled. `systems` counts them where they are what is correlated. `group` is the metric's
    significance group, 1 the best; None where no groups are made.
    """

    metric: str
    level: str
    grouping: str
    pearson: Number
    spearman: Number
    kendall_b: Number
    kendall_c: Number
    kendall_like: Number
    pairwise_accuracy: Number
    soft_pairwise_accuracy: Number
    accuracy_with_ties: Number
    epsilon: Number
    groups: int
    systems: int | None = None
    intervals: Mapping[str, Ends]
    group: int | Missing | None = None


@dataclass(frozen=True)
class Draws:
    """Documents and systems drawn with replacement, the same ones for every metric; `times` (resamples, n_segments)."""

    times: FloatArray
    systems: IntArray

    @classmethod
    def of(cls, side: SideBySide, recipe: Recipe) -> "Draws | None":
        """None where there are too few documents to resample."""
        documents, document = np.unique(side.document, return_inverse=True)
        n_systems = len(side.systems)
        if documents.size < FEWEST_DOCUMENTS or n_systems < 2:
            return None
        rng = recipe.rng
        drawn = np.concatenate(list(times_drawn(documents.size, recipe.interval_resamples, rng)))
        return cls(drawn[:, document], rng.integers(0, n_systems, size=(recipe.interval_resamples, n_systems)))

    def mean_of(self, values: FloatArray) -> FloatArray:
        """(resamples,): over the segments (n_segments,) that have a value."""
        known = ~np.isnan(values)
        return ratios(self.times @ np.where(known, values, 0.0), self.times @ known.astype(np.float64))

    def systems_of(self, cells: FloatArray, systems: FloatArray) -> FloatArray:
        """(resamples, n_systems): system scores, moved as the mean of their segments moves."""
        known = ~np.isnan(cells)
        means = ratios(self.times @ np.where(known, cells, 0.0).T, self.times @ known.T.astype(np.float64))
        moved = np.where(known.any(axis=1), means - mean_of_rows(cells), 0.0)
        return np.take_along_axis(systems + moved, self.systems, axis=1)


def system_entry(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> CorrelatedMetric:
    people, scores = side.means, metric.systems
    accuracy = pairwise_accuracy(people, scores)
    soft = soft_pairwise_accuracy(side.cells, metric.cells, resamples=RESAMPLES, rng=recipe.rng)
    numbers = {
        **_coefficients(people, scores),
        "pairwise_accuracy": number(accuracy.value, accuracy.reason),
        "soft_pairwise_accuracy": number(soft.value, soft.reason),
    }
    of_draws = {}
    if draws is not None:
        moved = draws.systems_of(side.cells, people), draws.systems_of(metric.cells, scores)
        of_draws = _of_rows(coefficients_of_rows(*moved, labels=draws.systems))
    n_systems = int(np.count_nonzero(~(np.isnan(people) | np.isnan(scores))))
    intervals = _intervals(of_draws, numbers, recipe)
    return _entry(metric, "system", "none", {**numbers, "groups": 1, "systems": n_systems, "intervals": intervals})


def segment_entries(
    side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe
) -> list[CorrelatedMetric]:
    counted = ~(np.isnan(side.cells) | np.isnan(metric.cells))
    usable = draws if counted.any() else None
    return [
        _over_all_cells(side, metric, usable, recipe),
        _by_item(side, metric, usable, recipe),
        _by_system(side, metric),
    ]


def _over_all_cells(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> CorrelatedMetric:
    numbers = _coefficients(side.cells.ravel(), metric.cells.ravel())
    of_draws = {} if draws is None else {"pearson": _pearson_of_draws(side.cells, metric.cells, draws)}
    intervals = _intervals(of_draws, numbers, recipe)
    groups = int(not isinstance(numbers["pearson"], Missing))
    return _entry(metric, "segment", "none", {**numbers, "groups": groups, "intervals": intervals})


def _by_item(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> CorrelatedMetric:
    rows = coefficients_of_rows(side.cells.T, metric.cells.T)
    tied = pairwise_accuracy_with_ties(side.cells, metric.cells)
    clear = kendall_like(side.points, metric.cells)
    of_items = _of_rows(rows)
    numbers = {name: number(_mean(values), rows.reason) for name, values in of_items.items()} | {
        "accuracy_with_ties": number(tied.value, tied.reason),
        "epsilon": number(tied.epsilon, tied.reason),
        "kendall_like": number(clear.value, clear.reason),
    }
    of_draws = {}
    if draws is not None:
        of_items["accuracy_with_ties"] = _accuracies(side.cells, metric.cells, tied.epsilon)
        of_draws = {name: draws.mean_of(values) for name, values in of_items.items()}
    intervals = _intervals(of_draws, numbers, recipe)
    groups = int(np.count_nonzero(~np.isnan(rows.pearson)))
    return _entry(metric, "segment", "item", {**numbers, "groups": groups, "intervals": intervals})


def _by_system(side: SideBySide, metric: MetricColumn) -> CorrelatedMetric:
    means = {name: grouped(each, side.cells, metric.cells, by="system") for name, each in COEFFICIENTS.items()}
    numbers = {name: number(each.value, each.reason) for name, each in means.items()}
    return _entry(metric, "segment", "system", {**numbers, "groups": means["pearson"].groups, "intervals": {}})


def _entry(metric: MetricColumn, level: str, grouping: str, fields: Mapping[str, Any]) -> CorrelatedMetric:
    fields = {**dict.fromkeys(STATISTICS, Missing("not_at_this_level")), **fields}
    return CorrelatedMetric(metric=metric.name, level=level, grouping=grouping, **fields)


def _coefficients(people: FloatArray, scores: FloatArray) -> dict[str, Number]:
    correlations = {name: coefficient(people, scores) for name, coefficient in COEFFICIENTS.items()}
    return {name: number(each.value, each.reason) for name, each in correlations.items()}


def _intervals(of_draws: Mapping[str, FloatArray], of: Mapping[str, Number], recipe: Recipe) -> dict[str, Ends]:
    """Of the values that each coefficient has in the draws."""
    return {
        name: interval_ends(percentile_interval(values, recipe.interval_level), of[name])
        for name, values in of_draws.items()
    }


def _of_rows(rows: RowCoefficients) -> dict[str, FloatArray]:
    return {**{name: getattr(rows, name) for name in COEFFICIENTS}, "pairwise_accuracy": rows.accuracy}


def _accuracies(people: FloatArray, scores: FloatArray, epsilon: float) -> FloatArray:
    """For each segment the share of pairs that both order alike; differences up to epsilon are ties."""
    one, other = np.triu_indices(len(people), k=1)
    by_people, by_metric = people[one] - people[other], scores[one] - scores[other]
    compared = ~(np.isnan(by_people) | np.isnan(by_metric))
    return ratios((ordered_alike(by_people, by_metric, epsilon) & compared).sum(axis=0), compared.sum(axis=0))


def _pearson_of_draws(people: FloatArray, scores: FloatArray, draws: Draws) -> FloatArray:
    """Over the cells of the segments drawn, from sums: centred first, so that little is lost to rounding."""
    known = ~(np.isnan(people) | np.isnan(scores))
    one, other = (np.where(known, each - each[known].mean(), 0.0) for each in (people, scores))
    n, x, y, xx, yy, xy = (
        draws.times @ each.sum(axis=0) for each in (known, one, other, one**2, other**2, one * other)
    )
    n = np.maximum(n, 1.0)
    spread = np.sqrt(np.maximum(xx - x**2 / n, 0.0) * np.maximum(yy - y**2 / n, 0.0))
    return ratios(xy - x * y / n, spread)


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")


@dataclass(frozen=True)
class Comparison:
    """How much closer to people the `first` metric is (`difference` of the `statistic`), and p of a `test` of that.

    `reason`: why the test has no p; None where it has one.
    """

    first: str
    second: str
    level: str
    grouping: str
    difference: Number
    statistic: str
    p: Number
    test: str
    reason: str | None


def compare_on_systems(side: SideBySide, recipe: Recipe) -> tuple[list[Comparison], Groups]:
    """Pearson's r with people's system scores: Williams' test, and swapping the two metrics' scores."""
    columns = [metric.systems for metric in side.metrics]
    worth = np.array([pearson(side.means, column).value for column in columns])
    swaps = {
        (one, other): permutation_test(side.means, columns[one], columns[other], resamples=RESAMPLES, rng=recipe.rng)
        for one, other in permutations(range(len(columns)), 2)
    }
    p = np.full((len(columns), len(columns)), np.nan)
    for places, swap in swaps.items():
        p[places] = swap.p
    order = _in_order(worth, side)
    entries = []
    for one, other in combinations(order, 2):
        place = side.metrics[one].name, side.metrics[other].name, "system", "none"
        swap, williams = swaps[one, other], williams_test(side.means, columns[one], columns[other])
        difference = number(worth[one] - worth[other], swap.reason)
        entries.append(_by_williams(place, difference, williams))
        entries.append(Comparison(*place, difference, "pearson", number(swap.p, swap.reason), "perm-both", None))
    return entries, _groups(side, order, worth, p, recipe)


def compare_on_segments(side: SideBySide, recipe: Recipe) -> tuple[list[Comparison], Groups]:
    """Accuracy with ties within segments, outcomes of pairs swapped; and Williams' test of all cells at once."""
    if not side.metrics or not side.segment.size:
        return [], {}
    compared = compare_accuracies(
        side.cells,
        [metric.cells for metric in side.metrics],
        resamples=RESAMPLES,
        rng=recipe.rng,
    )
    order = _in_order(compared.values, side)
    entries = []
    for one, other in combinations(order, 2):
        names = side.metrics[one].name, side.metrics[other].name
        difference, p = (number(each[one, other], NO_COMMON_PAIR) for each in (compared.difference, compared.p))
        entries.append(Comparison(*names, "segment", "item", difference, "accuracy_with_ties", p, "perm-both", None))
        cells = [side.cells.ravel(), side.metrics[one].cells.ravel(), side.metrics[other].cells.ravel()]
        williams = williams_test(*cells)
        difference = number(williams.difference, williams.reason)
        entries.append(_by_williams((*names, "segment", "none"), difference, williams))
    return entries, _groups(side, order, compared.values, compared.p, recipe)


def _by_williams(place: tuple[str, str, str, str], difference: Number, test: Williams) -> Comparison:
    return Comparison(*place, difference, "pearson", number(test.p, test.reason), "williams", test.reason or None)


def _in_order(worth: FloatArray, side: SideBySide) -> list[int]:
    """Closest to people first; equals by name, those without a number last."""
    filled = np.where(np.isnan(worth), -np.inf, worth)
    return sorted(range(len(side.metrics)), key=lambda place: (-filled[place], side.metrics[place].name))


def _groups(side: SideBySide, order: list[int], worth: FloatArray, p: FloatArray, recipe: Recipe) -> Groups:
    ranked = [place for place in order if not np.isnan(worth[place])]
    groups = significance_groups(p[np.ix_(ranked, ranked)], alpha=recipe.alpha)
    return {side.metrics[place].name: group for place, group in zip(ranked, groups, strict=True)}
