"""Agreement looked at more closely: in bands, in pairs, and of penalties on whether there is an error at all."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.preferences import PreferenceKappa, preference_result, preferences_of
from metrics.analyses.shared_ratings import MOST_POINTS, Ratings
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.values import Missing, Number, by_part, names_reason, number
from metrics.statistics.agreement import (
    Agreement,
    Level,
    bands,
    fleiss_kappa,
    krippendorff_alphas,
    pooled_pairs,
    preference_kappa,
)
from metrics.statistics.arrays import BoolArray, IntArray

MAJOR = 5.0
# What a penalty is cut into: the least penalty of each part but the first.
CUTS: dict[str, tuple[float, ...]] = {"has_error": (1e-9,), "has_major": (MAJOR,), "three_bands": (1e-9, MAJOR)}
_OF_BANDS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True)
class Bands:
    """Alpha by level, of a long scale cut into so many equal `bands`, as kappas see it."""

    bands: int
    alpha: Mapping[str, Number] = by_part()


@dataclass(frozen=True, kw_only=True)
class Cut:
    """Penalties cut into few categories: alpha by level, and Fleiss' kappa."""

    alpha: Mapping[str, Number] = by_part()
    fleiss: Number


@dataclass(frozen=True, kw_only=True)
class PooledRatings:
    """All `n` pairs of ratings of one item: correlations, mean absolute difference (in the measure's unit), and the
    share of pairs that are identical.
    """

    n: int
    pearson: Number
    kendall_b: Number
    difference: Number = names_reason()
    identical: Number


def agreement_in_bands(ratings: Ratings, *, low: float, high: float, n_bands: int) -> Bands | Missing:
    """Only of a long scale with two ends."""
    if not (math.isfinite(high - low) and high - low >= MOST_POINTS):
        return Missing("no_bands")
    codes = bands(ratings.values, low=low, high=high, n_bands=n_bands)
    return Bands(n_bands, _values_of(krippendorff_alphas(codes, ratings.item, levels=_OF_BANDS)))


def pooled_ratings(ratings: Ratings) -> PooledRatings:
    pairs = pooled_pairs(ratings.values, ratings.item)
    no_correlation = pairs.reason or "constant"
    return PooledRatings(
        n=pairs.n,
        pearson=number(pairs.pearson, no_correlation),
        kendall_b=number(pairs.kendall_b, no_correlation),
        difference=number(pairs.difference, pairs.reason),
        identical=number(pairs.identical, pairs.reason),
    )


def agreement_of_cuts(ratings: Ratings) -> dict[str, Cut]:
    """Is there an error, is there a major one (5 points and more), and none, less, or so much: alpha and Fleiss."""
    sizes = np.bincount(ratings.item)
    usual = int(np.argmax(np.bincount(sizes[sizes > 1]))) if (sizes > 1).any() else 0
    return {
        name: _of_codes(np.digitize(ratings.values, edges), ratings.item, sizes == usual)
        for name, edges in CUTS.items()
    }


def _of_codes(codes: IntArray, item: IntArray, usual: BoolArray) -> Cut:
    n_categories = int(codes.max(initial=0)) + 1
    counts = np.bincount(item * n_categories + codes, minlength=usual.size * n_categories).reshape(-1, n_categories)
    fleiss = fleiss_kappa(counts[usual] if usual.any() else np.zeros((0, n_categories)))
    alphas = krippendorff_alphas(codes.astype(np.float64), item, levels=("nominal", "ordinal"))
    return Cut(alpha=_values_of(alphas), fleiss=number(fleiss.value, fleiss.reason))


def _values_of(alphas: Mapping[Level, Agreement]) -> dict[str, Number]:
    return {level: number(alpha.value, alpha.reason) for level, alpha in alphas.items()}


def implied_preferences(table: ScoreTable, recipe: Recipe) -> PreferenceKappa:
    """Of two systems' outputs that one annotator judged on a segment the one with less penalty is preferred."""
    own = _last_of_each(table.where(table.of_kinds(["regular"]) & table.is_own))
    together = own.annotator * (int(own.unit.max(initial=0)) + 1) + own.unit
    pairs = preferences_of(replace(own, judgment=together))
    one, other = pairs.systems
    kappa = preference_kappa(
        pairs.unit,
        np.minimum(one, other) * (len(table.systems) + 1) + np.maximum(one, other),
        own.annotator[pairs.first],
        np.where(one > other, -pairs.outcome, pairs.outcome),
        resamples=recipe.interval_resamples,
        rng=np.random.default_rng(recipe.seed),
    )
    return preference_result(kappa)


def _last_of_each(own: ScoreTable) -> ScoreTable:
    """Of what an annotator judged twice in the same way, the later judgment."""
    keys = (own.annotator * (int(own.unit.max(initial=0)) + 1) + own.unit) * len(own.systems) + own.system
    _, last = np.unique(keys[::-1], return_index=True)
    return own.where(np.sort(len(own) - 1 - last))
