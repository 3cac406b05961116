"""Systems as lines of a table: means with their whiskers on one axis, ranks, and where clusters end."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.protocols.base import Measure
from frontend.researcher.interval_chart import Axis, axis_for


@dataclass(frozen=True)
class SystemRow:
    """One line of the table; places are percentages of the chart column, absent where there is no number."""

    system: str
    is_human: bool
    rank: str
    mean: float | None
    low: float | None
    high: float | None
    z_mean: float | None
    judgments: int
    segments: int
    point_at: str | None
    low_at: str | None
    high_at: str | None
    ends_cluster: bool

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True)
class SystemsTable:
    """`systems` of one measure as the analysis `ranking` gives them, in rank order, each with `is_human` added.

    `measure` is None where the campaign does not know it, as after an import.
    """

    systems: Sequence[Mapping[str, Any]]
    measure: Measure | None = None
    name: str = ""

    @property
    def title(self) -> str:
        return str(self.measure.title) if self.measure else self.name

    @property
    def lower_is_better(self) -> bool:
        """Preferences are ranked by expected wins, whichever way their places point."""
        return self.measure is not None and not (self.measure.higher_is_better or self.measure.is_relative)

    @cached_property
    def decimals(self) -> int:
        """So many that two ends of the axis differ clearly, at least one."""
        return max(1, 1 - math.floor(math.log10(self.axis.high - self.axis.low)))

    @cached_property
    def axis(self) -> Axis:
        values = (value for system in self.systems for value in (system["mean"], *(system["interval"] or ())))
        return axis_for(value for value in values if value is not None)

    @cached_property
    def rows(self) -> list[SystemRow]:
        clusters = [system["cluster"] for system in self.systems] + [None]
        return [
            _row(system, self.axis, ends_cluster=clusters[place + 1] not in (system["cluster"], None))
            for place, system in enumerate(self.systems)
        ]

    @property
    def has_z(self) -> bool:
        return any(system["z_mean"] is not None for system in self.systems)


def tables_of(systems: Sequence[Mapping[str, Any]], measures: Mapping[str, Measure]) -> list[SystemsTable]:
    """Systems of several measures, a table a measure in the order they come."""
    names = dict.fromkeys(system["measure"] for system in systems)
    return [
        SystemsTable([system for system in systems if system["measure"] == name], measures.get(name), name)
        for name in names
    ]


def _row(system: Mapping[str, Any], axis: Axis, *, ends_cluster: bool) -> SystemRow:
    low, high = system["interval"] or (None, None)
    first, last = system["rank"] or (None, None)
    mean, low_at, high_at = (None if value is None else axis.place(value) for value in (system["mean"], low, high))
    return SystemRow(
        system=system["system"],
        is_human=system["is_human"],
        rank=str(first or "–") if first == last else f"{first}–{last}",
        mean=system["mean"],
        low=low,
        high=high,
        z_mean=system["z_mean"],
        judgments=system["judgments"],
        segments=system["segments"],
        point_at=mean,
        low_at=low_at,
        high_at=high_at,
        ends_cluster=ends_cluster,
    )
