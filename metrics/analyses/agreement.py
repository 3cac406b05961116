"""The analysis `agreement`: how far annotators agree, on every measure, on marks and on preferences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.analyses.controls import pairs_of
from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.analyses.marked_spans import PENALTY, MarkedSpans, span_agreement
from metrics.analyses.preferences import AgreedPreferences, PreferenceKappa, implied_preferences, preference_agreement
from metrics.analyses.shared_ratings import (
    MOST_IN_A_MATRIX,
    Bands,
    Cut,
    PooledRatings,
    Ratings,
    SharedPairs,
    agreement_in_bands,
    agreement_of_cuts,
    categories_of,
    few_shared,
    has_points,
    pair_agreements,
    pooled_ratings,
    ratings_of,
    usual_fleiss,
    value_and_ends,
)
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, by_part, listed, names_reason, numbers
from metrics.statistics.agreement.kappas import gwet_ac1
from metrics.statistics.agreement.krippendorff import Level, krippendorff_alphas
from metrics.statistics.agreement.outcome import Agreement
from metrics.statistics.agreement.pairs import annotator_pairs
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.quality import repeat_consistency

FEWEST_SHARED = 10
_NAN = float("nan")


@dataclass(frozen=True)
class Intra:
    """How alike one annotator scored the same translation twice, `n` times: mean absolute difference, correlation."""

    annotator: str
    n: int
    difference: Number
    pearson: Number


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """Alpha of everybody with themselves: each of the `n` repeated outputs is an item rated twice."""

    n: int
    alpha: Number = names_reason()
    interval: Ends


@dataclass(frozen=True)
class Everybody:
    """Alpha, at the measure's level, of all annotators, also those who do not count."""

    annotators: int
    alpha: Number
    interval: Ends


@dataclass(frozen=True, kw_only=True)
class MeasureAgreement(SharedPairs):
    """Of one measure, `ratings` of `items` that `annotators` have in common.

    `level` fits the scale; `alpha` is by level, `interval_z` that of z. Fleiss' kappa (of the `fleiss_items` with the
    usual number of ratings) and Gwet's AC1 are of categories, which a long scale is cut into (`is_cut`). `everybody` is
    None where all annotators count.
    """

    measure: str
    level: str
    is_cut: bool
    ratings: int
    items: int
    annotators: int
    alpha: Mapping[str, Number] = by_part()
    alpha_interval: Mapping[str, Ends]
    fleiss: Number
    fleiss_interval: Ends
    fleiss_items: int
    gwet_ac1: Number
    gwet_ac1_interval: Ends
    intra: tuple[Intra, ...] = listed(empty="no_repeats")
    repeats: Repeats | Missing
    bands: Bands | Missing
    pooled: PooledRatings
    cuts: Mapping[str, Cut] | Missing
    preference: PreferenceKappa | Missing
    everybody: Everybody | None


@dataclass(frozen=True, kw_only=True)
class AnnotatorAgreement:
    measures: tuple[MeasureAgreement, ...] = listed(empty="no_judgments")
    spans: MarkedSpans | Missing
    preference: AgreedPreferences | Missing

    @property
    def pairs(self) -> dict[str, SharedPairs]:
        """By measure, those of preferences under an empty name."""
        entries: dict[str, SharedPairs] = {one.measure: one for one in self.measures}
        return entries if isinstance(self.preference, Missing) else {**entries, "": self.preference}

    def split(self) -> tuple["AnnotatorAgreement", dict[str, SharedPairs] | None]:
        """The pairs that a page has room for, and all of them where these are more."""
        pairs = {name: entry.only_pairs() for name, entry in self.pairs.items()}
        if all(len(entry.shared) <= MOST_IN_A_MATRIX for entry in pairs.values()):
            return self, None
        return self.join({name: entry.shortened() for name, entry in pairs.items()}), pairs

    def join(self, pairs: Mapping[str, SharedPairs]) -> "AnnotatorAgreement":
        """With these pairs in place of its own."""
        measures = tuple(replace(one, **vars(pairs[one.measure])) for one in self.measures)
        if isinstance(self.preference, Missing):
            return replace(self, measures=measures)
        return replace(self, measures=measures, preference=replace(self.preference, **vars(pairs[""])))


def agreement(evidence: Evidence) -> AnnotatorAgreement:
    """One value an annotator and item: the current revision of the regular judgment, in natural units.

    An output of several systems is one item. Repeats serve `intra` and `repeats` alone; `preference` counts regular
    and repeat judgments. Counts that nobody judged (keystrokes, questions) are left out.
    """
    measures: list[MeasureAgreement] = []
    preference: AgreedPreferences | Missing = Missing("no_comparisons")
    for table in evidence.tables:
        rows = evidence.counted(table)
        usable, counted = table.where(evidence.usable(table)), table.where(rows)
        if table.is_relative:
            judged = counted.where(counted.of_kinds(REGULAR_AND_REPEAT))
            if len(judged):
                preference = preference_agreement(judged, evidence.recipe, fewest=FEWEST_SHARED)
        elif len(counted) and not table.is_count:
            z = evidence.z_values(table)[rows] if evidence.recipe.normalisation != "none" else None
            measures.append(_measure(counted, z, _everybody(usable, counted, evidence.recipe), evidence.recipe))
    return AnnotatorAgreement(measures=tuple(measures), spans=span_agreement(evidence), preference=preference)


