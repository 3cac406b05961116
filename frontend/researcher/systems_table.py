"""Systems as lines of a table: means with their whiskers on one axis, ranks, and where clusters end."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Measure, Text
from frontend.researcher.interval_chart import Axis, axis_for
from frontend.researcher.sorting import COLUMN, Sorted, SortKey, nothing_asked

Z = "z"


@dataclass(frozen=True)
class ExtraColumn:
    """A number beside the mean, by system; `unit` follows it. `lower_first` says how it is sorted at first."""

    title: Text
    values: Mapping[str, float | None]
    decimals: int = 0
    unit: str = ""
    lower_first: bool = False


@dataclass(frozen=True)
class ExtraCell:
    value: float | None
    column: ExtraColumn


@dataclass(frozen=True)
class SystemRow:
    """One line of the table; places are percentages of the chart column, absent where there is no number."""

    system: str
    is_human: bool
    rank: str
    mean: float | None
    z_mean: float | None
    point: float | None
    low: float | None
    high: float | None
    judgments: int
    segments: int
    point_at: str | None
    low_at: str | None
    high_at: str | None
    ends_cluster: bool
    extras: tuple[ExtraCell, ...] = ()

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True)
class SystemsTable:
    """`systems` of one measure as the analysis `ranking` gives them, in rank order, each with `is_human` added.

    `measure` is None where the campaign does not know it, as after an import. `drawn` is what the chart shows, raw
    means or z means; `notes` are the sentences under the table. `part` names it on its page, whose address is `query`.
    """

    systems: Sequence[Mapping[str, Any]]
    measure: Measure | None = None
    name: str = ""
    drawn: str = "raw"
    notes: Sequence[str] = ()
    columns: Sequence[ExtraColumn] = field(default_factory=tuple)
    part: str = ""
    query: QueryDict = field(default_factory=nothing_asked)

    @property
    def title(self) -> str:
        return str(self.measure.title) if self.measure else self.name

    @property
    def is_share(self) -> bool:
        """Numbers in percent."""
        return self.measure is not None and self.measure.unit == "%"

    @property
    def lower_is_better(self) -> bool:
        """z always points up."""
        return self._is_falling and not self.draws_z

    @property
    def has_z(self) -> bool:
        return any(system["z_mean"] is not None for system in self.systems)

    @property
    def draws_z(self) -> bool:
        return self.drawn == Z and self.has_z

    @cached_property
    def decimals(self) -> int:
        """So many that two ends of the axis differ clearly, at least one."""
        return max(1, 1 - math.floor(math.log10(self.axis.high - self.axis.low)))

    @cached_property
    def raw_decimals(self) -> int:
        """Of raw means, while the axis is that of z."""
        return self.decimals if not self.draws_z else SystemsTable(self.systems, self.measure).decimals

    @cached_property
    def axis(self) -> Axis:
        values = (value for system in self.systems for value in _drawn(system, draws_z=self.draws_z))
        return axis_for(value for value in values if value is not None)

    @cached_property
    def rows(self) -> list[SystemRow]:
        clusters = [system["cluster"] for system in self.systems] + [None]
        return [
            self._row(system, ends_cluster=clusters[place + 1] not in (system["cluster"], None))
            for place, system in enumerate(self.systems)
        ]

    @cached_property
    def sorted(self) -> Sorted[SystemRow]:
        """The rows as a reader asks for them; a line under a cluster says something only in the order of rank."""
        place = {row.system: index for index, row in enumerate(self.rows)}
        keys: dict[str, SortKey[SystemRow]] = {
            "rank": SortKey(_("Rank"), lambda row: place[row.system]),
            "system": SortKey(_("System"), lambda row: row.system.casefold()),
            "mean": SortKey(_("Raw") if self.has_z else self.title, lambda row: row.mean, not self._is_falling),
            "z": SortKey(_("z-score"), lambda row: row.z_mean, is_down_first=True),
            "n": SortKey("n", lambda row: row.judgments, is_down_first=True),
        }
        for index, column in enumerate(self.columns):
            keys[f"{COLUMN}{index + 1}"] = SortKey(column.title, partial(_extra, index), not column.lower_first)
        return Sorted(self.rows, keys, self.query, table=self.part, usual="rank")

    @property
    def _is_falling(self) -> bool:
        return self.measure is not None and not self.measure.higher_is_better

    @property
    def columns_after_chart(self) -> int:
        return 3 + self.has_z + len(self.columns)

    def _row(self, system: Mapping[str, Any], *, ends_cluster: bool) -> SystemRow:
        point, low, high = _drawn(system, draws_z=self.draws_z)
        first, last = system["rank"] or (None, None)
        at, low_at, high_at = (None if value is None else self.axis.place(value) for value in (point, low, high))
        return SystemRow(
            system=system["system"],
            is_human=system["is_human"],
            rank=str(first or "–") if first == last else f"{first}–{last}",
            mean=system["mean"],
            z_mean=system["z_mean"],
            point=point,
            low=low,
            high=high,
            judgments=system["judgments"],
            segments=system["segments"],
            point_at=at,
            low_at=low_at,
            high_at=high_at,
            ends_cluster=ends_cluster,
            extras=tuple(ExtraCell(column.values.get(system["system"]), column) for column in self.columns),
        )


def _extra(index: int, row: SystemRow) -> float | None:
    return row.extras[index].value


def _drawn(system: Mapping[str, Any], *, draws_z: bool) -> tuple[float | None, float | None, float | None]:
    mean, interval = ("z_mean", "z_interval") if draws_z else ("mean", "interval")
    low, high = system[interval] or (None, None)
    return system[mean], low, high


def by_measure(systems: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Systems of several measures, in the order they come."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for system in systems:
        found.setdefault(system["measure"], []).append(system)
    return found
