"""Marked errors by category, severity and system: points in a hundred judgments, and how many of each severity."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols import protocol_for
from annotation.taxonomies.typology import SEVERITIES
from campaigns.models import Campaign
from frontend.researcher.sorting import Sorted, SortKey, column_keys, nothing_asked
from metrics.statistics.mqm import plain_label

SEVERITY_WORDS = {
    "neutral": gettext_lazy("Neutral"),
    "minor": gettext_lazy("Minor"),
    "major": gettext_lazy("Major"),
    "critical": gettext_lazy("Critical"),
}
SUGGESTION_WORDS = {
    "kept": gettext_lazy("Kept"),
    "changed": gettext_lazy("Changed"),
    "deleted": gettext_lazy("Deleted"),
}
COLUMNS = ("system", "category", "severity", "count", "points", "judgments", "weights")
SUGGESTION_COLUMNS = ("system", *SUGGESTION_WORDS)
_SHADES = (0.02, 0.1, 0.4)  # of the heaviest cell


@dataclass(frozen=True)
class ErrorCell:
    """`counts` by severity, the mildest first; `points` in a hundred judgments."""

    points: float
    counts: tuple[int, ...]
    shade: int
    words: str

    @property
    def shown(self) -> str:
        return " · ".join(str(count) for count in self.counts)


@dataclass(frozen=True)
class ErrorRow:
    category: str
    title: str
    above: str
    cells: list[ErrorCell]


@dataclass(frozen=True)
class ErrorBreakdown:
    """`errors` as the analysis of that name gives it; `titles` of categories by path."""

    errors: Mapping[str, Any]
    titles: Mapping[str, str]
    query: QueryDict = field(default_factory=nothing_asked)

    def __bool__(self) -> bool:
        return bool(self.errors["categories"])

    @property
    def names(self) -> list[str]:
        return [system["system"] for system in self.errors["systems"]]

    @cached_property
    def severities(self) -> list[str]:
        """Those that occur, without the neutral ones, the mildest first."""
        found = {plain_label(entry["severity"]) for entry in self.errors["categories"]}
        return [name for name in SEVERITIES[1:] if name in found]

    @property
    def severity_titles(self) -> list[tuple[int, str]]:
        return [(SEVERITIES.index(name), str(SEVERITY_WORDS[name])) for name in self.severities]

    @property
    def rows(self) -> list[ErrorRow]:
        """The heaviest category first."""
        weighed = {category: sum(self._points(category, name) for name in self.names) for category in self._categories}
        heaviest = max((self._points(*place) for place in list(self._sums)), default=0.0)
        order = sorted(weighed, key=lambda category: (-weighed[category], category))
        return [self._row(category, heaviest) for category in order]

    @cached_property
    def sorted(self) -> Sorted[ErrorRow]:
        keys: dict[str, SortKey[ErrorRow]] = {"category": SortKey(_("Category"), lambda row: row.title.casefold())}
        keys |= column_keys(self.names, lambda row, place: row.cells[place].points)
        return Sorted(self.rows, keys, self.query, table="errors")

    @property
    def sums(self) -> list[ErrorCell]:
        """Of all categories, by system."""
        return [
            self._cell(
                sum(self._points(category, name) for category in self._categories),
                tuple(
                    sum(self._counts[category, name][severity] for category in self._categories)
                    for severity in self.severities
                ),
                0.0,
            )
            for name in self.names
        ]

    @property
    def suggestions(self) -> list[tuple[str, list[int]]]:
        """What became of suggested errors, by system; empty where none were."""
        return [
            (system["system"], [system["suggestions"][outcome] for outcome in SUGGESTION_WORDS])
            for system in self.errors["systems"]
            if system.get("suggestions") is not None
        ]

    @property
    def suggestion_titles(self) -> list[str]:
        return [str(word) for word in SUGGESTION_WORDS.values()]

    def critical_in_thousand_words(self) -> dict[str, float | None]:
        counts: dict[str, int] = defaultdict(int)
        for entry in self.errors["categories"]:
            counts[entry["system"]] += entry["count"] * (plain_label(entry["severity"]) == "critical")
        return {
            system["system"]: 1000 * counts[system["system"]] / system["words"] if system["words"] else None
            for system in self.errors["systems"]
        }

    def csv_rows(self) -> Iterator[list[Any]]:
        for entry in self.errors["categories"]:
            values = [entry[name] for name in ("system", "category", "severity", "count", "points")]
            yield [*values, self._judgments[entry["system"]], self.errors["weights"]]

    def suggestion_rows(self) -> Iterator[list[Any]]:
        for system, counts in self.suggestions:
            yield [system, *counts]

    @cached_property
    def _judgments(self) -> dict[str, int]:
        return {system["system"]: system["judgments"] for system in self.errors["systems"]}

    @cached_property
    def _categories(self) -> list[str]:
        return list(dict.fromkeys(entry["category"] for entry in self.errors["categories"]))

    @cached_property
    def _sums(self) -> dict[tuple[str, str], float]:
        sums: dict[tuple[str, str], float] = defaultdict(float)
        for entry in self.errors["categories"]:
            sums[entry["category"], entry["system"]] += entry["points"]
        return sums

    @cached_property
    def _counts(self) -> dict[tuple[str, str], dict[str, int]]:
        counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for entry in self.errors["categories"]:
            counts[entry["category"], entry["system"]][plain_label(entry["severity"])] += entry["count"]
        return counts

    def _points(self, category: str, name: str) -> float:
        judgments = self._judgments[name]
        return 100 * self._sums.get((category, name), 0.0) / judgments if judgments else 0.0

    def _row(self, category: str, heaviest: float) -> ErrorRow:
        above, _slash, title = self.titles.get(category, category).rpartition("/")
        cells = [
            self._cell(
                self._points(category, name),
                tuple(self._counts[category, name][severity] for severity in self.severities),
                heaviest,
            )
            for name in self.names
        ]
        return ErrorRow(category, title or _("Without a category"), above, cells)

    def _cell(self, points: float, counts: tuple[int, ...], heaviest: float) -> ErrorCell:
        words = ", ".join(
            f"{SEVERITY_WORDS[severity]} {count}" for severity, count in zip(self.severities, counts, strict=True)
        )
        shade = sum(points > share * heaviest for share in _SHADES) if heaviest else 0
        return ErrorCell(points, counts, shade, words)


def category_titles(campaign: Campaign) -> Mapping[str, str]:
    """In words, by path, of the campaign's typology if its protocol has one."""
    typology = getattr(protocol_for(campaign.protocol, campaign.options).options, "typology", None)
    return {} if typology is None else typology.titles()
