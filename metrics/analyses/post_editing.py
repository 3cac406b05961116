"""The analysis `post_editing`: how much each system's translations were changed, and how long that took."""

from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.arrays import FloatArray
from metrics.statistics.comprehension import share_correct
from metrics.statistics.post_editing import active_seconds, words_per_hour
from metrics.statistics.significance import Interval

MEASURE = "hter"


@dataclass(frozen=True)
class PostEditedSystem:
    """`hter` is the mean of segments, as in the ranking; `hter_capped` the same with no judgment above 1, as quality
    estimation has it; `hter_corpus` edits by words in sum, of judgments whose post-edit
    is known. `seconds` is working time in sum: as recorded, or else the time on an item, of which whatever passes ten
    minutes is left out (`seconds_dropped` is the share of judgments it happened to). `source_words` and
    `words_per_hour` are null where the source's language does not space words. `unchanged` is the share of judgments
    without an edit.
    """

    system: str
    hter: Number
    hter_capped: Number
    hter_corpus: Number
    words_per_hour: Number
    words_per_hour_interval: Ends
    seconds: Number
    seconds_dropped: Number
    source_words: Number
    unchanged: Number
    judgments: int


@dataclass(frozen=True)
class PostEditing:
    """Of the judgments that rank the systems, the least changed system first."""

    systems: tuple[PostEditedSystem, ...] = listed(empty="no_judgments")


def post_editing(evidence: Evidence) -> PostEditing:
    """How much was changed by the recipe's judgments, and in what time."""
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return PostEditing(())
    table = table.where(~table.is_document_level)
    values = system_values(evidence, table).in_rank_order()
    of_capped = system_values(evidence, replace(table, values=np.maximum(table.values, -1.0)))
    capped = dict(zip(of_capped.names, of_capped.raw_means.tolist(), strict=True))
    counted = table.where(evidence.usable(table) & evidence.by_included(table) & table.of_kinds(evidence.recipe.rows))
    return PostEditing(
        tuple(
            _entry(counted, name, hter=float(mean), hter_capped=capped[name], recipe=evidence.recipe)
            for name, mean in zip(values.names, values.raw_means, strict=True)
        )
    )


def _entry(table: ScoreTable, name: str, *, hter: float, hter_capped: float, recipe: Recipe) -> PostEditedSystem:
    own = table.where(table.system == table.systems.index(name))
    time = active_seconds(own.seconds)
    seconds = np.where(np.isnan(own.active_seconds), time.values, own.active_seconds)
    left_out = np.isnan(seconds) & ~np.isnan(own.seconds)
    rate = words_per_hour(own.source_words, seconds)
    rate_value = number(rate.value, rate.reason)
    has_rows = len(own) > 0
    return PostEditedSystem(
        system=name,
        hter=number(table.natural(hter), "no_judgments"),
        hter_capped=number(table.natural(hter_capped), "no_judgments"),
        hter_corpus=number(_corpus_value(own), "post_edits_unknown"),
        words_per_hour=rate_value,
        words_per_hour_interval=interval_ends(_rate_interval(own, seconds, recipe), rate_value),
        seconds=_sum(seconds, "no_times"),
        seconds_dropped=float(np.mean(left_out)) if has_rows else Missing("no_judgments"),
        source_words=_sum(own.source_words, "words_unknown"),
        unchanged=float(np.mean(own.values == 0)) if has_rows else Missing("no_judgments"),
        judgments=len(own),
    )


def _sum(values: FloatArray, reason: str) -> Number:
    """Of what is known; missing where nothing is."""
    return number(float(np.nansum(values))) if np.isfinite(values).any() else Missing(reason)


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
