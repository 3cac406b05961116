"""Every two metrics compared, the one closer to people first, and the groups that cannot be told apart."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.analyses.json_numbers import number
from metrics.analyses.metric_levels import RESAMPLES
from metrics.analyses.people_and_metrics import SideBySide
from metrics.recipes import Recipe
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation import pearson, permutation_test, williams_test
from metrics.statistics.correlation.comparing_all import compare_accuracies, significance_groups

Groups = dict[str, int]


def compare_on_systems(side: SideBySide, recipe: Recipe) -> tuple[list[dict[str, Any]], Groups]:
    """Pearson's r with people's system scores: Williams' test, and swapping the two metrics' scores."""
    columns = [metric.systems for metric in side.metrics]
    worth = np.array([pearson(side.means, column).value for column in columns])
    size = len(columns)
    p = np.full((size, size), np.nan)
    for one in range(size):
        for other in range(size):
            if one != other and not np.isnan(worth[[one, other]]).any():
                p[one, other] = _permuted(side.means, columns[one], columns[other], recipe)
    order = _in_order(worth, side)
    entries = []
    for one, other in _pairs(order):
        williams = williams_test(side.means, columns[one], columns[other])
        between: dict[str, Any] = {"difference": number(worth[one] - worth[other]), "statistic": "pearson"}
        entries.append(
            _comparison(
                side, one, other, "system", "none", **between, p=williams.p, test="williams", reason=williams.reason
            )
        )
        entries.append(_comparison(side, one, other, "system", "none", **between, p=p[one, other], test="perm-both"))
    return entries, _groups(side, order, worth, p, recipe)


def compare_on_segments(side: SideBySide, recipe: Recipe) -> tuple[list[dict[str, Any]], Groups]:
    """Accuracy with ties within segments, outcomes of pairs swapped; and Williams' test of all cells at once."""
    if not side.metrics or not side.segment.size:
        return [], {}
    found = compare_accuracies(
        side.cells,
        [metric.cells for metric in side.metrics],
        resamples=RESAMPLES,
        rng=np.random.default_rng(recipe.seed),
    )
    order = _in_order(found.values, side)
    entries = []
    for one, other in _pairs(order):
        of_items: dict[str, Any] = {
            "difference": number(found.difference[one, other]),
            "statistic": "accuracy_with_ties",
        }
        entry = _comparison(side, one, other, "segment", "item", **of_items, p=found.p[one, other], test="perm-both")
        cells = [side.cells.ravel(), side.metrics[one].cells.ravel(), side.metrics[other].cells.ravel()]
        williams = williams_test(*cells)
        between: dict[str, Any] = {"difference": number(williams.difference), "statistic": "pearson"}
        told: dict[str, Any] = {"p": williams.p, "test": "williams", "reason": williams.reason}
        entries += [
            entry,
            _comparison(side, one, other, "segment", "none", **between, **told),
        ]
    return entries, _groups(side, order, found.values, found.p, recipe)


def _permuted(people: FloatArray, first: FloatArray, second: FloatArray, recipe: Recipe) -> float:
    return permutation_test(
        people, first, second, mode="both", resamples=RESAMPLES, rng=np.random.default_rng(recipe.seed)
    ).p


def _in_order(worth: FloatArray, side: SideBySide) -> list[int]:
    """Closest to people first; equals by name, those without a number last."""
    filled = np.where(np.isnan(worth), -np.inf, worth)
    return sorted(range(len(side.metrics)), key=lambda place: (-filled[place], side.metrics[place].name))


def _pairs(order: Sequence[int]) -> list[tuple[int, int]]:
    return [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]


def _groups(side: SideBySide, order: list[int], worth: FloatArray, p: FloatArray, recipe: Recipe) -> Groups:
    ranked = [place for place in order if not np.isnan(worth[place])]
    groups = significance_groups(p[np.ix_(ranked, ranked)], alpha=recipe.alpha)
    return {side.metrics[place].name: group for place, group in zip(ranked, groups, strict=True)}


def _comparison(
    side: SideBySide,
    one: int,
    other: int,
    level: str,
    grouping: str,
    *,
    p: float,
    test: str,
    reason: str = "",
    **between: Any,
) -> dict[str, Any]:
    named = {"first": side.metrics[one].name, "second": side.metrics[other].name}
    return {
        **named,
        "level": level,
        "grouping": grouping,
        **between,
        "p": number(float(p)),
        "test": test,
        "reason": reason or None,
    }
