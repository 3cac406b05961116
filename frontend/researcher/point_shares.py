"""Scales of few points as they are: how often each point was given, medians and quartiles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.base import Measure
from frontend.researcher.interval_chart import Column, columns_for


@dataclass(frozen=True)
class PointRow:
    """`shares` of each point in percent; `columns` draw them."""

    system: str
    judgments: int
    shares: list[tuple[str, float]]
    columns: list[Column]
    median: float
    low: float
    high: float
    top: float


@dataclass(frozen=True)
class PointTable:
    """`entries` of one measure as the analysis `ranking` gives them under `distributions`, in rank order."""

    entries: Sequence[Mapping[str, Any]]
    measure: Measure | None
    name: str

    COLUMNS = ("system", "measure", "point", "judgments", "median", "lower_quartile", "upper_quartile", "top_share")

    @property
    def title(self) -> str:
        return str(self.measure.title) if self.measure else self.name

    @property
    def points(self) -> list[str]:
        return list(self.entries[0]["counts"]) if self.entries else []

    @property
    def rows(self) -> list[PointRow]:
        return [
            PointRow(
                system=entry["system"],
                judgments=entry["judgments"],
                shares=[(point, 100 * count / entry["judgments"]) for point, count in entry["counts"].items()],
                columns=columns_for(list(entry["counts"].values()), height=26),
                median=entry["median"],
                low=entry["quartiles"][0],
                high=entry["quartiles"][1],
                top=100 * entry["top_share"],
            )
            for entry in self.entries
        ]

    def csv_rows(self) -> Iterator[list[Any]]:
        for entry in self.entries:
            rest = [entry["median"], *entry["quartiles"], entry["top_share"]]
            for point, count in entry["counts"].items():
                yield [entry["system"], entry["measure"], point, count, *rest]


def point_tables(ranking: Mapping[str, Any], measures: Mapping[str, Measure]) -> list[PointTable]:
    """A table a measure; systems in the order of the measure's own ranking."""
    entries = ranking.get("distributions", [])
    order = {(system["measure"], system["system"]): place for place, system in enumerate(ranking["systems"])}
    tables = []
    for name in dict.fromkeys(entry["measure"] for entry in entries):
        own = [entry for entry in entries if entry["measure"] == name]
        own.sort(key=lambda entry: order.get((entry["measure"], entry["system"]), len(order)))
        tables.append(PointTable(own, measures.get(name), name))
    return tables
