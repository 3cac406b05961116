"""The ranking of each part of a campaign by itself, as one table: a row a part, a column a system."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, Document, Segment
from frontend.researcher.sorting import Sorted, SortKey, column_keys, nothing_asked

MOST_ROWS = 60
BY_WORDS = {"domain": _("Domain"), "tag": _("Tag"), "document": _("Document")}
COLUMNS = (
    "by", "slice", "system", "measure", "rank_first", "rank_last", "cluster", "mean", "low", "high", "judgments",
)  # fmt: skip


@dataclass(frozen=True)
class SliceCell:
    """`leads` where the system beats, in this part, every system that does not lead."""

    mean: float | None
    rank: str
    leads: bool


@dataclass(frozen=True)
class SliceRow:
    name: str
    judgments: int
    is_early: bool
    cells: list[SliceCell]


@dataclass(frozen=True)
class SlicesTable:
    """`slices` as the analysis of that name gives it; `names` are systems in the order of the whole ranking."""

    slices: Mapping[str, Any]
    names: Sequence[str]
    measure: str
    decimals: int = 1
    is_share: bool = False
    query: QueryDict = field(default_factory=nothing_asked)

    @cached_property
    def sorted(self) -> Sorted[SliceRow]:
        keys: dict[str, SortKey[SliceRow]] = {
            "slice": SortKey(BY_WORDS[self.slices["by"]], lambda row: row.name.casefold()),
            **column_keys(self.names, lambda row, place: row.cells[place].mean),
            "n": SortKey("n", lambda row: row.judgments, is_down_first=True),
        }
        rows = [self._row(name, part["ranking"]) for name, part in self.slices["slices"].items()]
        return Sorted(rows, keys, self.query, table="slices")

    @property
    def rows(self) -> list[SliceRow]:
        """As many as a page has room for, of all that there are in the order asked for."""
        return self.sorted.rows[:MOST_ROWS]

    @property
    def left_out(self) -> int:
        return max(0, len(self.slices["slices"]) - MOST_ROWS)

    def csv_rows(self) -> Iterator[list[Any]]:
        for name, part in self.slices["slices"].items():
            for system in _ranked(part["ranking"]):
                low, high = system["interval"] or (None, None)
                yield [
                    self.slices["by"], name, system["system"], system["measure"], *(system["rank"] or (None, None)),
                    system["cluster"], system["mean"], low, high, system["judgments"],
                ]  # fmt: skip

    def _row(self, name: str, ranking: Mapping[str, Any]) -> SliceRow:
        systems = {system["system"]: system for system in _ranked(ranking) if system["measure"] == self.measure}
        several = len({system["cluster"] for system in systems.values()}) > 1
        return SliceRow(
            name=name,
            judgments=sum(system["judgments"] for system in systems.values()),
            is_early=bool(ranking.get("too_early")),
            cells=[self._cell(systems.get(system), several=several) for system in self.names],
        )

    def _cell(self, system: Mapping[str, Any] | None, *, several: bool) -> SliceCell:
        if system is None or system["mean"] is None:
            return SliceCell(None, "", leads=False)
        first, last = system["rank"] or (None, None)
        rank = "" if first is None else str(first) if first == last else f"{first}–{last}"
        mean = 100 * system["mean"] if self.is_share else system["mean"]
        return SliceCell(mean, rank, leads=several and system["cluster"] == 1)


def _ranked(ranking: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What is ranked: scores of segments, or of whole documents where there are no others."""
    systems: list[Mapping[str, Any]] = ranking["systems"] or ranking.get("documents", ranking)["systems"]
    return systems


def offered_slices(campaign: Campaign) -> list[str]:
    """What the campaign can be cut by; three quick looks."""
    documents = Document.objects.filter(test_set=campaign.test_set_id)
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id)
    domains = documents.exclude(domain="").values("domain").distinct()[:2]
    own_domains = segments.exclude(domain="")
    offered = ["domain"] if len(domains) > 1 or own_domains.exists() else []
    if segments.exclude(tags=[]).exists():
        offered.append("tag")
    return [*offered, "document"]
