"""Scales of few points as they are: how often each point was given, medians and quartiles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Measure
from frontend.researcher.interval_chart import Bar, bars_for
from frontend.researcher.sorting import Sorted, SortKey, column_keys, nothing_asked
from metrics.analyses.distributions import Points
from metrics.analyses.ranking import Ranking


@dataclass(frozen=True)
class PointRow:
    """`shares` of each point in percent; `columns` draw them."""

    system: str
    judgments: int
    shares: list[tuple[str, float]]
    columns: list[Bar]
    median: float
    low: float
    high: float
    top: float


@dataclass(frozen=True)
class PointTable:
    """`entries` of one measure as the analysis `ranking` gives them under `distributions`, in rank order."""

    entries: Sequence[Points]
    measure: Measure | None
    name: str
    query: QueryDict = field(default_factory=nothing_asked)

    COLUMNS = ("system", "measure", "point", "judgments", "median", "lower_quartile", "upper_quartile", "top_share")

    @property
    def title(self) -> str:
        return str(self.measure.title) if self.measure else self.name

    @property
    def points(self) -> list[str]:
        return list(self.entries[0].counts) if self.entries else []

    @property
    def rows(self) -> list[PointRow]:
        return [
            PointRow(
                system=entry.system,
                judgments=entry.judgments,
                shares=[(point, 100 * count / entry.judgments) for point, count in entry.counts.items()],
                columns=bars_for(list(entry.counts.values()), height=26),
                median=entry.median,
                low=entry.quartiles[0],
                high=entry.quartiles[1],
                top=100 * entry.top_share,
            )
            for entry in self.entries
        ]

    @cached_property
    def sorted(self) -> Sorted[PointRow]:
        keys: dict[str, SortKey[PointRow]] = {
            "system": SortKey(_("System"), lambda row: row.system.casefold()),
            **column_keys(self.points, lambda row, place: row.shares[place][1]),
            "median": SortKey(_("Median"), lambda row: row.median, is_down_first=True),
            "top": SortKey(_("Best point"), lambda row: row.top, is_down_first=True),
            "n": SortKey("n", lambda row: row.judgments, is_down_first=True),
        }
        return Sorted(self.rows, keys, self.query, table=f"points-{self.name}")

    def csv_rows(self) -> Iterator[list[Any]]:
        for entry in self.entries:
            rest = [entry.median, *entry.quartiles, entry.top_share]
            for point, count in entry.counts.items():
                yield [entry.system, entry.measure, point, count, *rest]


def point_tables(ranking: Ranking, measures: Mapping[str, Measure], query: QueryDict | None = None) -> list[PointTable]:
    """A table a measure; systems in the order of the measure's own ranking."""
    entries = ranking.distributions or ()
    order = {(system.measure, system.system): place for place, system in enumerate(ranking.systems)}
    tables = []
    for name in dict.fromkeys(entry.measure for entry in entries):
        own = [entry for entry in entries if entry.measure == name]
        own.sort(key=lambda entry: order.get((entry.measure, entry.system), len(order)))
        tables.append(PointTable(own, measures.get(name), name, query or nothing_asked()))
    return tables
