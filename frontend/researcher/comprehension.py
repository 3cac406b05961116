"""The table of a gisting campaign: what share of the questions was answered rightly from each system's texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from frontend.researcher.interval_chart import Axis, axis_for
from frontend.researcher.sorting import Sorted, SortKey, nothing_asked

SORTS: Mapping[str, SortKey["ReadSystem"]] = {
    "rank": SortKey(_("Rank"), lambda row: row.first_rank),
    "system": SortKey(_("System"), lambda row: row.system.casefold()),
    "share": SortKey(_("Share"), lambda row: row.share, is_down_first=True),
    "right": SortKey(_("Right"), lambda row: row.correct, is_down_first=True),
    "asked": SortKey(_("Asked"), lambda row: row.asked, is_down_first=True),
    "readings": SortKey(_("Readings"), lambda row: row.readings, is_down_first=True),
    "documents": SortKey(_("Documents"), lambda row: row.documents, is_down_first=True),
}


@dataclass(frozen=True)
class ReadSystem:
    """Shares in percent; places in percent of the chart's width. `rank` is that of right answers a reading."""

    system: str
    is_human: bool
    first_rank: int | None
    rank: str
    share: float | None
    low: float | None
    high: float | None
    correct: int
    asked: int
    readings: int
    documents: int
    point_at: str | None
    low_at: str | None
    high_at: str | None


@dataclass(frozen=True)
class Comprehension:
    """`entries` as the analysis `gisting` gives them, the best first; `ranks` by system, as the ranking has them."""

    entries: Sequence[Mapping[str, Any]]
    ranks: Mapping[str, Sequence[int]]
    humans: frozenset[str]
    query: QueryDict = field(default_factory=nothing_asked)

    COLUMNS = ("system", "share", "low", "high", "correct", "asked", "readings", "documents")

    @cached_property
    def axis(self) -> Axis:
        values = (value for entry in self.entries for value in (entry["share"], *(entry["interval"] or ())))
        return axis_for(100 * value for value in values if value is not None)

    @property
    def rows(self) -> list[ReadSystem]:
        return [self._row(entry) for entry in self.entries]

    @cached_property
    def sorted(self) -> Sorted[ReadSystem]:
        return Sorted(self.rows, SORTS, self.query, table="comprehension", usual="-share")

    def csv_rows(self) -> Iterator[list[Any]]:
        for entry in self.entries:
            low, high = entry["interval"] or (None, None)
            counts = [entry[name] for name in ("correct", "asked", "readings", "documents")]
            yield [entry["system"], entry["share"], low, high, *counts]

    def _row(self, entry: Mapping[str, Any]) -> ReadSystem:
        low, high = entry["interval"] or (None, None)
        share, low, high = (None if value is None else 100 * value for value in (entry["share"], low, high))
        first, last = self.ranks.get(entry["system"]) or (None, None)
        at, low_at, high_at = (None if value is None else self.axis.place(value) for value in (share, low, high))
        return ReadSystem(
            system=entry["system"],
            is_human=entry["system"] in self.humans,
            first_rank=first,
            rank=str(first or "–") if first == last else f"{first}–{last}",
            share=share,
            low=low,
            high=high,
            correct=entry["correct"],
            asked=entry["asked"],
            readings=entry["readings"],
            documents=entry["documents"],
            point_at=at,
            low_at=low_at,
            high_at=high_at,
        )
