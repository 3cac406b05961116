"""The analysis `post_editing`: how much each system's translations were changed, and how long that took."""

from dataclasses import dataclass, replace

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.results.values import Ends, Missing, Number, interval_ends, listed, number
from metrics.statistics.arrays import FloatArray
from metrics.statistics.bootstrap import share_correct
from metrics.statistics.post_editing import active_seconds, words_per_hour

MEASURE = "hter"
MOST_POINTS = 150


@dataclass(frozen=True)
class PostEditedSystem:
    """`hter` is the mean of segments, as in the ranking; `hter_capped` the same with no judgment above 1, as quality
    estimation has it; `hter_corpus` edits by words in sum, of judgments whose post-edit
    is known. `seconds` is working time in sum: as recorded, or else the time on an item, of which whatever passes ten
    minutes is left out (`seconds_dropped` is the share of judgments it happened to). `source_words` and
    `words_per_hour` are null where the source's language does not space words. `unchanged` is the share of judgments
    without an edit. `edits_and_pace` are HTER and seconds for a source word of at most MOST_POINTS judgments, evenly
    taken; None of runs from before they were computed.
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
    edits_and_pace: tuple[tuple[float, float], ...] | None = None


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
    counted = table.where(evidence.of_systems(table))
    return PostEditing(
        tuple(
            _entry(counted, name, hter=float(mean), hter_capped=capped[name], recipe=evidence.recipe)
            for name, mean in zip(values.names, values.raw_means, strict=True)
        )
    )


def _entry(table: ScoreTable, name: str, *, hter: float, hter_capped: float, recipe: Recipe) -> PostEditedSystem:
    own = table.where(table.system == table.systems.index(name))
    seconds = np.where(np.isnan(own.active_seconds), active_seconds(own.seconds), own.active_seconds)
    left_out = np.isnan(seconds) & ~np.isnan(own.seconds)
    rate = words_per_hour(own.source_words, seconds)
    rate_value = number(rate.value, rate.reason)
    # over documents: a ratio of sums, resampled like the share of correct answers
    drawn = share_correct(own.source_words, seconds / 3600, own.document, **recipe.bootstrap)
    has_rows = len(own) > 0
    return PostEditedSystem(
        system=name,
        hter=number(table.natural(hter), "no_judgments"),
        hter_capped=number(table.natural(hter_capped), "no_judgments"),
        hter_corpus=number(_corpus_value(own), "post_edits_unknown"),
        words_per_hour=rate_value,
        words_per_hour_interval=interval_ends(drawn.interval, rate_value),
        seconds=_sum(seconds, "no_times"),
        seconds_dropped=float(np.mean(left_out)) if has_rows else Missing("no_judgments"),
        source_words=_sum(own.source_words, "words_unknown"),
        unchanged=float(np.mean(own.values == 0)) if has_rows else Missing("no_judgments"),
        judgments=len(own),
        edits_and_pace=_edits_and_pace(own, seconds),
    )


def _edits_and_pace(own: ScoreTable, seconds: FloatArray) -> tuple[tuple[float, float], ...]:
    words = np.where(own.source_words > 0, own.source_words, np.nan)
    known = np.flatnonzero(~np.isnan(seconds / words))
    chosen = known[np.linspace(0, known.size - 1, min(known.size, MOST_POINTS)).round().astype(np.int64)]
    paces = (seconds[chosen] / words[chosen]).tolist()
    return tuple((own.natural(value), pace) for value, pace in zip(own.values[chosen].tolist(), paces, strict=True))


def _sum(values: FloatArray, reason: str) -> Number:
    """Of what is known; missing where nothing is."""
    return number(float(np.nansum(values))) if np.isfinite(values).any() else Missing(reason)


def _corpus_value(table: ScoreTable) -> float:
    known = ~np.isnan(table.weight)
    weights: FloatArray = table.weight[known]
    if not weights.sum():
        return float("nan")
    return table.natural(float((table.values[known] * weights).sum() / weights.sum()))


def effort_table(result: PostEditing) -> Table:
    """Edits and speed, the least changed system first."""
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("hter", gettext_lazy("HTER, mean of segments"), decimals=3),
        Column("hter_capped", gettext_lazy("Capped at 1"), decimals=3),
        Column("hter_corpus", gettext_lazy("HTER of the corpus"), decimals=3),
        Column("words_per_hour", gettext_lazy("Words an hour"), decimals=0, highest_first=True),
        Column(
            "words_per_hour_interval", gettext_lazy("Words an hour, 95% interval"), Form.ENDS, 0,
            keys=("words_per_hour_low", "words_per_hour_high"), of="words_per_hour",
        ),
        Column("seconds", gettext_lazy("Hours"), decimals=1, scale=1 / 3600, highest_first=True),
        Column("seconds_dropped", gettext_lazy("Left out as pauses"), Form.SHARE, 1),
        Column("source_words", gettext_lazy("Source words"), decimals=0),
        Column("unchanged", gettext_lazy("Not edited"), Form.SHARE, 0, highest_first=True),
        Column("judgments", "n", Form.COUNT, highest_first=True),
    )  # fmt: skip
    has_speed = any(not isinstance(one.words_per_hour, Missing) for one in result.systems)
    chart = ("chart:words_per_hour_interval",) if has_speed else ()
    dropped = max((one.seconds_dropped for one in result.systems if isinstance(one.seconds_dropped, float)), default=0)
    notes = [
        _(
            "HTER: words inserted, deleted, replaced and moved, by words of the corrected text. The corpus value is "
            "all edits by all words; a segment can exceed 1, unless it is capped. Time counts while the editor is "
            "active; words are those of the source. Editors differ more than systems do: compare speeds of the same "
            "editors."
        )
    ]
    if dropped:
        share = number_format(round(100 * dropped, 1), decimal_pos=1)
        notes.append(
            _(
                "Left out as pauses: up to %(share)s%% of a system’s judgments, longer than ten minutes without "
                "working time recorded."
            )
            % {"share": share}
        )
    return Table(
        "effort",
        _("Edits and speed"),
        columns=columns,
        rows=rows_of(columns, result.systems),
        part="corrections",
        caption=_("Post-editing"),
        paper_name="post-editing",
        page=(
            "system", "hter", "hter_capped", "hter_corpus", *chart, "words_per_hour", "seconds", "unchanged",
        ),
        paper=("system", "hter", "hter_capped", "hter_corpus", "words_per_hour", "seconds", "unchanged", "judgments"),
        terminal=("system", "hter", "hter_corpus", "words_per_hour", "seconds", "unchanged", "judgments"),
        main="hter",
        lead=_("The least edited first."),
        notes=tuple(notes),
    )  # fmt: skip