def main_alpha(table: ScoreTable, recipe: Recipe) -> tuple[Agreement, int]:
    """Alpha at the level of measurement that fits the scale, and of how many annotators it is."""
    ratings = ratings_of(table)
    return _alpha(ratings.values, ratings.item, _level(table), recipe), len(ratings.names)


def _alpha(values: FloatArray, items: IntArray, level: Level, recipe: Recipe) -> Agreement:
    return krippendorff_alphas(values, items, levels=(level,), **_bootstrap(recipe))[level]


def _level(table: ScoreTable) -> Level:
    return "ordinal" if has_points(table) else "interval"


def _everybody(usable: ScoreTable, counted: ScoreTable, recipe: Recipe) -> Everybody | None:
    if len(usable) == len(counted):
        return None
    alpha, n_annotators = main_alpha(usable, recipe)
    return Everybody(n_annotators, *value_and_ends(alpha))


def _measure(table: ScoreTable, z: FloatArray | None, everybody: Everybody | None, recipe: Recipe) -> MeasureAgreement:
    """`z`: of each row, or None where the recipe makes none."""
    ratings = ratings_of(table)
    alphas = _alphas(ratings, None if z is None else ratings_of(replace(table, values=z)), recipe)
    of_levels = {level: value_and_ends(alpha) for level, alpha in alphas.items()}
    matrix = ratings.matrix
    codes, n_categories = categories_of(table, matrix, recipe.bins)
    pairs = annotator_pairs(matrix, categories=codes, n_categories=n_categories, fewest=FEWEST_SHARED)
    fleiss, ac1 = _of_categories(codes, n_categories, recipe)
    (fleiss_value, fleiss_ends), (ac1_value, ac1_ends) = value_and_ends(fleiss), value_and_ends(ac1)
    is_penalty = table.measure == PENALTY
    return MeasureAgreement(
        measure=table.measure,
        level=_level(table),
        is_cut=codes is not None and not has_points(table),
        ratings=alphas["nominal"].n,
        items=int(np.count_nonzero(np.bincount(ratings.item) > 1)),
        annotators=len(ratings.names),
        alpha={level: value for level, (value, _ends) in of_levels.items()},
        alpha_interval={level: ends for level, (_value, ends) in of_levels.items()},
        fleiss=fleiss_value,
        fleiss_interval=fleiss_ends,
        fleiss_items=fleiss.n,
        gwet_ac1=ac1_value,
        gwet_ac1_interval=ac1_ends,
        pairs=pair_agreements(pairs, ratings.names, has_categories=codes is not None),
        few_shared=few_shared(matrix, ratings.names, FEWEST_SHARED),
        intra=_intra(table),
        repeats=_repeats(table, recipe),
        bands=agreement_in_bands(ratings, low=table.low, high=table.high, n_bands=recipe.bins),
        pooled=pooled_ratings(ratings),
        cuts=agreement_of_cuts(ratings) if is_penalty else Missing("no_penalties"),
        preference=implied_preferences(table, recipe) if is_penalty else Missing("no_penalties"),
        everybody=everybody,
    )


def _alphas(ratings: Ratings, z_ratings: Ratings | None, recipe: Recipe) -> dict[str, Agreement]:
    if z_ratings is None:
        of_z = Agreement(_NAN, _NAN, _NAN, 0, reason="not_normalised")
    else:
        of_z = _alpha(z_ratings.values, z_ratings.item, "interval", recipe)
    of_levels = krippendorff_alphas(ratings.values, ratings.item, **_bootstrap(recipe))
    return {str(level): alpha for level, alpha in of_levels.items()} | {"interval_z": of_z}


def _bootstrap(recipe: Recipe) -> dict[str, Any]:
    return {"resamples": recipe.interval_resamples, "confidence": recipe.interval_level, "rng": recipe.rng}


def _of_categories(codes: FloatArray | None, n_categories: int, recipe: Recipe) -> tuple[Agreement, Agreement]:
    """Fleiss' kappa of the items with the number of ratings that most have, and AC1 of all."""
    if codes is None:
        nothing = Agreement(_NAN, _NAN, _NAN, 0, reason="no_categories")
        return nothing, nothing
    counts = np.stack([(codes == category).sum(axis=0) for category in range(n_categories)], axis=1)
    return usual_fleiss(counts, **_bootstrap(recipe)), gwet_ac1(counts, **_bootstrap(recipe))


def _intra(table: ScoreTable) -> tuple[Intra, ...]:
    repeats = pairs_of(table, "repeat")
    entries = []
    for code in np.unique(repeats.annotator).tolist():
        alike = repeat_consistency(*repeats.of(code))
        entries.append(Intra(table.annotators[code], alike.n, **numbers(alike, "difference", "pearson")))
    return tuple(entries)


def _repeats(table: ScoreTable, recipe: Recipe) -> Repeats | Missing:
    pairs = pairs_of(table, "repeat")
    if not pairs.controls.size:
        return Missing("no_repeats")
    values = np.concatenate([pairs.originals, pairs.controls])
    items = np.tile(np.arange(pairs.controls.size), 2)
    value, ends = value_and_ends(_alpha(values, items, _level(table), recipe))
    return Repeats(n=int(pairs.controls.size), alpha=value, interval=ends)
