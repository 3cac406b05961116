"""The analysis `agreement`: how far annotators agree, on every measure, on marks and on preferences."""

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.controls import pairs_of
from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.analyses.finer_agreement import finer_agreement
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.preferences import preference_agreement
from metrics.analyses.shared_ratings import (
    Ratings,
    categories_of,
    few_shared,
    has_points,
    pair_entries,
    ratings_of,
)
from metrics.analyses.span_pairs import span_agreement
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.agreement import (
    LEVELS,
    Agreement,
    annotator_pairs,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alphas,
)
from metrics.statistics.arrays import FloatArray
from metrics.statistics.quality import repeat_consistency

FEWEST_SHARED = 10
_MISSING = float("nan")


def agreement(evidence: Evidence) -> dict[str, Any]:
    """One value an annotator and item: the current revision of the regular judgment, in natural units.

    An output of several systems is one item. Repeats serve `intra` and `repeats` alone; `preference` counts regular
    and repeat judgments. What nobody judged (keystrokes, questions asked) is left out. `reasons` name what does not
    exist: `no_overlap`, `no_variation`, `negative_ratings`, `not_normalised`, `no_categories`. `everybody` is the
    same alpha of all annotators, where some of them do not count.
    """
    result: dict[str, Any] = {"measures": [], "spans": None, "preference": None}
    for table in evidence.tables:
        rows = evidence.usable(table) & evidence.by_included(table)
        usable, counted = table.where(evidence.usable(table)), table.where(rows)
        if table.is_relative:
            judged = counted.where(counted.of_kinds(REGULAR_AND_REPEAT))
            if len(judged):
                result["preference"] = preference_agreement(judged, evidence.recipe, fewest=FEWEST_SHARED)
        elif len(counted) and not table.is_count:
            z = evidence.z_values(table)[rows] if evidence.recipe.normalisation != "none" else None
            entry = _measure(counted, z, evidence.recipe)
            result["measures"].append(entry | {"everybody": _everybody(usable, counted, evidence.recipe)})
    if evidence.marked is not None:
        result["spans"] = span_agreement(evidence)
    return result


def headline(table: ScoreTable, recipe: Recipe) -> tuple[str, Agreement, int]:
    """The level of measurement that fits the scale, alpha at it, and of how many annotators it is."""
    ratings = ratings_of(table)
    level = _level(table)
    found = krippendorff_alphas(
        ratings.values, ratings.item, levels=(level,), rng=np.random.default_rng(recipe.seed), **_bootstrap(recipe)
    )
    return level, found[level], len(ratings.names)


def _level(table: ScoreTable) -> Any:
    return "ordinal" if has_points(table) else "interval"


def _everybody(usable: ScoreTable, counted: ScoreTable, recipe: Recipe) -> dict[str, Any] | None:
    if len(usable) == len(counted):
        return None
    _, alpha, n_annotators = headline(usable, recipe)
    return {"annotators": n_annotators, "alpha": number(alpha.value), "interval": interval_ends(alpha.interval)}


def _measure(table: ScoreTable, z: FloatArray | None, recipe: Recipe) -> dict[str, Any]:
    """`z`: of each row, or None where the recipe makes none."""
    ratings = ratings_of(table)
    alphas = _alphas(ratings, None if z is None else ratings_of(replace(table, values=z)), recipe)
    matrix = ratings.matrix
    codes, n_categories = categories_of(table, matrix, recipe.bins)
    found = annotator_pairs(matrix, categories=codes, n_categories=n_categories, fewest=FEWEST_SHARED)
    fleiss, ac1 = _of_categories(codes, n_categories, recipe)
    reasons = {**alphas, "fleiss": fleiss, "gwet_ac1": ac1}
    return {
        "measure": table.measure,
        "level": _level(table),
        "is_cut": codes is not None and not has_points(table),
        "ratings": alphas["nominal"].n,
        "items": ratings.n_shared,
        "annotators": len(ratings.names),
        "alpha": {level: number(one.value) for level, one in alphas.items()},
        "alpha_interval": {level: interval_ends(one.interval) for level, one in alphas.items()},
        "fleiss": number(fleiss.value),
        "fleiss_interval": interval_ends(fleiss.interval),
        "fleiss_items": fleiss.n,
        "gwet_ac1": number(ac1.value),
        "gwet_ac1_interval": interval_ends(ac1.interval),
        "reasons": {name: one.reason for name, one in reasons.items() if one.reason},
        "pairs": pair_entries(found, ratings.names),
        "few_shared": few_shared(matrix, ratings.names, FEWEST_SHARED),
        "intra": _intra(table),
        "repeats": _repeats(table, recipe),
        **finer_agreement(table, ratings.values, ratings.item, recipe),
    }


