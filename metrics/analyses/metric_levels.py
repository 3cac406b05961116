"""How each metric goes with people: over systems, and over segments in three groupings, with intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.people_and_metrics import MetricColumn, SideBySide, mean_of_rows
from metrics.recipes import Recipe
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.correlation import (
    grouped,
    kendall,
    kendall_like,
    pairwise_accuracy,
    pairwise_accuracy_with_ties,
    pearson,
    soft_pairwise_accuracy,
    spearman,
)
from metrics.statistics.correlation.rows import RowCoefficients, coefficients_of_rows
from metrics.statistics.resampling import percentile_interval, times_drawn

# The reference implementation's number of draws, for swaps of metrics and for soft pairwise accuracy.
RESAMPLES = 1_000
COEFFICIENTS = ("pearson", "spearman", "kendall_b", "kendall_c")
STATISTICS = (
    *COEFFICIENTS, "kendall_like", "pairwise_accuracy", "soft_pairwise_accuracy", "accuracy_with_ties", "epsilon",
)  # fmt: skip
FEWEST_DOCUMENTS = 2


@dataclass(frozen=True)
class Draws:
    """Documents and systems drawn with replacement, the same ones for every metric; `times` (resamples, n_segments)."""

    times: FloatArray
    systems: IntArray

    @classmethod
    def of(cls, side: SideBySide, recipe: Recipe) -> "Draws | None":
        """None where there are too few documents for others of their kind to be imagined."""
        documents, document = np.unique(side.document, return_inverse=True)
        n_systems = len(side.systems)
        if documents.size < FEWEST_DOCUMENTS or n_systems < 2:
            return None
        rng = np.random.default_rng(recipe.seed)
        drawn = np.concatenate(list(times_drawn(documents.size, recipe.interval_resamples, rng)))
        return cls(drawn[:, document], rng.integers(0, n_systems, size=(recipe.interval_resamples, n_systems)))

    def mean_of(self, values: FloatArray) -> FloatArray:
        """(resamples,): over the segments (n_segments,) that have a value."""
        known = ~np.isnan(values)
        return _ratio(self.times @ np.where(known, values, 0.0), self.times @ known.astype(np.float64))

    def systems_of(self, cells: FloatArray, systems: FloatArray) -> FloatArray:
        """(resamples, n_systems): system scores, moved as the mean of their segments moves."""
        known = ~np.isnan(cells)
        means = _ratio(self.times @ np.where(known, cells, 0.0).T, self.times @ known.T.astype(np.float64))
        moved = np.where(known.any(axis=1), means - mean_of_rows(cells), 0.0)
        return np.take_along_axis(systems + moved, self.systems, axis=1)


def system_entry(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> dict[str, Any]:
    people, scores = side.means, metric.systems
    soft = soft_pairwise_accuracy(side.cells, metric.cells, resamples=RESAMPLES, rng=np.random.default_rng(recipe.seed))
    values = {
        "pearson": pearson(people, scores).value,
        "spearman": spearman(people, scores).value,
        "kendall_b": kendall(people, scores).value,
        "kendall_c": kendall(people, scores, variant="c").value,
        "pairwise_accuracy": pairwise_accuracy(people, scores).value,
        "soft_pairwise_accuracy": soft.value,
    }
    n_systems = int(np.count_nonzero(~(np.isnan(people) | np.isnan(scores))))
    intervals: dict[str, Any] = {}
    if draws is not None:
        rows = coefficients_of_rows(
            draws.systems_of(side.cells, people), draws.systems_of(metric.cells, scores), labels=draws.systems
        )
        intervals = {name: _ends(_of_rows(rows)[name], recipe) for name in (*COEFFICIENTS, "pairwise_accuracy")}
    return _entry(metric.name, "system", "none", values, intervals, groups=1, systems=n_systems)


def segment_entries(
    side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe
) -> list[dict[str, Any]]:
    counted = ~(np.isnan(side.cells) | np.isnan(metric.cells))
    if not counted.any():
        nothing = dict.fromkeys(STATISTICS, float("nan"))
        return [_entry(metric.name, "segment", by, nothing, {}, groups=0) for by in ("none", "item", "system")]
    return [
        _over_all_cells(side, metric, draws, recipe),
        _by_item(side, metric, draws, recipe),
        _by_system(side, metric),
    ]


def _over_all_cells(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> dict[str, Any]:
    people, scores = side.cells.ravel(), metric.cells.ravel()
    values = {
        "pearson": pearson(people, scores).value,
        "spearman": spearman(people, scores).value,
        "kendall_b": kendall(people, scores).value,
        "kendall_c": kendall(people, scores, variant="c").value,
    }
    intervals = {} if draws is None else {"pearson": _ends(_pearson_of_draws(side.cells, metric.cells, draws), recipe)}
    return _entry(metric.name, "segment", "none", values, intervals, groups=int(not np.isnan(values["pearson"])))


def _by_item(side: SideBySide, metric: MetricColumn, draws: Draws | None, recipe: Recipe) -> dict[str, Any]:
    rows = coefficients_of_rows(side.cells.T, metric.cells.T)
    tied = pairwise_accuracy_with_ties(side.cells, metric.cells)
    of_items = _of_rows(rows)
    values = {name: _mean(of_items[name]) for name in (*COEFFICIENTS, "pairwise_accuracy")}
    values |= {"accuracy_with_ties": tied.value, "epsilon": tied.epsilon}
    values["kendall_like"] = kendall_like(side.points, metric.cells).value
    intervals: dict[str, Any] = {}
    if draws is not None:
        of_items["accuracy_with_ties"] = _accuracies(side.cells, metric.cells, tied.epsilon)
        intervals = {name: _ends(draws.mean_of(of_items[name]), recipe) for name in of_items}
    groups = int(np.count_nonzero(~np.isnan(rows.pearson)))
    return _entry(metric.name, "segment", "item", values, intervals, groups=groups)


def _by_system(side: SideBySide, metric: MetricColumn) -> dict[str, Any]:
    found = {
        "pearson": grouped(pearson, side.cells, metric.cells, by="system"),
        "spearman": grouped(spearman, side.cells, metric.cells, by="system"),
        "kendall_b": grouped(kendall, side.cells, metric.cells, by="system"),
        "kendall_c": grouped(_kendall_c, side.cells, metric.cells, by="system"),
    }
    values = {name: each.value for name, each in found.items()}
    return _entry(metric.name, "segment", "system", values, {}, groups=found["pearson"].groups)


def _kendall_c(people: FloatArray, scores: FloatArray) -> float:
    return kendall(people, scores, variant="c").value


def _entry(
    metric: str, level: str, grouping: str, values: Mapping[str, float], intervals: Mapping[str, Any], **counts: int
) -> dict[str, Any]:
    shown = {name: number(values.get(name, float("nan"))) for name in STATISTICS}
    return {"metric": metric, "level": level, "grouping": grouping, **shown, **counts, "intervals": dict(intervals)}


def _of_rows(rows: RowCoefficients) -> dict[str, FloatArray]:
    return {**{name: getattr(rows, name) for name in COEFFICIENTS}, "pairwise_accuracy": rows.accuracy}


def _accuracies(people: FloatArray, scores: FloatArray, epsilon: float) -> FloatArray:
    """Of each segment the share of pairs in which both say the same, differences up to epsilon being ties."""
    one, other = np.triu_indices(len(people), k=1)
    wanted, apart = people[one] - people[other], scores[one] - scores[other]
    compared = ~(np.isnan(wanted) | np.isnan(apart))
    said = np.where(np.abs(apart) <= epsilon, 0.0, np.sign(apart))
    agree = ((said == np.sign(wanted)) & compared).sum(axis=0).astype(np.float64)
    return _ratio(agree, compared.sum(axis=0).astype(np.float64))


def _pearson_of_draws(people: FloatArray, scores: FloatArray, draws: Draws) -> FloatArray:
    """Over the cells of the segments drawn, from sums: centred first, so that little is lost to rounding."""
    known = ~(np.isnan(people) | np.isnan(scores))
    one, other = (np.where(known, each - each[known].mean(), 0.0) for each in (people, scores))
    n, x, y, xx, yy, xy = (
        draws.times @ each.sum(axis=0) for each in (known, one, other, one**2, other**2, one * other)
    )
    n = np.maximum(n, 1.0)
    spread = np.sqrt(np.maximum(xx - x**2 / n, 0.0) * np.maximum(yy - y**2 / n, 0.0))
    return _ratio(xy - x * y / n, spread)


def _ends(values: FloatArray, recipe: Recipe) -> list[float] | None:
    return interval_ends(percentile_interval(values, recipe.interval_level))


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")


def _ratio(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    quotients: FloatArray = np.full(numerators.shape, np.nan)
    np.divide(numerators, denominators, out=quotients, where=denominators > 0)
    return quotients
