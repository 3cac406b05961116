"""The analysis `ranking`: each system's mean and z mean with intervals, and which systems differ significantly."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from metrics.analyses.calibrated import CalibratedAs, calibrated_as
from metrics.analyses.controls import shares_outdone
from metrics.analyses.distributions import Points, distributions
from metrics.analyses.evidence import Evidence
from metrics.analyses.evidence_of_difference import evidence_of_difference
from metrics.analyses.mixed import Modelled, difference_of, mean_of, modelled
from metrics.analyses.pair_tests import compare_pairs, documents_needed
from metrics.analyses.preferences import ModelFits, Models, models, preferences_of, units_of_one_text, win_draws
from metrics.analyses.ranked_systems import BY_MODEL, PairTest, RankedSystem, pair_entries, system_entries
from metrics.analyses.rater_filter import RaterFilter
from metrics.analyses.system_values import mean_interval, system_values
from metrics.analyses.wmt_rules import DomainBests, domain_bests
from metrics.matrices import ScoreTable
from metrics.recipes import MIXED, Recipe
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.arrays import FloatArray
from metrics.statistics.evenness import Unevenness
from metrics.statistics.mixed.design import components
from metrics.statistics.resampling import FEW_RESAMPLES, FEWEST_RESAMPLES, Interval, no_interval, percentile_interval
from metrics.statistics.wins import (
    clusters_from_ranges,
    clusters_from_wins,
    expected_wins,
    rank_ranges,
    rank_ranges_by_neighbours,
    rank_ranges_from_wins,
)

ANNOTATORS_APART = "annotators_apart"
FEWEST_SYSTEMS = 2
FEWEST_PER_SYSTEM = 10
SMALLEST_SHARE_OF_PLAN = 0.1


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
    `notes` say what means are of (`chosen_items`), or why a difference could not be detected: `no_shared_segments`
    (some pair of systems was never judged on the same segment, which a paired test needs) and `few_documents` (fewer
    than `documents_needed`, so that no flipping of whole documents reaches significance beside so many pairs;
    `documents_judged` is how many there are), and `not_connected` (some systems have no annotator in common, directly
    or through others, which the mixed model needs; for means it is `annotators_apart`, and `components` are the groups
    either way). A measure that is compared within a screen is ranked by
    preferences, and has `models` and their `fits`. Where no two systems differ in a measure, `detectable` has the
    difference that could have been seen, in the unit of `ordered_by`.
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
    formula: str | None = None
    df: int | None = None
    components: tuple[tuple[str, ...], ...] | None = None

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
    (`filter`); one that reproduces others has each domain's best system. Beside one that reproduces, and beside the
    mixed model, is what `own_recipe` says, the protocol's. `decided_by` are the reasons why the mixed model decides,
    `uneven` how unevenly annotators are spread over systems where raw means should not decide. `calibrated` names the
    simulated campaigns that this one is most like.
    """

    too_early: TooEarly | None
    distributions: tuple[Points, ...] | None = None
    documents: RankedMeasures | None = None
    filter: RaterFilter | None = None
    domains: DomainBests | None = None
    own_recipe: str | None = None
    own: RankedMeasures | None = None
    decided_by: tuple[str, ...] | None = None
    uneven: Unevenness | None = None
    calibrated: CalibratedAs | None = None

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
    """With the answer of the protocol's own recipe beside another that needs it."""
    result = ranking_alone(evidence)
    result = replace(result, decided_by=evidence.decided_by or None, uneven=evidence.uneven)
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
    return replace(
        result,
        too_early=too_early(counts, judgments=evidence.judgments, planned=evidence.planned),
        calibrated=calibrated_as(evidence, result.main.ordered_by.get(result.main.main_measure)),
    )


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
    each = [_ranked(evidence, table) for table in tables]
    notes = {note for one in each for note in one.notes}
    notes |= {"chosen_items"} if evidence.is_choice_biased and each else set()
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
        formula=each[0].formula if each else None,
        df=each[0].df if each else None,
        components=next((one.components for one in each if one.components), None),
    )


def _ranked(evidence: Evidence, table: ScoreTable) -> RankedMeasures:
    if table.is_relative:
        return _ranked_by_preference(evidence, table)
    by_model = evidence.recipe.test == MIXED
    result = (_ranked_by_model if by_model else _ranked_by_value)(evidence, table)
    groups = _components(evidence, table, [system.system for system in result.systems])
    if len(groups) < FEWEST_SYSTEMS:  # all are connected
        return result
    notes = result.notes if by_model else (*result.notes, ANNOTATORS_APART)
    return replace(result, notes=notes, components=groups)


