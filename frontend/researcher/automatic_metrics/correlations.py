"""The analysis `correlation` made ready for the page: a table of systems and one of segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from frontend.researcher.interval_chart import Axis, axis_for

GROUPINGS = ("item", "none", "system")


@dataclass(frozen=True)
class CorrelationRow:
    """One metric at one level: its numbers, the one that leads with its interval, and whether a group ends here."""

    title: str
    entry: Mapping[str, Any]
    leading: str
    axis: Axis
    ends_group: bool

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
class Level:
    """A table: metrics closest to people first."""

    name: str
    grouping: str
    axis: Axis
    rows: Sequence[CorrelationRow]


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
    def systems(self) -> Level:
        return self._level("system", "none", "pearson")

    @cached_property
    def segments(self) -> Level:
        return self._level("segment", self.grouping, self.leading)

    @property
    def tells_of_segments(self) -> bool:
        """Whether people said anything of single segments, in whatever grouping."""
        return any(each["level"] == "segment" and each["groups"] for each in self.entries)

    def _level(self, level: str, grouping: str, leading: str) -> Level:
        wanted = [each for each in self.entries if each["level"] == level and each["grouping"] == grouping]
        ends = [end for each in wanted for end in each["intervals"].get(leading) or ()]
        axis = axis_for([each[leading] for each in wanted if each[leading] is not None] + ends)
        wanted.sort(key=lambda each: (-_filled(each[leading]), each["metric"]))
        groups = [each.get("group") for each in wanted]
        rows = [
            CorrelationRow(
                title=self.titles.get(each["metric"], each["metric"]),
                entry=each,
                leading=leading,
                axis=axis,
                ends_group=place + 1 < len(wanted) and groups[place + 1] not in (groups[place], None),
            )
            for place, each in enumerate(wanted)
        ]
        return Level(level, grouping, axis, rows)


def _filled(value: float | None) -> float:
    return -2.0 if value is None else value
