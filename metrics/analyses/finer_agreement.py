"""Agreement looked at more closely: in bands, in pairs, and of penalties on whether there is an error at all."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.json_numbers import number
from metrics.analyses.preferences import preference_entry, preferences_of
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.agreement import (
    Level,
    bands,
    fleiss_kappa,
    krippendorff_alphas,
    pooled_pairs,
    preference_kappa,
)
from metrics.statistics.arrays import FloatArray, IntArray

PENALTY = "penalty"
MAJOR = 5.0
MOST_POINTS = 11
# What a penalty is cut into: the least penalty of each part but the first.
CUTS: dict[str, tuple[float, ...]] = {"has_error": (1e-9,), "has_major": (MAJOR,), "three_bands": (1e-9, MAJOR)}
_OF_BANDS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


def finer_agreement(table: ScoreTable, values: FloatArray, item: IntArray, recipe: Recipe) -> dict[str, Any]:
    """Of one measure; `values` in natural units, one an annotator and item.

    `bands`: of a long scale with two ends, alpha of its equal parts. `pooled`: all pairs of ratings. `cuts` and
    `preference` are of penalties alone, None elsewhere.
    """
    is_long = math.isfinite(table.high - table.low) and table.high - table.low >= MOST_POINTS
    is_penalty = table.measure == PENALTY
    return {
        "bands": banded(values, item, low=table.low, high=table.high, n_bands=recipe.bins) if is_long else None,
        "pooled": pooled(values, item),
        "cuts": cut_penalties(values, item) if is_penalty else None,
        "preference": implied_preferences(table, recipe) if is_penalty else None,
    }


def banded(values: FloatArray, item: IntArray, *, low: float, high: float, n_bands: int) -> dict[str, Any]:
    """Alpha of a long scale cut into equal bands, as kappas see it."""
    codes = bands(values, low=low, high=high, n_bands=n_bands)
    found = krippendorff_alphas(codes, item, levels=_OF_BANDS)
    entry = {"bands": n_bands, "alpha": {level: number(one.value) for level, one in found.items()}}
    return entry | {"reasons": {level: one.reason for level, one in found.items() if one.reason}}


def pooled(values: FloatArray, item: IntArray) -> dict[str, Any]:
    """All pairs of ratings of one item together."""
    found = pooled_pairs(values, item)
    return {
        "n": found.n,
        "pearson": number(found.pearson),
        "kendall_b": number(found.kendall_b),
        "difference": number(found.difference),
        "identical": number(found.identical),
        "reason": found.reason or None,
    }


def cut_penalties(values: FloatArray, item: IntArray) -> dict[str, Any]:
    """Is there an error, is there a major one (5 points and more), and none, less, or so much: alpha and Fleiss."""
    sizes = np.bincount(item)
    usual = int(np.argmax(np.bincount(sizes[sizes > 1]))) if (sizes > 1).any() else 0
    return {name: _of_codes(np.digitize(values, edges), item, sizes == usual) for name, edges in CUTS.items()}


def _of_codes(codes: IntArray, item: IntArray, usual: Any) -> dict[str, Any]:
    n_categories = int(codes.max(initial=0)) + 1
    counts = np.bincount(item * n_categories + codes, minlength=usual.size * n_categories).reshape(-1, n_categories)
    fleiss = fleiss_kappa(counts[usual] if usual.any() else np.zeros((0, n_categories)))
    found = krippendorff_alphas(codes.astype(np.float64), item, levels=("nominal", "ordinal"))
    reasons = {level: one.reason for level, one in found.items() if one.reason}
    return {
        "alpha": {level: number(one.value) for level, one in found.items()},
        "fleiss": number(fleiss.value),
        "reasons": reasons | ({"fleiss": fleiss.reason} if fleiss.reason else {}),
    }


def implied_preferences(table: ScoreTable, recipe: Recipe) -> dict[str, Any]:
    """Of two systems' outputs that one annotator judged on a segment the one with less penalty is preferred."""
    own = _last_of_each(table.where(table.of_kinds(["regular"]) & table.is_own))
    together = own.annotator * (int(own.unit.max(initial=0)) + 1) + own.unit
    pairs = preferences_of(replace(own, judgment=together))
    one, other = pairs.systems
    found = preference_kappa(
        pairs.unit,
        np.minimum(one, other) * (len(table.systems) + 1) + np.maximum(one, other),
        own.annotator[pairs.first],
        np.where(one > other, -pairs.outcome, pairs.outcome),
        resamples=recipe.interval_resamples,
        rng=np.random.default_rng(recipe.seed),
    )
    return preference_entry(found)


def _last_of_each(own: ScoreTable) -> ScoreTable:
    """Of what an annotator judged twice in the same way, the later judgment."""
    keys = (own.annotator * (int(own.unit.max(initial=0)) + 1) + own.unit) * len(own.systems) + own.system
    _, last = np.unique(keys[::-1], return_index=True)
    return own.where(np.sort(len(own) - 1 - last))