def _components(evidence: Evidence, table: ScoreTable, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of systems, by name, that no chain of annotators connects; in rank order, as `names` are."""
    used = table.where(evidence.of_systems(table))
    numbers = components(used.system, used.annotator, len(table.systems), len(table.annotators))
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(int(numbers[table.systems.index(name)]), []).append(name)
    return tuple(tuple(group) for group in groups.values())


def _ranked_by_model(evidence: Evidence, table: ScoreTable) -> RankedMeasures:
    """Order, intervals and tests by the mixed model; shares of wins are of the segments that both systems have."""
    recipe = evidence.recipe
    result = modelled(evidence, table)
    values = system_values(evidence, table)
    values = values.in_order_of(result.means_of(values.names))
    tests = result.tests
    ranks, clusters = rank_ranges_from_wins(tests.wins), clusters_from_wins(tests.wins)
    pairs = pair_entries(table, values, tests, recipe)
    smallest = result.detectable()
    return RankedMeasures(
        systems=tuple(system_entries(table, values, tests, recipe, partial(mean_of, result, table), ranks, clusters)),
        tests=tuple(_tested_by_model(result, table, place, pair) for place, pair in enumerate(pairs)),
        ordered_by={table.measure: "model"},
        without_z=(),
        notes=result.notes,
        detectable=None if smallest is None else {table.measure: smallest},
        formula=result.model.design.formula,
        df=result.model.degrees_of_freedom,
    )


def _tested_by_model(result: Modelled, table: ScoreTable, place: int, pair: PairTest) -> PairTest:
    """The pair at a place in `contrasts` with the model's difference and p."""
    difference, interval = difference_of(result, table, place)
    p, corrected = (number(float(one[place]), result.no_p) for one in (result.tests.p, result.tests.p_corrected))
    found = replace(pair, p=p, p_corrected=corrected, difference=difference, difference_interval=interval)
    return replace(found, difference_by=BY_MODEL)


def _differences(result: Modelled, table: ScoreTable) -> dict[tuple[str, str], tuple[float, tuple[float, float]]]:
    """Of pairs in both orders, where the model has them: these hold in every design."""
    found = {}
    for at, (one, two) in enumerate(result.contrasts.pairs):
        first, second = result.names[one], result.names[two]
        difference, interval = difference_of(result, table, at)
        if not isinstance(difference, Missing) and not isinstance(interval, Missing):
            found[first, second] = difference, interval
            found[second, first] = 0.0 - difference, (0.0 - interval[1], 0.0 - interval[0])
    return found


def _ranked_by_value(evidence: Evidence, table: ScoreTable) -> RankedMeasures:
    recipe = evidence.recipe
    values = system_values(evidence, table, each_score=recipe.units == "score").in_rank_order()
    tests = compare_pairs(values.ordering, values.ordering_means, values.units, recipe)
    by_neighbours = recipe.ranks == "neighbours"
    ranks = (rank_ranges_by_neighbours if by_neighbours else rank_ranges_from_wins)(tests.wins)
    clusters = clusters_from_ranges(ranks) if recipe.clusters == "ranges" else clusters_from_wins(tests.wins)

    def mean_of(place: int) -> tuple[Number, Ends]:
        mean = number(table.natural(float(values.raw_means[place])), "never_decided")
        interval = mean_interval(values.raw[place], values.units, recipe)
        return mean, interval_ends(interval, mean, is_turned=not table.higher_is_better)

    is_ours = recipe.test == "permutation"  # other tests have the means that they are about
    by_model = _differences(modelled(evidence, table), table) if is_ours else {}
    return RankedMeasures(
        systems=tuple(system_entries(table, values, tests, recipe, mean_of, ranks, clusters)),
        tests=tuple(pair_entries(table, values, tests, recipe, by_model=by_model)),
        ordered_by={table.measure: "z" if values.by_z else "mean"},
        without_z=tuple(values.without_z),
        **evidence_of_difference(table, values, values.ordering, tests, recipe),
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
        systems=tuple(system_entries(shares, values, tests, recipe, mean_of, ranges, clusters)),
        tests=tuple(pair_entries(shares, values, tests, recipe, units_of_one_text(counted))),
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
