"""The analysis `ranking`: each system's mean and z mean with intervals, and which systems differ significantly."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypedDict

import numpy as np

from metrics.analyses.controls import shares_outdone
from metrics.analyses.distributions import Points, distributions
from metrics.analyses.evidence import Evidence
from metrics.analyses.evidence_of_difference import evidence_of_difference
from metrics.analyses.histograms import drawn_high, histogram
from metrics.analyses.pair_tests import PairTests, compare_pairs, documents_needed
from metrics.analyses.preferences import ModelFits, Models, models, preferences_of, units_of_one_text, win_draws
from metrics.analyses.rater_filter import RaterFilter
from metrics.analyses.system_values import SystemValues, mean_interval, means_over_units, system_values
from metrics.analyses.wmt_rules import DomainBests, PairedBound, UnpairedBound, bounds_of, differing, domain_bests
from metrics.matrices import ScoreTable, turned
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.resampling import FEW_RESAMPLES, FEWEST_RESAMPLES, Interval, no_interval, percentile_interval
from metrics.statistics.scales import probability_of_superiority
from metrics.statistics.wins import (
    clusters_from_ranges,
    clusters_from_wins,
    expected_wins,
    neighbour_lines,
    rank_ranges,
    rank_ranges_by_neighbours,
    rank_ranges_from_wins,
)

FEWEST_SYSTEMS = 2
FEWEST_PER_SYSTEM = 10
SMALLEST_SHARE_OF_PLAN = 0.1


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

    `difference` is the first system's mean minus the second's on these segments, in natural units; None for
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
    better: bool | None = None
    paired: PairedBound | None = None
    unpaired: UnpairedBound | None = None
    n: int | None = None


@dataclass(frozen=True)
class TooEarly:
    """There are fewer `judgments` than `needed`; `reason` says of what."""

    reason: str
    judgments: int
    needed: int


@dataclass(frozen=True, kw_only=True)
class RankedMeasures:
    """Systems in rank order and all pairs tested, one measure after another.

    `ordered_by` says what each measure's order and tests rest on; `without_z` names annotators without z-scores;
    `notes` say why a difference could not be detected: `no_shared_segments` (some pair of systems was never judged
    on the same segment, which a paired test needs) and `few_documents` (fewer than `documents_needed`, so that no
    flipping of whole documents reaches significance beside so many pairs; `documents_judged` is how many there are). A
    measure that is compared within a screen is ranked by preferences, and has `models` and their `fits`. Where no two
    systems differ in a measure, `detectable` has the difference that could have been seen, in the unit of
    `ordered_by`.
    """

    systems: tuple[RankedSystem, ...] = listed(empty="no_judgments")
    tests: tuple[PairTest, ...] = listed(empty="too_few_systems")
    ordered_by: Mapping[str, str]
    without_z: tuple[str, ...]
    notes: tuple[str, ...]
    documents_needed: int | None = None
    documents_judged: int | None = None
    detectable: Mapping[str, float] | None = None
    models: Models | None = None
    fits: ModelFits | None = None

    @property
    def main_measure(self) -> str:
        """What systems are compared by, the first measure; empty where nothing was ranked."""
        return next((system.measure for system in self.systems), "")

    @property
    def compared(self) -> list[RankedSystem]:
        """The systems by that measure."""
        return [system for system in self.systems if system.measure == self.main_measure]


@dataclass(frozen=True, kw_only=True)
class Ranking(RankedMeasures):
    """Of segments; scores of whole `documents` have their own units and stay separate.

    `too_early` is None, or why the ranking is. Scales of few points have `distributions`. A recipe may drop annotators
    (`filter`); one that reproduces others has each domain's best system, and what `own_recipe` says, the protocol's.
    """

    too_early: TooEarly | None
    distributions: tuple[Points, ...] | None = None
    documents: RankedMeasures | None = None
    filter: RaterFilter | None = None
    domains: DomainBests | None = None
    own_recipe: str | None = None
    own: RankedMeasures | None = None

    @property
    def main(self) -> RankedMeasures:
        """What systems are compared by: segments' scores, or those of whole documents where there are no others."""
        return self if self.systems or self.documents is None else self.documents

    @property
    def points(self) -> dict[str, list[Points]]:
        """`distributions` by measure, each in the order of the measure's ranking."""
        order = {(one.measure, one.system): place for place, one in enumerate(self.systems)}
        by_measure: dict[str, list[Points]] = {one.measure: [] for one in self.distributions or ()}
        for one in sorted(self.distributions or (), key=lambda one: order.get((one.measure, one.system), len(order))):
            by_measure[one.measure].append(one)
        return by_measure


