"""The analysis `places`: scores by where an output stood on its screen, and beside how many others."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.results.tables import Column, Form, Table, Text, rows_of
from metrics.screen_places import ScreenPlace


@dataclass(frozen=True)
class PlaceMean:
    """`mean` of the `scores` of outputs at this place, from 1, on screens with `width` outputs side by side."""

    width: int
    place: int
    mean: float
    scores: int


@dataclass(frozen=True)
class PlaceMeans:
    """By the first `measure`; without rows where screens are no documents, or no place is known."""

    measure: str
    rows: tuple[PlaceMean, ...]


def places(evidence: Evidence) -> PlaceMeans:
    """Plain means: which systems stood where is not taken out."""
    table, known = evidence.main_scores, evidence.places
    if table is None or known is None:
        return PlaceMeans("", ())
    used = table.where(evidence.of_systems(table))
    values: dict[ScreenPlace, list[float]] = {}
    systems = [used.systems[code] for code in used.system.tolist()]
    for judgment, system, value in zip(used.judgment.tolist(), systems, used.values.tolist(), strict=True):
        if (judgment, system) in known:
            values.setdefault(known[judgment, system], []).append(used.natural(value))
    rows = (
        PlaceMean(where.width, where.place, float(np.mean(scores)), len(scores))
        for where, scores in sorted(values.items())
    )
    return PlaceMeans(used.measure, tuple(rows))


def places_table(result: PlaceMeans, title: Callable[[str], Text] = str) -> Table:
    """A row a width and place."""
    columns = (
        Column("width", gettext_lazy("Systems on the screen"), Form.NAME),
        Column("place", gettext_lazy("Place"), Form.COUNT),
        Column("mean", gettext_lazy("Mean"), decimals=1),
        Column("scores", gettext_lazy("Scores"), Form.COUNT),
    )
    lead = _("%(measure)s by how many systems stood side by side, and at which place. Different systems stood there.")
    return Table(
        "places",
        _("Means by place on the screen"),
        columns=columns,
        rows=rows_of(columns, result.rows),
        part="places",
        page=tuple(column.name for column in columns),
        is_sortable=False,
        lead=lead % {"measure": title(result.measure)},
    )
