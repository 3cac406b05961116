"""What a ranking says of each system and of each pair, made of values, tests, ranks and clusters."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TypedDict

import numpy as np

from metrics.analyses.histograms import drawn_high, histogram
from metrics.analyses.pair_tests import PairTests
from metrics.analyses.system_values import SystemValues, mean_interval, means_over_units
from metrics.analyses.wmt_rules import PairedBound, UnpairedBound, bounds_of, differing
from metrics.matrices import ScoreTable, turned
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.scales import probability_of_superiority
from metrics.statistics.wins import neighbour_lines

BY_MODEL, BY_DOCUMENTS = "model", "documents"


@dataclass(frozen=True)
class RankedSystem:
    """Means in natural units, z upwards; `segments` were judged by `judgments`. `rank` is (first, last), from 1.

    `neighbour_line` is whether the system beats the next one, where the recipe looks at neighbours.
    """

    system: str
    measure: str
    judgments: int
    segments: int
    mean: Number
    interval: Ends
    z_mean: Number
    z_interval: Ends
    rank: tuple[int, int]
    cluster: int
    wins: int
    losses: int
    histogram: tuple[int, ...] | Missing
    histogram_range: Ends
    neighbour_line: bool | None = None


@dataclass(frozen=True)
class PairTest:
    """`share` of the `shared` segments on which the first system is better, ties halved; `is_win`: significantly.

    `difference` is how far the first system is from the second in natural units: by the mixed model (`difference_by`
    is `model`), or the difference of their means on these segments with its bootstrap (`documents`). None for
    preferences, and from before it was computed. The rules of WMT 2025 and 2026 have `better`. Where bounds
    decide, `difference` is that of the systems' means; a one-sided signed-rank test has the `n` units that differ.
    """

    first: str
    second: str
    measure: str
    p: Number
    p_corrected: Number
    share: Number
    shared: int
    is_win: bool
    difference: Number | None = None
    difference_interval: Ends | None = None
    difference_by: str | None = None
    better: bool | None = None
    paired: PairedBound | None = None
    unpaired: UnpairedBound | None = None
    n: int | None = None


def system_entries(
    table: ScoreTable,
    values: SystemValues,
    tests: PairTests,
    recipe: Recipe,
    mean_of: Callable[[int], tuple[Number, Ends]],
    ranks: IntArray,
    clusters: IntArray,
) -> list[RankedSystem]:
    """`mean_of`: the value that the system at a place in the order is shown with, and its interval."""
    natural = turned(values.raw, higher_is_better=table.higher_is_better)
    high = drawn_high(natural, low=table.low, high=table.high)
    lines = neighbour_lines(tests.wins).tolist() if recipe.ranks == "neighbours" else [None] * len(values.names)
    no_z = "not_normalised" if recipe.normalisation == "none" or table.is_relative else "no_deviation"
    entries = []
    for place, name in enumerate(values.names):
        mean, interval = mean_of(place)
        z_mean = number(float(values.z_means[place]), no_z)
        first, last = ranks[place].tolist()
        entries.append(
            RankedSystem(
                system=name,
                measure=table.measure,
                judgments=int(values.judgments[place]),
                segments=int(np.unique(values.units.code[~np.isnan(values.raw[place])]).size),
                mean=mean,
                interval=interval,
                z_mean=z_mean,
                z_interval=interval_ends(mean_interval(values.z[place], values.units, recipe), z_mean),
                rank=(first, last),
                cluster=int(clusters[place]),
                wins=int(tests.wins[place].sum()),
                losses=int(tests.wins[:, place].sum()),
                histogram=histogram(natural[place], low=table.low, high=high),
                histogram_range=(table.low, high) if math.isfinite(high - table.low) else Missing("open_scale"),
                neighbour_line=lines[place],
            )
        )
    return entries


def pair_entries(
    table: ScoreTable,
    values: SystemValues,
    tests: PairTests,
    recipe: Recipe,
    of_one_text: Mapping[frozenset[str], IntArray] = MappingProxyType({}),
    by_model: Mapping[tuple[str, str], tuple[float, tuple[float, float]]] = MappingProxyType({}),
) -> list[PairTest]:
    """`of_one_text`: units on which two systems wrote the same text, so that there is nothing to compare.

    `by_model`: differences and their intervals that stand instead of those of the documents.
    """
    of_documents = partial(_difference, table, values, recipe)
    entries = []
    for first, second, p, p_corrected in zip(tests.first, tests.second, tests.p, tests.p_corrected, strict=True):
        names = values.names[first], values.names[second]
        own = np.where(np.isin(values.units.code, of_one_text.get(frozenset(names), ())), np.nan, values.raw[first])
        above = probability_of_superiority(own, values.raw[second])
        no_p = "no_shared_segments" if recipe.needs_shared_segments and not above.n else "no_difference"
        no_p = "bounds_instead" if tests.bounds else no_p
        entries.append(
            PairTest(
                *names,
                measure=table.measure,
                p=number(p, no_p),
                p_corrected=number(p_corrected, no_p),
                share=number(above.value, "no_shared_segments"),
                shared=above.n,
                is_win=bool(tests.wins[first, second]),
                **(_as_modelled(*by_model[names]) if names in by_model else of_documents(first, second)),
                **_of_2025(own, values.raw[second], recipe, is_win=bool(tests.wins[first, second])),
            )
        )
    if tests.bounds:
        bounds = [vars(bounds_of(bound, table.natural)) for bound in tests.bounds]
        return [replace(entry, **fields) for entry, fields in zip(entries, bounds, strict=True)]
    return entries


class _Of2025(TypedDict, total=False):
    better: bool
    n: int


def _of_2025(x: FloatArray, y: FloatArray, recipe: Recipe, *, is_win: bool) -> _Of2025:
    return {"better": is_win, "n": differing(x, y)} if recipe.test == "signed-rank-greater" else {}


class _Difference(TypedDict):
    difference: Number | None
    difference_interval: Ends | None
    difference_by: str | None


def _as_modelled(difference: float, interval: tuple[float, float]) -> _Difference:
    return {"difference": difference, "difference_interval": interval, "difference_by": BY_MODEL}


def _difference(table: ScoreTable, values: SystemValues, recipe: Recipe, first: int, second: int) -> _Difference:
    if table.is_relative:
        return {"difference": None, "difference_interval": None, "difference_by": None}
    gap = values.raw[first] - values.raw[second]
    mean = number(table.natural(float(means_over_units(gap[None], values.units, recipe)[0])), "no_shared_segments")
    interval = mean_interval(gap, values.units, recipe)
    return {
        "difference": mean,
        "difference_interval": interval_ends(interval, mean, is_turned=not table.higher_is_better),
        "difference_by": BY_DOCUMENTS,
    }