def ranking(evidence: Evidence) -> Ranking:
    """With the answer of the protocol's own recipe beside one that reproduces others."""
    result = ranking_alone(evidence)
    if evidence.own_recipe is None:
        return result
    own = ranking_alone(replace(evidence, recipe=evidence.own_recipe, own_recipe=None)).main
    return replace(result, own_recipe=evidence.own_recipe.name, own=own)


def ranking_alone(evidence: Evidence) -> Ranking:
    """Measures that do not compare systems (the number of questions) are left out."""
    compared = [table for table in evidence.tables if table.is_compared]
    of_segments = [table.where(~table.is_document_level) for table in compared]
    of_documents = [table.where(table.is_document_level) for table in compared]
    result = Ranking(
        **vars(_ranked_measures(evidence, [table for table in of_segments if len(table)])),
        distributions=distributions(evidence) or None,
        documents=_ranked_measures(evidence, filled) if (filled := [one for one in of_documents if len(one)]) else None,
        too_early=None,
        filter=evidence.fits,
        domains=domain_bests(evidence) if evidence.recipe.reproducing else None,
    )
    counts = {entry.system: entry.judgments for entry in result.main.systems}
    return replace(result, too_early=too_early(counts, judgments=evidence.judgments, planned=evidence.planned))


def too_early(per_system: Mapping[str, int], *, judgments: int, planned: int | None) -> TooEarly | None:
    """Why a ranking is too early, or None. The numbers are computed either way.

    `per_system` counts the judgments that rank each system; `judgments` those of every kind, as `planned` does.
    """
    share = math.ceil(SMALLEST_SHARE_OF_PLAN * planned) if planned else 0
    if len(per_system) < FEWEST_SYSTEMS:
        return TooEarly("too_few_systems", judgments, max(FEWEST_SYSTEMS * FEWEST_PER_SYSTEM, share))
    if judgments < share:
        return TooEarly("too_little_of_plan", judgments, share)
    fewest = min(per_system.values())
    return TooEarly("too_few_per_system", fewest, FEWEST_PER_SYSTEM) if fewest < FEWEST_PER_SYSTEM else None


def _ranked_measures(evidence: Evidence, tables: list[ScoreTable]) -> RankedMeasures:
    each = [(_ranked_by_preference if table.is_relative else _ranked_by_value)(evidence, table) for table in tables]
    notes = {note for one in each for note in one.notes}
    most_pairs = max((len(one.tests) for one in each), default=0)
    by_preference = next((one for one in each if one.models), None)
    return RankedMeasures(
        systems=tuple(system for one in each for system in one.systems),
        tests=tuple(test for one in each for test in one.tests),
        ordered_by=dict(item for one in each for item in one.ordered_by.items()),
        without_z=tuple(sorted({name for one in each for name in one.without_z})),
        notes=tuple(sorted(notes)),
        documents_needed=documents_needed(most_pairs, evidence.recipe) if "few_documents" in notes else None,
        documents_judged=min((one.documents_judged for one in each if one.documents_judged), default=None),
        detectable=dict(item for one in each for item in (one.detectable or {}).items()) or None,
        models=by_preference.models if by_preference else None,
        fits=by_preference.fits if by_preference else None,
    )


