"""The analysis `placebo`: how often each recipe would find a difference here if there were none; made on request."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
import scipy

from metrics.analyses.evidence import Evidence
from metrics.analyses.pair_tests import compare_pairs
from metrics.analyses.system_values import SystemValues, Units, means_over_units, system_values
from metrics.matrices import ScoreTable
from metrics.recipes import MIXED, RECIPES, Recipe, same_judgments
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, group_sums, joint_codes
from metrics.statistics.calibration import (
    FEWEST_DOCUMENTS,
    documents_permuted,
    placebo_rate,
    wilson_interval,
)
from metrics.statistics.mixed import RESIDUAL, mixed_model
from metrics.statistics.mixed.relabelled import CELL, Scores, relabelled
from metrics.statistics.permutation import p_of_flips
from metrics.statistics.significance import holm
from metrics.statistics.wins import clusters_from_ranges, rank_ranges_by_neighbours

USUAL = "assay"
TRIALS, CAMPAIGNS, PERMUTATIONS = 1_000, 200, 1_000
NEAR = 0.2  # a rule holds if its interval meets its nominal rate, give or take this part of it
HOLDS, TOO_OFTEN, TOO_RARELY = "holds", "too_often", "too_rarely"


@dataclass(frozen=True)
class PlaceboRule:
    """`rate` of pairs called different, before any correction, where `nominal` is what the rule promises.

    `campaign_rate` is the share of campaigns in which the whole recipe, corrected as it corrects, sees any difference.
    `decides` is the rule by which the systems of this run are ranked.
    """

    rule: str
    nominal: float
    rate: Number
    interval: Ends
    campaign_rate: Number
    campaign_interval: Ends
    verdict: str | Missing
    decides: bool


@dataclass(frozen=True)
class PlaceboMeasure:
    """`trials` are those of each rule; `reason` says why there are none."""

    measure: str
    documents: int
    pairs: int
    trials: int
    rules: tuple[PlaceboRule, ...]
    reason: str | None

    @property
    def deciding(self) -> PlaceboRule | None:
        return next((rule for rule in self.rules if rule.decides), None)


@dataclass(frozen=True)
class Placebo:
    """`campaigns` were permuted as wholes for each rule."""

    measures: tuple[PlaceboMeasure, ...]
    campaigns: int = 0

    @property
    def main(self) -> PlaceboMeasure | None:
        return next(iter(self.measures), None)


def placebo(evidence: Evidence) -> Placebo:
    """Of each measure that compares systems; of whole documents where that is all there is."""
    compared = [table for table in evidence.tables if table.is_compared and len(table)]
    levels = [table.where(table.is_document_level == table.is_document_level.all()) for table in compared]
    return Placebo(tuple(_of_measure(evidence, table) for table in levels), CAMPAIGNS)


def rules_for(recipe: Recipe) -> dict[str, Recipe]:
    """The recipes to be judged by name: that of the run first, `assay` with z-scores and raw; then the others."""
    others = {
        "assay-z": RECIPES[USUAL],
        "assay-raw": replace(RECIPES[USUAL], normalisation="none"),
        **{name: one for name, one in RECIPES.items() if name != USUAL and not one.weights},
    }
    if RECIPES[recipe.name].weights:
        del others["assay-raw"]  # the same rule
    name = recipe.name
    if name == USUAL:
        name = "assay-raw" if recipe.normalisation == "none" else "assay-z"
    own = {name: recipe}
    return own | {name: same_judgments(one, recipe) for name, one in others.items() if name not in own}


def _of_measure(evidence: Evidence, table: ScoreTable) -> PlaceboMeasure:
    values = system_values(evidence, table)
    n_pairs, documents = len(values.names) * (len(values.names) - 1) // 2, int(np.unique(values.units.document).size)
    reason = None
    if table.is_relative:
        reason = "compared_within_screens"
    elif not n_pairs:
        reason = "too_few_systems"
    elif documents < FEWEST_DOCUMENTS:
        reason = "few_documents"
    elif np.nanmax(values.raw) == np.nanmin(values.raw):
        reason = "no_variation"
    if reason is not None:
        return PlaceboMeasure(table.measure, documents, n_pairs, 0, (), reason)
    rules, trials = [], 0
    for place, (name, recipe) in enumerate(rules_for(evidence.recipe).items()):
        judged = replace(evidence, recipe=recipe)
        if recipe.test == MIXED:
            outcome = _of_model(table.where(judged.of_systems(table)), recipe)
        else:
            outcome = _of_cells(system_values(judged, table, each_score=recipe.units == "score"), recipe)
        rules.append(_rule(name, recipe, outcome, decides=place == 0))
        trials = max(trials, outcome.trials)
    return PlaceboMeasure(table.measure, documents, n_pairs, trials, tuple(rules), None)


@dataclass(frozen=True)
class _Outcome:
    """Of `trials` so many pairs were `called` different; of all campaigns so many had any `wins`."""

    called: int
    trials: int
    wins: int


def _rule(name: str, recipe: Recipe, outcome: _Outcome, *, decides: bool) -> PlaceboRule:
    called, trials, wins = outcome.called, outcome.trials, outcome.wins
    rate = number(called / trials if trials else np.nan, "few_documents")
    campaign_rate = number(wins / CAMPAIGNS if trials else np.nan, "few_documents")
    nominal = recipe.alpha * (2 if recipe.one_sided else 1)
    interval = interval_ends(wilson_interval(called, trials), rate)
    return PlaceboRule(
        rule=name,
        nominal=nominal,
        rate=rate,
        interval=interval,
        campaign_rate=campaign_rate,
        campaign_interval=interval_ends(wilson_interval(wins, CAMPAIGNS), campaign_rate),
        verdict=interval if isinstance(interval, Missing) else verdict_of(interval, nominal),
        decides=decides,
    )


def _of_cells(values: SystemValues, recipe: Recipe) -> _Outcome:
    called, trials = _pairs_called(values, replace(recipe, resamples=min(recipe.resamples, PERMUTATIONS)))
    return _Outcome(called, trials, _campaigns_with_a_win(values, recipe) if trials else 0)


def _of_model(table: ScoreTable, recipe: Recipe) -> _Outcome:
    """By the mixed model, with the variances that the real campaign has."""
    columns = (table.system, table.annotator, table.document, table.unit)
    system, annotator, document, segment = (np.unique(codes, return_inverse=True)[1] for codes in columns)
    terms = recipe.terms or None
    model = mixed_model(table.values, system, annotators=annotator, documents=document, segments=segment, terms=terms)
    df, shape = model.degrees_of_freedom, (int(document.max()) + 1, int(system.max()) + 1)
    if model.reason or df < FEWEST_DOCUMENTS - 1 or not model.variances[RESIDUAL]:
        return _Outcome(0, 0, 0)
    parts = relabelled(Scores(table.values, system, annotator, document, segment), model.variances)
    pairs, rng = np.triu_indices(shape[1], k=1), recipe.rng
    pair = np.resize(rng.permutation(pairs[0].size), TRIALS)
    labels = np.broadcast_to(np.arange(shape[1]), (pair.size, *shape)).copy()
    trial, at = np.nonzero(rng.random((pair.size, shape[0])) < 0.5)
    one, other = pairs[0][pair[trial]], pairs[1][pair[trial]]
    labels[trial, at, one], labels[trial, at, other] = other, one
    freedom = _free_cells(system, document, model.variances)
    p = 2 * scipy.special.stdtr(df, -parts.t_of_pairs(labels, pairs, freedom=freedom))
    called = p[np.arange(pair.size), pair] < recipe.alpha
    permuted = np.argsort(rng.random((CAMPAIGNS, *shape)), axis=2)
    in_campaigns = 2 * scipy.special.stdtr(df, -parts.t_of_pairs(permuted, pairs, freedom=freedom))
    corrected = (holm(row) if recipe.correction == "holm" else row for row in in_campaigns)
    return _Outcome(int(called.sum()), pair.size, sum(bool((row < recipe.alpha).any()) for row in corrected))


def _free_cells(system: IntArray, document: IntArray, variances: Mapping[str, float]) -> int:
    """Of documents of a system, where they vary by themselves, else of scores: those that means leave free."""
    cells = np.unique(joint_codes(document, system)).size if variances.get(CELL, 0.0) > 0 else system.size
    return max(1, cells - np.unique(document).size - np.unique(system).size + 1)


def verdict_of(interval: tuple[float, float], nominal: float) -> str:
    """Whether an interval meets what is promised, give or take a fifth of it."""
    if interval[0] > nominal * (1 + NEAR):
        return TOO_OFTEN
    return TOO_RARELY if interval[1] < nominal * (1 - NEAR) else HOLDS


def _pairs_called(values: SystemValues, recipe: Recipe) -> tuple[int, int]:
    """How many trials called two systems different, and how many there were."""
    rng = recipe.rng
    pairs = list(combinations(range(len(values.names)), 2))
    if len(pairs) > TRIALS:
        pairs = [pairs[place] for place in rng.choice(len(pairs), TRIALS, replace=False).tolist()]
    swaps = -(-TRIALS // len(pairs))
    called = trials = 0
    for first, second in pairs:
        both = values.ordering[[first, second]]
        is_judged: BoolArray = ~np.isnan(both[0]) | ~np.isnan(both[1])
        units = _units_at(values.units, is_judged)
        rule = partial(_called_different, units=units, recipe=recipe)
        outcome = placebo_rate(
            both[:, is_judged], documents=units.document, rule=rule, swaps=swaps, rng=rng, at_once=True
        )
        called += round(outcome.rate * outcome.trials) if outcome.trials else 0
        trials += outcome.trials
    return called, trials


def _units_at(units: Units, places: BoolArray) -> Units:
    return Units(units.document[places], units.domain[places], units.code[places])


def _called_different(
    x: FloatArray, y: FloatArray, documents: IntArray, rng: np.random.Generator, *, units: Units, recipe: Recipe
) -> BoolArray:
    """Of each trial; a permutation test answers all with the same signs."""
    if recipe.test == "permutation":
        return _permutation_p(x - y, documents, recipe.resamples, rng) < recipe.alpha
    alone = replace(recipe, correction="none")
    return np.array([_any_win(np.stack(both), units, alone) for both in zip(x, y, strict=True)], dtype=np.bool_)


def _permutation_p(gaps: FloatArray, documents: IntArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Two-sided, of each row of differences, whole documents flipped."""
    n_documents = int(documents.max(initial=-1)) + 1
    cells = (np.arange(len(gaps))[:, None] * n_documents + documents).ravel()
    sums = group_sums(np.nan_to_num(gaps).ravel(), cells, len(gaps) * n_documents)
    return p_of_flips(sums.reshape(len(gaps), n_documents).T, resamples=resamples, rng=rng)


