"""The analysis `drift`: whether scores and time change from the beginning of an annotator's work to its end."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.results.values import Ends, Number, interval_ends, listed, number
from metrics.statistics.arrays import FloatArray, IntArray, group_means
from metrics.statistics.bootstrap import bootstrap_interval
from metrics.statistics.resampling import Interval

PARTS = 10
FEWEST_JUDGMENTS = 20  # of an annotator; of fewer a tenth is hardly more than one


@dataclass(frozen=True)
class Tenth:
    """The `part`th tenth of each annotator's own judgments, from 1.

    `score` is how far scores lie above what the means of annotator, system and segment say, in units of the scale,
    higher where they are better; `seconds` is the geometric mean of a judgment.
    """

    part: int
    judgments: int
    score: Number
    score_interval: Ends
    seconds: Number
    seconds_interval: Ends


@dataclass(frozen=True)
class Drift:
    """Of `annotators` with enough judgments together, by the first measure with scores of segments."""

    measure: str
    annotators: int
    tenths: tuple[Tenth, ...] = listed(empty="too_few_judgments")


def drift(evidence: Evidence) -> Drift:
    """Preferences have no scores here, only times."""
    whole = evidence.main_table
    if whole is None:
        return Drift("", 0, ())
    table = whole.where(evidence.counted(whole) & whole.of_kinds(["regular"]) & whole.is_own)
    place, own = _places(table)
    table, place = table.where(own >= FEWEST_JUDGMENTS), place[own >= FEWEST_JUDGMENTS]
    if not len(table):
        return Drift(whole.measure, 0, ())
    scores = np.full(len(table), np.nan) if table.is_relative else _residuals(table)
    is_first = np.concatenate([[True], table.judgment[1:] != table.judgment[:-1]])  # a screen has one time
    times = np.log(np.where(is_first & (table.seconds > 0), table.seconds, np.nan))
    tenths = (
        _tenth(part, table.where(place == part), scores[place == part], times[place == part], evidence.recipe)
        for part in range(PARTS)
    )
    return Drift(table.measure, np.unique(table.annotator).size, tuple(tenths))


def _places(table: ScoreTable) -> tuple[IntArray, IntArray]:
    """Of each row the tenth of its annotator's judgments that it is in, and how many these are."""
    place, own = np.zeros(len(table), dtype=np.int64), np.zeros(len(table), dtype=np.int64)
    for code in np.unique(table.annotator):
        rows = np.flatnonzero(table.annotator == code)
        starts = np.concatenate([[True], table.judgment[rows][1:] != table.judgment[rows][:-1]])
        count = int(starts.sum())
        place[rows] = PARTS * (np.cumsum(starts) - 1) // count
        own[rows] = count
    return place, own


def _residuals(table: ScoreTable) -> FloatArray:
    """Without the means of segments, then of systems, then of annotators: later texts may be harder."""
    rest = table.values.copy()
    for codes in (table.unit, table.system, table.annotator):
        _, group = np.unique(codes, return_inverse=True)
        rest = rest - group_means(rest, group, int(group.max()) + 1)[group]
    return rest


def _tenth(part: int, table: ScoreTable, scores: FloatArray, times: FloatArray, recipe: Recipe) -> Tenth:
    of_scores, of_times = (
        bootstrap_interval(each, groups=table.document, **recipe.bootstrap) for each in (scores, times)
    )
    score = number(_mean(scores), "not_normalised" if table.is_relative else "no_judgments")
    seconds = number(float(np.exp(_mean(times))), "no_times")
    ends = Interval(float(np.exp(of_times.low)), float(np.exp(of_times.high)), of_times.reason)
    return Tenth(
        part=part + 1,
        judgments=np.unique(table.judgment).size,
        score=score,
        score_interval=interval_ends(of_scores, score),
        seconds=seconds,
        seconds_interval=interval_ends(ends, seconds),
    )


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")


def drift_table(result: Drift) -> Table:
    """A row a tenth."""
    columns = (
        Column("part", gettext_lazy("Tenth of the work"), Form.NAME),
        Column("judgments", "n", Form.COUNT),
        Column("score", gettext_lazy("Score"), Form.SIGNED),
        Column(
            "score_interval", gettext_lazy("95% interval"), Form.ENDS, 2, keys=("score_low", "score_high"), of="score",
        ),
        Column("seconds", gettext_lazy("Seconds"), decimals=1),
        Column(
            "seconds_interval", gettext_lazy("95% interval"), Form.ENDS, 1, keys=("seconds_low", "seconds_high"),
            of="seconds",
        ),
    )  # fmt: skip
    return Table(
        "drift",
        _("Scores and time by order"),
        columns=columns,
        rows=rows_of(columns, result.tenths),
        part="drift",
        page=tuple(column.name for column in columns),
        is_sortable=False,
    )