def _ranked_by_value(evidence: Evidence, table: ScoreTable) -> RankedMeasures:
    recipe = evidence.recipe
    values = system_values(evidence, table, each_score=recipe.units == "score").in_rank_order()
    tests = compare_pairs(values.ordering, values.ordering_means, values.units, recipe)
    by_neighbours = recipe.ranks == "neighbours"
    ranks = (rank_ranges_by_neighbours if by_neighbours else rank_ranges_from_wins)(tests.wins)
    clusters = clusters_from_ranges(ranks) if recipe.clusters == "ranges" else clusters_from_wins(tests.wins)

    def mean_of(place: int) -> tuple[Number, Ends]:
        mean = number(table.natural(float(values.raw_means[place])), "never_decided")
        interval = mean_interval(values.raw[place], values.units, evidence.recipe)
        return mean, interval_ends(interval, mean, is_turned=not table.higher_is_better)

    return RankedMeasures(
        systems=tuple(_system_entries(table, values, tests, evidence.recipe, mean_of, ranks, clusters)),
        tests=tuple(_test_entries(table, values, tests, evidence.recipe)),
        ordered_by={table.measure: "z" if values.by_z else "mean"},
        without_z=tuple(values.without_z),
        **evidence_of_difference(table, values, values.ordering, tests, evidence.recipe),
    )


def _ranked_by_preference(evidence: Evidence, table: ScoreTable) -> RankedMeasures:
    """Order, intervals, ranks and clusters by expected wins; tests by the share of the screen that a system outdid."""
    recipe = replace(evidence.recipe, normalisation="none")
    evidence = replace(evidence, recipe=recipe)
    shares = replace(table, values=shares_outdone(table), higher_is_better=True, low=-math.inf, high=math.inf)
    counted = table.where(evidence.of_systems(table))
    preferences = preferences_of(counted)
    n_systems = len(table.systems)
    worth = expected_wins(preferences.counts(n_systems)[0])
    draws = win_draws(preferences, n_systems, recipe)
    values = system_values(evidence, shares)
    values = values.in_order_of(worth[[table.systems.index(name) for name in values.names]])
    codes = [table.systems.index(name) for name in values.names]
    tests = compare_pairs(values.raw, worth[codes], values.units, recipe)
    enough = draws if len(draws) >= FEWEST_RESAMPLES else draws[:0]  # with too few, any rank is possible
    ranges = rank_ranges(enough[:, codes], level=recipe.interval_level)
    clusters = clusters_from_ranges(ranges)

    def mean_of(place: int) -> tuple[Number, Ends]:
        mean = number(float(worth[codes[place]]), "never_decided")
        return mean, interval_ends(_interval_of_wins(draws[:, codes[place]], recipe), mean)

    of_models, fits = models(preferences, recipe)
    return RankedMeasures(
        systems=tuple(_system_entries(shares, values, tests, recipe, mean_of, ranges, clusters)),
        tests=tuple(_test_entries(shares, values, tests, recipe, units_of_one_text(counted))),
        ordered_by={table.measure: "expected_wins"},
        without_z=(),
        **evidence_of_difference(table, values, values.raw, tests, recipe),
        models=of_models,
        fits=fits,
    )


def _interval_of_wins(draws: FloatArray, recipe: Recipe) -> Interval:
    """None for a single document: resampling needs at least two."""
    interval = percentile_interval(draws, recipe.interval_level)
    return no_interval("one_document") if interval.reason not in ("", FEW_RESAMPLES) else interval


def _system_entries(
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


def _test_entries(
    table: ScoreTable,
    values: SystemValues,
    tests: PairTests,
    recipe: Recipe,
    of_one_text: Mapping[frozenset[str], IntArray] = MappingProxyType({}),
) -> list[PairTest]:
    """`of_one_text`: units on which two systems wrote the same text, so that there is nothing to compare."""
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
                **_difference(table, values, first, second, recipe),
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


def _difference(table: ScoreTable, values: SystemValues, first: int, second: int, recipe: Recipe) -> _Difference:
    if table.is_relative:
        return {"difference": None, "difference_interval": None}
    gap = values.raw[first] - values.raw[second]
    mean = number(table.natural(float(means_over_units(gap[None], values.units, recipe)[0])), "no_shared_segments")
    interval = mean_interval(gap, values.units, recipe)
    return {
        "difference": mean,
        "difference_interval": interval_ends(interval, mean, is_turned=not table.higher_is_better),
    }
