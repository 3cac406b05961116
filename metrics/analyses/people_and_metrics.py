"""Human scores and metric scores side by side: the same systems and segments; higher is better in all."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.controls import shares_outdone
from metrics.analyses.evidence import Evidence
from metrics.analyses.preferences import preferences_of
from metrics.analyses.system_values import SystemValues, system_values
from metrics.matrices import ScoreTable
from metrics.scoring.reading import TestSetScores
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, ratios
from metrics.statistics.wins import expected_wins

# Averages differ only by rounding where people tie; this makes ties exact. A single judgment is not rounded.
_TIE_DECIMALS = 9
# A system is an outlier that lies so many deviations from the median, the deviation taken from the median too.
OUTLIER_FROM = 2.5
_NORMAL = 1.483
_HUNDRED = (0.0, 100.0)


@dataclass(frozen=True)
class MetricColumn:
    """One metric over the systems (n_systems,) and the cells (n_systems, n_segments); NaN where it has no score."""

    name: str
    systems: FloatArray
    cells: FloatArray


@dataclass(frozen=True)
class SideBySide:
    """Shape: `means` (n_systems,), `cells` (n_systems, n_segments), `segment` their keys, `document` their codes.

    `points` are `cells` in raw points of a scale from 0 to 100, NaN where people used another.
    """

    systems: tuple[str, ...]
    means: FloatArray
    cells: FloatArray
    points: FloatArray
    metrics: tuple[MetricColumn, ...]
    segment: IntArray
    document: IntArray

    def of_systems(self, chosen: BoolArray) -> "SideBySide":
        names = tuple(name for name, keep in zip(self.systems, chosen.tolist(), strict=True) if keep)
        metrics = tuple(replace(each, systems=each.systems[chosen], cells=each.cells[chosen]) for each in self.metrics)
        cells, points = self.cells[chosen], self.points[chosen]
        return replace(self, systems=names, metrics=metrics, means=self.means[chosen], cells=cells, points=points)

    def of_segments(self, chosen: IntArray) -> "SideBySide":
        """A part of the test set, of which a system's score is the mean over its segments, for people and metrics."""
        cells = self.cells[:, chosen]
        metrics = tuple(
            MetricColumn(each.name, mean_of_rows(each.cells[:, chosen]), each.cells[:, chosen]) for each in self.metrics
        )
        part = replace(self, means=mean_of_rows(cells), cells=cells, points=self.points[:, chosen], metrics=metrics)
        return replace(part, segment=self.segment[chosen], document=self.document[chosen])


@dataclass(frozen=True)
class People:
    """What people say of a campaign's systems: `by` is what it rests on (mean, z or expected_wins)."""

    table: ScoreTable
    by: str
    values: SystemValues
    means: FloatArray

    @property
    def cells(self) -> FloatArray:
        scores = self.values.ordering
        return np.where(self.values.averaged > 1, np.round(scores, _TIE_DECIMALS), scores)

    @property
    def points(self) -> FloatArray:
        is_of_hundred = (self.table.low, self.table.high) == _HUNDRED and self.by != "expected_wins"
        return self.values.raw if is_of_hundred else np.full(self.values.raw.shape, np.nan)

    @property
    def segment(self) -> IntArray:
        """The key of each column's segment; none of them where whole documents were judged."""
        if self.table.is_document_level.any():
            return np.full(self.values.units.code.size, -1, dtype=np.int64)
        return np.array(self.table.segment_ids, dtype=np.int64)[self.values.units.code]


def people_of(evidence: Evidence) -> People | None:
    """By the campaign's first measure; None without a score. Scores of documents and segments are separate."""
    table = evidence.main_table
    if table is None:
        return None
    of_segments = table.where(~table.is_document_level)
    table = of_segments if len(of_segments) else table
    if table.is_relative:
        return _by_preference(evidence, table)
    values = system_values(evidence, table)
    return People(table, "z" if values.by_z else "mean", values, values.ordering_means) if values.names else None


def _by_preference(evidence: Evidence, table: ScoreTable) -> People | None:
    evidence = replace(evidence, recipe=replace(evidence.recipe, normalisation="none"))
    shares = replace(table, values=shares_outdone(table), higher_is_better=True)
    values = system_values(evidence, shares)
    preferences = preferences_of(table.where(evidence.of_systems(table)))
    worth = expected_wins(preferences.counts(len(table.systems))[0])
    means = worth[[table.systems.index(name) for name in values.names]]
    return People(shares, "expected_wins", values, means) if values.names else None


def side_by_side(people: People, scores: TestSetScores) -> SideBySide:
    """Human scores beside metric scores, for the systems and segments that people judged."""
    places = {name: place for place, name in enumerate(scores.systems)}
    rows = np.array([places.get(name, -1) for name in people.values.names], dtype=np.int64)
    columns_of = {key: place for place, key in enumerate(scores.segment_ids)}
    columns = np.array([columns_of.get(key, -1) for key in people.segment.tolist()], dtype=np.int64)
    metrics = []
    for metric in scores.metrics:
        systems = np.where(rows >= 0, metric.systems[rows], np.nan) * metric.sign
        known = (rows >= 0)[:, None] & (columns >= 0)[None, :]
        cells = np.full(known.shape, np.nan)
        if metric.segments.size:
            cells = np.where(known, metric.segments[np.ix_(rows, columns)], np.nan) * metric.sign
        metrics.append(MetricColumn(metric.name, systems, cells))
    return SideBySide(
        systems=people.values.names,
        means=people.means,
        cells=people.cells,
        points=people.points,
        metrics=tuple(metrics),
        segment=people.segment,
        document=people.values.units.document,
    )


def left_out(side: SideBySide, evidence: Evidence, scores: TestSetScores) -> Mapping[str, str]:
    """Systems that are not correlated, and why: `reference` always, `human` and `outlier` where that was chosen."""
    humans = {name for name, is_human in zip(scores.systems, scores.is_human, strict=True) if is_human}
    reasons = {name: "reference" for name in side.systems if name in evidence.references}
    if evidence.recipe.humans == "out":
        reasons |= {name: "human" for name in side.systems if name in humans and name not in reasons}
    if evidence.recipe.outliers == "out":
        staying = np.array([name not in reasons for name in side.systems], dtype=np.bool_)
        outlying = is_outlier(np.where(staying, side.means, np.nan))
        reasons |= {name: "outlier" for name, out in zip(side.systems, outlying.tolist(), strict=True) if out}
    return reasons


def is_outlier(means: FloatArray) -> BoolArray:
    """By people's scores: further from the median than 2.5 times 1.483 median absolute deviations.

    Source: Mathur, Baldwin & Cohn 2020, "Tangled up in BLEU". NaN is not an outlier; without any spread there are none.
    """
    known = means[~np.isnan(means)]
    outlying = np.zeros(means.size, dtype=np.bool_)
    if known.size < 3:
        return outlying
    distance = np.abs(means - np.median(known))
    spread = _NORMAL * float(np.nanmedian(distance))
    if spread:
        outlying[~np.isnan(means)] = distance[~np.isnan(means)] > OUTLIER_FROM * spread
    return outlying


def mean_of_rows(cells: FloatArray) -> FloatArray:
    """NaN for a row without a number."""
    return ratios(np.nansum(cells, axis=1), (~np.isnan(cells)).sum(axis=1))
