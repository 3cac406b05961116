"""Single translations for a picture: people's scores against a metric's, and metrics against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.people_and_metrics import SideBySide
from metrics.coefficient_names import CORRELATIONS
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Number, number
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.coefficients import pearson

MOST_POINTS = 300  # of more the squares of a grid are counted
ACROSS, UP = 24, 20


@dataclass(frozen=True)
class ScoredSegments:
    """The `segments` (translations) that people and a metric scored, in natural units.

    `points` are (score, human) where they are few, else None; `grid` has the squares that are not empty: their place
    from the left and from the bottom, of ACROSS and UP, and how many are in them. `score_range` and `human_range` are
    those of the grid.
    """

    metric: str
    segments: int
    score_range: tuple[float, float]
    human_range: tuple[float, float]
    grid: tuple[tuple[int, int, int], ...]
    points: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True)
class MetricPair:
    """Pearson's r of two metrics over the translations that both scored; closer to 1 where they say the same."""

    first: str
    second: str
    pearson: Number
    segments: int


def scored_segments(side: SideBySide, scores: TestSetScores, *, turned: bool) -> Iterator[ScoredSegments]:
    """Of every metric with scores of segments; `turned` says whether people's scores were turned round."""
    for metric in side.metrics:
        known = ~(np.isnan(side.cells) | np.isnan(metric.cells))
        people = (-1 if turned else 1) * side.cells[known] + 0.0
        values = scores[metric.name].sign * metric.cells[known] + 0.0
        if not people.size:
            continue
        yield scored_in_squares(metric.name, values, people)


def scored_in_squares(metric: str, scores: FloatArray, people: FloatArray) -> ScoredSegments:
    """Shape: `scores` and `people`: (n_translations,), at least one, without NaN."""
    across, up = _range(scores), _range(people)
    counts, _x, _y = np.histogram2d(scores, people, bins=(ACROSS, UP), range=(across, up))
    columns, rows = np.nonzero(counts)
    filled = zip(columns.tolist(), rows.tolist(), counts[columns, rows].astype(int).tolist(), strict=True)
    is_few = people.size <= MOST_POINTS
    points = tuple(zip(scores.tolist(), people.tolist(), strict=True)) if is_few else None
    return ScoredSegments(metric, int(people.size), across, up, tuple(filled), points)


def _range(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def metric_pairs(side: SideBySide) -> Iterator[MetricPair]:
    for first, second in combinations(side.metrics, 2):
        known = ~(np.isnan(first.cells) | np.isnan(second.cells))
        r = pearson(first.cells[known], second.cells[known])
        yield MetricPair(first.name, second.name, number(r.value, r.reason), int(known.sum()))


def segments_table(segments: Sequence[ScoredSegments]) -> Table:
    """A row for each square with translations in it."""
    columns = (
        Column("metric", gettext_lazy("Metric"), Form.NAME),
        Column("score_from", gettext_lazy("Score from"), decimals=2),
        Column("score_to", gettext_lazy("to"), decimals=2),
        Column("human_from", gettext_lazy("Human score from"), decimals=2),
        Column("human_to", gettext_lazy("to"), decimals=2),
        Column("segments", gettext_lazy("Translations"), Form.COUNT),
    )
    return Table(
        "segments",
        _("Segments by score"),
        columns=columns,
        rows=tuple(
            (
                one.metric,
                *ends_of_square(one.score_range, column, ACROSS),
                *ends_of_square(one.human_range, row, UP),
                count,
            )
            for one in segments
            for column, row, count in one.grid
        ),
        part="metric-segments",
        page=tuple(column.name for column in columns),
        is_sortable=False,
    )


def ends_of_square(whole: tuple[float, float], place: int, parts: int) -> tuple[float, float]:
    width = (whole[1] - whole[0]) / parts
    return whole[0] + place * width, whole[0] + (place + 1) * width


def metric_pairs_table(pairs: Sequence[MetricPair], titles: Mapping[str, str]) -> Table:
    columns = (
        Column("first", gettext_lazy("Metric"), Form.NAME),
        Column("second", gettext_lazy("Other metric"), Form.TEXT),
        Column("pearson", CORRELATIONS["pearson"]),
        Column("segments", gettext_lazy("Translations"), Form.COUNT),
    )
    return Table(
        "metric-pairs",
        _("Metrics against each other, by segment"),
        columns=columns,
        rows=tuple(
            (titles.get(one.first, one.first), titles.get(one.second, one.second), one.pearson, one.segments)
            for one in pairs
        ),
        part="metric-pairs",
        page=tuple(column.name for column in columns),
        is_sortable=False,
    )
