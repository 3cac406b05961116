"""The table of a post-editing campaign: how much was changed, and how long that took."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from frontend.researcher.interval_chart import Axis, axis_for
from frontend.researcher.sorting import Sorted, SortKey, nothing_asked

SORTS: Mapping[str, SortKey["CorrectedSystem"]] = {
    "system": SortKey(_("System"), lambda row: row.system.casefold()),
    "hter": SortKey(_("HTER, mean of segments"), lambda row: row.hter),
    "capped": SortKey(_("Capped at 100%"), lambda row: row.capped),
    "corpus": SortKey(_("HTER of the corpus"), lambda row: row.corpus),
    "speed": SortKey(_("Words an hour"), lambda row: row.words_per_hour, is_down_first=True),
    "hours": SortKey(_("Hours"), lambda row: row.hours, is_down_first=True),
    "unedited": SortKey(_("Not edited"), lambda row: row.unchanged, is_down_first=True),
}


@dataclass(frozen=True)
class CorrectedSystem:
    """Shares in percent, time in hours; None where there is no number. Places are percentages of the chart's width."""

    system: str
    hter: float | None
    capped: float | None
    corpus: float | None
    words_per_hour: float | None
    low: float | None
    high: float | None
    hours: float | None
    unchanged: float | None
    point_at: str | None
    low_at: str | None
    high_at: str | None


@dataclass(frozen=True)
class Corrections:
    """`systems` as the analysis `post_editing` gives them."""

    systems: Sequence[Mapping[str, Any]]
    query: QueryDict = field(default_factory=nothing_asked)

    COLUMNS: ClassVar = (
        "system", "hter", "hter_capped", "hter_corpus", "words_per_hour", "words_per_hour_low", "words_per_hour_high",
        "seconds", "seconds_dropped", "source_words", "unchanged", "judgments",
    )  # fmt: skip

    @cached_property
    def axis(self) -> Axis:
        """Of words an hour."""
        values = (value for entry in self.systems for value in (entry["words_per_hour"], *_interval(entry)))
        return axis_for((value for value in values if value is not None), most_ticks=4)

    @property
    def has_speed(self) -> bool:
        return any(entry["words_per_hour"] is not None for entry in self.systems)

    @property
    def rows(self) -> list[CorrectedSystem]:
        return [self._row(entry) for entry in self.systems]

    @cached_property
    def sorted(self) -> Sorted[CorrectedSystem]:
        return Sorted(self.rows, SORTS, self.query, table="corrections")

    @property
    def dropped(self) -> float:
        """The largest share of judgments, in percent, whose time was taken for a pause."""
        return max((100 * (entry["seconds_dropped"] or 0) for entry in self.systems), default=0.0)

    def csv_rows(self) -> Iterator[list[Any]]:
        for entry in self.systems:
            known = {**entry, **dict(zip(self.COLUMNS[5:7], _interval(entry), strict=True))}
            yield [known.get(name) for name in self.COLUMNS]

    def _row(self, entry: Mapping[str, Any]) -> CorrectedSystem:
        rate, (low, high) = entry["words_per_hour"], _interval(entry)
        at, low_at, high_at = (None if value is None else self.axis.place(value) for value in (rate, low, high))
        return CorrectedSystem(
            system=entry["system"],
            hter=_percent(entry["hter"]),
            capped=_percent(entry["hter_capped"]),
            corpus=_percent(entry["hter_corpus"]),
            words_per_hour=rate,
            low=low,
            high=high,
            hours=None if entry["seconds"] is None else entry["seconds"] / 3600,
            unchanged=_percent(entry["unchanged"]),
            point_at=at,
            low_at=low_at,
            high_at=high_at,
        )


def _interval(entry: Mapping[str, Any]) -> tuple[float | None, float | None]:
    low, high = entry.get("words_per_hour_interval") or (None, None)
    return low, high


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
