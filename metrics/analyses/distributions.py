"""Scales of few points: how often each point was chosen, the median and quartiles; no mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.shared_ratings import has_points
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, Table, Text
from metrics.statistics.scales import point_distribution


@dataclass(frozen=True)
class Points:
    """How often each point was chosen for a system, the lowest first; `top_share` is that of the best point."""

    system: str
    measure: str
    judgments: int
    counts: Mapping[str, int]
    median: float
    quartiles: tuple[float, float]
    top_share: float


def distributions(evidence: Evidence) -> tuple[Points, ...]:
    """One entry a system and measure, of the judgments that rank it.

    Only of measures whose scale has two ends and few points. Quartiles are points that were chosen or lie halfway
    between two (Hyndman & Fan 1996, method 2).
    """
    entries = []
    for table in evidence.tables:
        counted = table.where(evidence.of_systems(table))
        if len(counted) and not counted.is_relative and has_points(counted):
            entries += [_entry(counted, int(code)) for code in np.unique(counted.system)]
    return tuple(entries)


def _entry(table: ScoreTable, system: int) -> Points:
    values = table.values[table.system == system]
    points = point_distribution(
        values if table.higher_is_better else -values,
        low=int(table.low),
        high=int(table.high),
        higher_is_better=table.higher_is_better,
    )
    return Points(
        system=table.systems[system],
        measure=table.measure,
        judgments=points.n,
        counts=dict(zip(map(str, points.points.tolist()), points.counts.tolist(), strict=True)),
        median=float(points.median),
        quartiles=points.quartiles,
        top_share=points.top_share,
    )


def points_table(points: Sequence[Points]) -> Table:
    """For files: a row for each system, measure and point."""
    return Table(
        "points",
        "",
        columns=(
            Column("system", form=Form.NAME),
            Column("measure", form=Form.TEXT),
            Column("point", form=Form.TEXT),
            Column("judgments", form=Form.COUNT),
            Column("median"),
            Column("quartiles", form=Form.ENDS, keys=("lower_quartile", "upper_quartile")),
            Column("top_share"),
        ),
        rows=tuple(
            (one.system, one.measure, point, count, one.median, one.quartiles, one.top_share)
            for one in points
            for point, count in one.counts.items()
        ),
    )


def points_by_system_table(points: Sequence[Points], title: Text) -> Table:
    """For a page: of one measure with this `title` the share of each point, a row a system."""
    of_points = [Column(f"@{point}", point, Form.SHARE, 0, highest_first=True) for point in points[0].counts]
    return Table(
        "points",
        _("%(name)s: distribution of ratings") % {"name": title},
        columns=(
            Column("system", gettext_lazy("System"), Form.NAME),
            Column("counts"),
            *of_points,
            Column("median", gettext_lazy("Median"), Form.POINT, highest_first=True),
            Column("quartiles", gettext_lazy("Quartiles"), Form.ENDS, of="median"),
            Column("top", gettext_lazy("Best point"), Form.SHARE, 0, highest_first=True),
            Column("n", "n", Form.COUNT, highest_first=True),
        ),
        rows=tuple(
            (
                one.system,
                tuple(one.counts.values()),
                *(count / one.judgments for count in one.counts.values()),
                one.median,
                one.quartiles,
                one.top_share,
                one.judgments,
            )
            for one in points
        ),
        part=f"points-{points[0].measure}",
        page=("system", "bars:counts", *(column.name for column in of_points), "median", "ends:quartiles", "top", "n"),
        main="median",
        lead=_("How often each point of the scale was given. Only means assume that the points are equally far apart."),
    )
