"""The analysis `correlation` made ready for the page: one line a metric, systems and segments side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from frontend.researcher.interval_chart import Axis, axis_for

GROUPINGS = ("item", "none", "system")


@dataclass(frozen=True)
class Level:
    """One metric at one level: its numbers, the one that leads with its interval, and the group it is in."""

    entry: Mapping[str, Any]
    leading: str
    axis: Axis

    @property
    def value(self) -> float | None:
        found: float | None = self.entry[self.leading]
        return found

    @property
    def ends(self) -> tuple[float, float] | None:
        found = self.entry["intervals"].get(self.leading)
        return (found[0], found[1]) if found else None

    @property
    def point_at(self) -> str | None:
        return None if self.value is None else self.axis.place(self.value)

    @property
    def low_at(self) -> str | None:
        return None if self.ends is None else self.axis.place(self.ends[0])

    @property
    def high_at(self) -> str | None:
        return None if self.ends is None else self.axis.place(self.ends[1])


@dataclass(frozen=True)
class CorrelationRow:
    metric: str
    title: str
    system: Level
    segment: Level
    ends_group: bool


@dataclass(frozen=True)
class Correlations:
    """`entries` are the `metrics` of the whole or of a slice; a slice has no groups, so no line ends one."""

    entries: Sequence[Mapping[str, Any]]
    titles: Mapping[str, str]
    grouping: str = "item"

    @property
    def leading(self) -> str:
        """Ties count within a segment; elsewhere Pearson's r leads."""
        return "accuracy_with_ties" if self.grouping == "item" else "pearson"

    @cached_property
    def rows(self) -> list[CorrelationRow]:
        systems = {each["metric"]: each for each in self.entries if each["level"] == "system"}
        segments = {
            each["metric"]: each
            for each in self.entries
            if each["level"] == "segment" and each["grouping"] == self.grouping
        }
        names = sorted(systems, key=lambda name: (-_filled(systems[name]["pearson"]), name))
        groups = [systems[name].get("group") for name in names]
        return [
            CorrelationRow(
                metric=name,
                title=self.titles.get(name, name),
                system=Level(systems[name], "pearson", self.system_axis),
                segment=Level(segments[name], self.leading, self.segment_axis),
                ends_group=place + 1 < len(names) and groups[place] is not None and groups[place + 1] != groups[place],
            )
            for place, name in enumerate(names)
        ]

    @cached_property
    def system_axis(self) -> Axis:
        return self._axis("system", "none", "pearson")

    @cached_property
    def segment_axis(self) -> Axis:
        return self._axis("segment", self.grouping, self.leading)

    @property
    def has_groups(self) -> bool:
        return any(each.get("group") for each in self.entries)

    def _axis(self, level: str, grouping: str, name: str) -> Axis:
        wanted = [each for each in self.entries if each["level"] == level and each["grouping"] == grouping]
        ends = [end for each in wanted for end in each["intervals"].get(name) or ()]
        return axis_for([each[name] for each in wanted if each[name] is not None] + ends)


def _filled(value: float | None) -> float:
    return -2.0 if value is None else value
