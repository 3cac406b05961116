"""The analysis `post_editing`: how much each system's translations were changed, and how long that took."""

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.system_values import system_values
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.arrays import FloatArray
from metrics.statistics.comprehension import share_correct
from metrics.statistics.post_editing import active_seconds, words_per_hour
from metrics.statistics.significance import Interval

MEASURE = "hter"


def post_editing(evidence: Evidence) -> dict[str, Any]:
    """Systems in rank order, the least changed first; of the judgments that rank them.

    `hter` is the mean of segments, as in the ranking; `hter_capped` the same with no judgment above 1, as quality
    estimation has it; `hter_corpus` edits by words in sum, of judgments whose post-edit
    is known. `seconds` is working time in sum: as recorded, or else the time on an item, of which whatever passes ten
    minutes is left out (`seconds_dropped` is the share of judgments it happened to). `source_words` and
    `words_per_hour` are null where the source's language does not space words. `unchanged` is the share of judgments
    without an edit.
    """
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return {"systems": []}
    table = table.where(~table.is_document_level)
    values = system_values(evidence, table).in_rank_order()
    of_capped = system_values(evidence, replace(table, values=np.maximum(table.values, -1.0)))
    capped = dict(zip(of_capped.names, of_capped.raw_means.tolist(), strict=True))
    counted = table.where(evidence.usable(table) & evidence.by_included(table) & table.of_kinds(evidence.recipe.rows))
    return {
        "systems": [
            {
                "system": name,
                "hter": number(table.natural(float(mean))),
                "hter_capped": number(table.natural(capped[name])),
                **_entry(counted, table.systems.index(name), evidence.recipe),
            }
            for name, mean in zip(values.names, values.raw_means, strict=True)
        ]
    }


def _entry(table: ScoreTable, system: int, recipe: Recipe) -> dict[str, Any]:
    own = table.where(table.system == system)
    time = active_seconds(own.seconds)
    seconds = np.where(np.isnan(own.active_seconds), time.values, own.active_seconds)
    rate = words_per_hour(own.source_words, seconds)
    left_out = np.isnan(seconds) & ~np.isnan(own.seconds)
    return {
        "hter_corpus": number(_corpus_value(own)),
        "words_per_hour": number(rate.value),
        "words_per_hour_interval": interval_ends(_rate_interval(own, seconds, recipe)),
        "seconds": number(float(np.nansum(seconds))) if np.isfinite(seconds).any() else None,
        "seconds_dropped": float(np.mean(left_out)) if len(own) else None,
        "source_words": number(float(np.nansum(own.source_words))) if np.isfinite(own.source_words).any() else None,
        "unchanged": float(np.mean(own.values == 0)) if len(own) else None,
        "judgments": len(own),
    }


def _rate_interval(own: ScoreTable, seconds: FloatArray, recipe: Recipe) -> Interval:
    """Over documents: a ratio of sums, resampled as that of right answers by questions is."""
    return share_correct(
        own.source_words,
        seconds / 3600,
        own.document,
        resamples=recipe.interval_resamples,
        level=recipe.interval_level,
        rng=np.random.default_rng(recipe.seed),
    ).interval


def _corpus_value(table: ScoreTable) -> float:
    known = ~np.isnan(table.weight)
    weights: FloatArray = table.weight[known]
    if not weights.sum():
        return float("nan")
    return table.natural(float((table.values[known] * weights).sum() / weights.sum()))
