"""Every two metrics compared, the one closer to people first, and the groups that cannot be told apart."""

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from metrics.analyses.metric_levels import RESAMPLES
from metrics.analyses.people_and_metrics import SideBySide
from metrics.recipes import Recipe
from metrics.results.values import Number, number
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.coefficients import pearson
from metrics.statistics.correlation.comparing import (
    NO_COMMON_PAIR,
    Williams,
    compare_accuracies,
    permutation_test,
    significance_groups,
    williams_test,
)

Groups = dict[str, int]


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
        (one, other): permutation_test(
            side.means, columns[one], columns[other], resamples=RESAMPLES, rng=np.random.default_rng(recipe.seed)
        )
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
        rng=np.random.default_rng(recipe.seed),
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
