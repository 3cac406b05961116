"""Annotators as lines of a table: how they score, how reliably, what should be looked at, and whether they count."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from frontend.researcher.agreement_words import CONTROL_STATES, Words, flag_words, grave_flags
from frontend.researcher.interval_chart import Axis, axis_for
from frontend.researcher.sorting import Sorted, SortKey

FLAGS = "flags"
FEWEST_SHARED = 10  # a correlation of fewer says nothing
NAME = "name"


def _value(name: str) -> Callable[["Line"], Any]:
    return lambda line: line.entry.get(name)


SORTS: Mapping[str, SortKey["Line"]] = {
    NAME: SortKey(gettext_lazy("Annotator"), lambda line: line.name.casefold()),
    "judgments": SortKey(gettext_lazy("n"), _value("judgments"), True),
    "mean": SortKey(gettext_lazy("Mean"), _value("mean"), True),
    "seconds": SortKey(gettext_lazy("Median time"), _value("seconds_median")),
    "controls": SortKey(gettext_lazy("Controls, p"), _value("control_p"), True),
    "repeats": SortKey(gettext_lazy("Repeats, apart"), _value("repeat_difference"), True),
    "uniform": SortKey(gettext_lazy("Same answer"), _value("uniform_share"), True),
    "others": SortKey(
        gettext_lazy("With others, r"),
        lambda line: line.entry.get("others_pearson") if line.has_enough_others else None,
    ),
    "bias": SortKey(gettext_lazy("Above others"), _value("others_difference"), True),
    FLAGS: SortKey(gettext_lazy("To look at"), lambda line: (line.gravity, len(line.flags)), True),
}


@dataclass(frozen=True)
class Line:
    """`exclusion` is the decision that stands now, whatever the run knew."""

    entry: Mapping[str, Any]
    name: str
    exclusion: Exclusion | None
    axis: Axis

    @property
    def username(self) -> str:
        return str(self.entry["annotator"])

    @property
    def is_included(self) -> bool:
        return self.exclusion is None and bool(self.entry["included"])

    @property
    def flags(self) -> list[tuple[str, Words]]:
        return flag_words(self.entry)

    @property
    def gravity(self) -> int:
        return len(grave_flags(self.entry))

    @property
    def has_enough_others(self) -> bool:
        return bool(self.entry.get("others_n", 0) >= FEWEST_SHARED)

    @property
    def control(self) -> tuple[str, Words] | None:
        return CONTROL_STATES.get(self.entry.get("control_state", "none"))

    @property
    def mean_at(self) -> str | None:
        mean = self.entry["mean"]
        return None if mean is None else self.axis.place(mean)

    @property
    def low_at(self) -> str | None:
        return self._apart(-1)

    @property
    def high_at(self) -> str | None:
        return self._apart(1)

    def _apart(self, side: int) -> str | None:
        mean, deviation = self.entry["mean"], self.entry["deviation"]
        return None if mean is None or deviation is None else self.axis.place(mean + side * deviation)


@dataclass(frozen=True)
class AnnotatorTable:
    """`query` is the page's address, which says how the lines are sorted."""

    entries: Sequence[Mapping[str, Any]]
    people: Mapping[str, str]
    exclusions: Mapping[str, Exclusion]
    measure: Measure | None
    query: QueryDict

    @cached_property
    def axis(self) -> Axis:
        """The whole scale where it has two ends, or what the means and deviations take."""
        measure = self.measure
        if measure is not None and math.isfinite(measure.high - measure.low):
            return Axis(measure.low, measure.high, measure.high - measure.low)
        ends = [
            entry["mean"] + side * entry["deviation"]
            for entry in self.entries
            if entry["mean"] is not None and entry["deviation"] is not None
            for side in (-1, 1)
        ]
        found = axis_for(ends)
        if measure is not None and found.low < measure.low < found.high:
            return Axis(measure.low, found.high, found.step)
        return found

    @cached_property
    def sorted(self) -> Sorted[Line]:
        lines = [
            Line(entry, self.people.get(entry["annotator"], entry["annotator"]), self._exclusion_of(entry), self.axis)
            for entry in self.entries
        ]
        lines.sort(key=SORTS[NAME].value)
        return Sorted(lines, SORTS, self.query, usual=f"-{FLAGS}", anchor="annotators")

    @property
    def lines(self) -> list[Line]:
        return self.sorted.rows

    def _exclusion_of(self, entry: Mapping[str, Any]) -> Exclusion | None:
        return self.exclusions.get(entry["annotator"])

    @property
    def to_look_at(self) -> list[str]:
        """Who still counts though something casts doubt on the answers, most doubt first."""
        doubted = [line for line in self.lines if line.is_included and line.gravity]
        return [line.name for line in sorted(doubted, key=lambda line: -line.gravity)]

    @property
    def has_controls(self) -> bool:
        return any(line.control for line in self.lines)

    @property
    def has_repeats(self) -> bool:
        return any(line.entry.get("repeat_n") for line in self.lines)

    @property
    def has_scores(self) -> bool:
        """Places on a screen have no mean that says anything of the annotator."""
        return self.measure is None or not self.measure.is_relative

    @property
    def digits(self) -> int:
        return 1 if self.axis.high - self.axis.low >= 10 else 2


CSV_HEADER = (
    "annotator", "judgments", "mean", "deviation", "seconds_median", "control_n", "control_p", "control_difference",
    "control_state", "repeat_n", "repeat_difference", "repeat_pearson", "uniform_share", "others_n", "others_pearson",
    "others_low", "others_high", "others_difference", "included", "flags", "signature",
)  # fmt: skip


def csv_rows(entries: Sequence[Mapping[str, Any]], signature: str) -> Iterator[list[Any]]:
    for entry in entries:
        low, high = entry.get("others_interval") or (None, None)
        cells = {**entry, "others_low": low, "others_high": high, "flags": " ".join(entry["flags"])}
        yield [cells.get(name) for name in CSV_HEADER[:-1]] + [signature]