def _alphas(ratings: Ratings, z_ratings: Ratings | None, recipe: Recipe) -> dict[str, Agreement]:
    options = _bootstrap(recipe)
    found = krippendorff_alphas(ratings.values, ratings.item, rng=np.random.default_rng(recipe.seed), **options)
    alphas: dict[str, Agreement] = {level: found[level] for level in LEVELS}
    if z_ratings is None:
        return alphas | {"interval_z": Agreement(_MISSING, _MISSING, _MISSING, 0, reason="not_normalised")}
    rng = np.random.default_rng(recipe.seed)
    of_z = krippendorff_alphas(z_ratings.values, z_ratings.item, levels=("interval",), rng=rng, **options)
    return alphas | {"interval_z": of_z["interval"]}


def _bootstrap(recipe: Recipe) -> dict[str, Any]:
    return {"resamples": recipe.interval_resamples, "confidence": recipe.interval_level}


def _of_categories(codes: FloatArray | None, n_categories: int, recipe: Recipe) -> tuple[Agreement, Agreement]:
    """Fleiss' kappa of the items with the number of ratings that most have, and AC1 of all."""
    if codes is None:
        nothing = Agreement(_MISSING, _MISSING, _MISSING, 0, reason="no_categories")
        return nothing, nothing
    counts = np.stack([(codes == category).sum(axis=0) for category in range(n_categories)], axis=1)
    sizes = counts.sum(axis=1)
    if not (sizes > 1).any():
        nothing = fleiss_kappa(np.zeros((0, n_categories)))
        return nothing, nothing
    usual = int(np.argmax(np.bincount(sizes[sizes > 1])))
    fleiss, ac1 = (
        coefficient(table, rng=np.random.default_rng(recipe.seed), **_bootstrap(recipe))
        for coefficient, table in ((fleiss_kappa, counts[sizes == usual]), (gwet_ac1, counts))
    )
    return fleiss, ac1


def _intra(table: ScoreTable) -> list[dict[str, Any]]:
    repeats = pairs_of(table, "repeat")
    entries = []
    for code in np.unique(repeats.annotator).tolist():
        found = repeat_consistency(*repeats.of(code))
        entry: dict[str, Any] = {"annotator": table.annotators[code], "n": found.n}
        entries.append(entry | {"difference": number(found.difference), "pearson": number(found.pearson)})
    return entries


def _repeats(table: ScoreTable, recipe: Recipe) -> dict[str, Any] | None:
    """Alpha of everybody with themselves: each repeated output is an item rated twice. None without repeats."""
    pairs = pairs_of(table, "repeat")
    if not pairs.controls.size:
        return None
    level = _level(table)
    values = np.concatenate([pairs.originals, pairs.controls])
    items = np.tile(np.arange(pairs.controls.size), 2)
    rng = np.random.default_rng(recipe.seed)
    alpha = krippendorff_alphas(values, items, levels=(level,), rng=rng, **_bootstrap(recipe))[level]
    entry = {"n": int(pairs.controls.size), "alpha": number(alpha.value), "interval": interval_ends(alpha.interval)}
    return entry | {"reason": alpha.reason or None}