def enough_permutations(recipe: Recipe, n_systems: int) -> Recipe:
    """So many, and no more, that the smallest p of a pair can be a few times smaller than the correction asks."""
    needed = math.ceil(4 * (n_systems * (n_systems - 1) // 2) / recipe.alpha)
    return replace(recipe, resamples=min(recipe.resamples, max(PERMUTATIONS, needed)))


def _campaigns_with_a_win(values: SystemValues, recipe: Recipe) -> int:
    recipe = enough_permutations(recipe, len(values.names))
    rng = recipe.rng
    codes = np.unique(values.units.document, return_inverse=True)[1]
    wins = 0
    for seed in rng.integers(2**32, size=CAMPAIGNS).tolist():  # each with signs of its own: their error must not add up
        wins += _any_win(documents_permuted(values.ordering, codes, rng), values.units, replace(recipe, seed=seed))
    return wins


def _any_win(values: FloatArray, units: Units, recipe: Recipe) -> bool:
    """Whether the recipe sees any difference; pairs that are far apart are looked at first, as one is enough."""
    means = means_over_units(values, units, recipe)
    order = np.argsort(-np.where(np.isnan(means), -np.inf, means), kind="stable")
    values, means = values[order], means[order]
    if recipe.correction != "none" or recipe.draws_documents:
        return bool(compare_pairs(values, means, units, recipe).wins.any())
    if recipe.clusters == "ranges":
        return _has_two_clusters(values, means, units, recipe)
    first, second = np.triu_indices(len(values), k=1)
    for place in np.argsort(-(means[first] - means[second]), kind="stable").tolist():
        pair = first[place : place + 1], second[place : place + 1]
        if compare_pairs(values, means, units, recipe, pair).wins.any():
            return True
    return False


def _has_two_clusters(values: FloatArray, means: FloatArray, units: Units, recipe: Recipe) -> bool:
    """No cluster ends without a system that beats the next one, so these pairs are looked at first."""
    places = np.arange(len(values))
    if not compare_pairs(values, means, units, recipe, (places[:-1], places[1:])).wins.any():
        return False
    wins = compare_pairs(values, means, units, recipe).wins
    return bool(clusters_from_ranges(rank_ranges_by_neighbours(wins)).max(initial=1) > 1)
