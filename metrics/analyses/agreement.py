"""The analysis `agreement`: how far annotators agree, on every measure, on marks and on preferences."""

import math
from typing import Any

import numpy as np

from metrics.analyses.controls import pairs_of
from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.analyses.finer_agreement import finer_agreement
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.preferences import preference_agreement
from metrics.analyses.span_pairs import span_agreement
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.agreement import (
    LEVELS,
    Agreement,
    annotator_pairs,
    bands,
    fleiss_kappa,
    krippendorff_alphas,
)
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.normalisation import z_scores
from metrics.statistics.quality import repeat_consistency

FEWEST_SHARED = 10
MOST_POINTS = 11  # a scale with more is cut into bands for kappas
_LARGEST_MATRIX = 20_000_000


def agreement(evidence: Evidence) -> dict[str, Any]:
    """One value an annotator and item: the current revision of the regular judgment, in natural units.

    An output of several systems is one item. Repeats serve `intra` alone; `preference` counts regular and repeat
    judgments. `reasons` name what does not exist: `no_overlap`, `no_variation`, `negative_ratings`, `not_normalised`.
    """
    result: dict[str, Any] = {"measures": [], "spans": None, "preference": None}
    for table in evidence.tables:
        counted = table.where(evidence.usable(table) & evidence.by_included(table))
        if table.is_relative:
            judged = counted.where(counted.of_kinds(REGULAR_AND_REPEAT))
            result["preference"] = preference_agreement(judged, evidence.recipe) if len(judged) else None
        elif len(counted):
            result["measures"].append(_measure(counted, evidence.recipe))
    if evidence.marked is not None:
        result["spans"] = span_agreement(evidence)
    return result


def _measure(table: ScoreTable, recipe: Recipe) -> dict[str, Any]:
    ratings = _one_each(table)
    values = ratings.values if ratings.higher_is_better else -ratings.values + 0.0
    annotators, annotator = np.unique(ratings.annotator, return_inverse=True)
    _, item = np.unique(_items(ratings), return_inverse=True)
    alphas = _alphas(values, annotator, item, recipe)
    matrix = _matrix(values, annotator, item)
    codes, n_categories = _categories(table, matrix, recipe.bins)
    found = annotator_pairs(matrix, categories=codes, n_categories=n_categories, fewest=FEWEST_SHARED)
    names = [table.annotators[code] for code in annotators]
    fleiss = _fleiss(codes, n_categories)
    return {
        "measure": table.measure,
        "ratings": alphas["nominal"].n,
        "items": int((np.bincount(item) > 1).sum()),
        "annotators": len(names),
        "alpha": {level: number(one.value) for level, one in alphas.items()},
        "alpha_interval": {level: interval_ends(one.interval) for level, one in alphas.items()},
        "fleiss": None if fleiss is None else number(fleiss.value),
        "fleiss_items": 0 if fleiss is None else fleiss.n,
        "reasons": {level: one.reason for level, one in alphas.items() if one.reason},
        "pairs": [
            {
                "annotators": [names[pair.first], names[pair.second]],
                "n": pair.n,
                "kappa": number(pair.kappa),
                "kappa_linear": number(pair.kappa_linear),
                "kappa_quadratic": number(pair.kappa_quadratic),
                "pearson": number(pair.pearson),
                "spearman": number(pair.spearman),
                "kendall_b": number(pair.kendall_b),
            }
            for pair in found
        ],
        "intra": _intra(table),
        **finer_agreement(table, values, item, recipe),
    }


def _one_each(table: ScoreTable) -> ScoreTable:
    """The last regular row of each annotator and item."""
    own = table.where(table.of_kinds(["regular"]) & table.is_own)
    cells = own.annotator * (int(_items(own).max(initial=0)) + 1) + _items(own)
    _, last = np.unique(cells[::-1], return_index=True)
    return own.where(np.sort(len(own) - 1 - last))


def _items(table: ScoreTable) -> IntArray:
    return table.unit * (len(table.systems) + 1) + table.system


def _alphas(values: FloatArray, annotator: IntArray, item: IntArray, recipe: Recipe) -> dict[str, Agreement]:
    options: dict[str, Any] = {"resamples": recipe.interval_resamples, "confidence": recipe.interval_level}
    found = krippendorff_alphas(values, item, rng=np.random.default_rng(recipe.seed), **options)
    alphas: dict[str, Agreement] = {level: found[level] for level in LEVELS}
    if recipe.normalisation == "none":
        missing = float("nan")
        alphas["interval_z"] = Agreement(missing, missing, missing, 0, reason="not_normalised")
    else:
        z = z_scores(values, annotator).values
        rng = np.random.default_rng(recipe.seed)
        alphas["interval_z"] = krippendorff_alphas(z, item, levels=("interval",), rng=rng, **options)["interval"]
    return alphas


def _matrix(values: FloatArray, annotator: IntArray, item: IntArray) -> FloatArray:
    """(annotators, items that somebody else has as well); no larger than memory likes."""
    shared = np.bincount(item)[item] > 1
    _, column = np.unique(item[shared], return_inverse=True)
    n_rows, n_columns = int(annotator.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1
    if n_rows * n_columns > _LARGEST_MATRIX:
        n_columns = _LARGEST_MATRIX // n_rows
    matrix = np.full((n_rows, n_columns), np.nan)
    kept = column < n_columns
    matrix[annotator[shared][kept], column[kept]] = values[shared][kept]
    return matrix


def _categories(table: ScoreTable, matrix: FloatArray, n_bands: int) -> tuple[FloatArray | None, int]:
    """The points of a short scale, a long one in bands, and none where a scale has no end."""
    if not (math.isfinite(table.low) and math.isfinite(table.high)) or table.low == table.high:
        return None, 0
    n_points = table.high - table.low + 1
    present = matrix[~np.isnan(matrix)]
    if n_points <= MOST_POINTS and bool((present == np.round(present)).all()):
        return matrix - table.low, int(n_points)
    return bands(matrix, low=table.low, high=table.high, n_bands=n_bands), n_bands


def _fleiss(codes: FloatArray | None, n_categories: int) -> Agreement | None:
    """Of the items with the number of ratings that most have; None without categories."""
    if codes is None:
        return None
    counts = np.stack([(codes == category).sum(axis=0) for category in range(n_categories)], axis=1)
    sizes = counts.sum(axis=1)
    if not (sizes > 1).any():
        return fleiss_kappa(np.zeros((0, n_categories)))
    usual = int(np.argmax(np.bincount(sizes[sizes > 1])))
    return fleiss_kappa(counts[sizes == usual])


def _intra(table: ScoreTable) -> list[dict[str, Any]]:
    repeats = pairs_of(table, "repeat")
    entries = []
    for code in np.unique(repeats.annotator).tolist():
        found = repeat_consistency(*repeats.of(code))
        entry: dict[str, Any] = {"annotator": table.annotators[code], "n": found.n}
        entries.append(entry | {"difference": number(found.difference), "pearson": number(found.pearson)})
    return entries
