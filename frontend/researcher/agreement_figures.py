"""The coefficients of agreement as lines of a table: each with its interval on one axis, or with why it is missing."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.protocols.base import Measure
from frontend.researcher.agreement_words import LEVELS, MARKS, TENTATIVE, Words, missing
from frontend.researcher.interval_chart import Axis

STEP = 0.25


@dataclass(frozen=True)
class Coefficient:
    """One line; without a `value` it says why. `key` names it in the file, `of` says on how much it rests."""

    key: str
    name: Words
    value: float | None
    interval: Sequence[float] | None = None
    of: str = ""
    n: int | None = None
    why_not: str = ""
    is_main: bool = False
    is_hollow: bool = False

    @property
    def low(self) -> float | None:
        return self.interval[0] if self.interval else None

    @property
    def high(self) -> float | None:
        return self.interval[1] if self.interval else None


@dataclass(frozen=True)
class Drawn:
    """A line with its places on the axis."""

    line: Coefficient
    at: str | None
    low_at: str | None
    high_at: str | None


@dataclass(frozen=True)
class Figures:
    """The coefficients of one measure."""

    name: str
    title: str
    lines: Sequence[Coefficient]
    is_cut: bool = False

    @cached_property
    def axis(self) -> Axis:
        """From 0 to 1, and as far below as an interval reaches."""
        ends = [line.value if line.low is None else line.low for line in self.lines if line.value is not None]
        return Axis(min(0.0, math.floor(min(ends, default=0.0) / STEP) * STEP), 1.0, STEP)

    @property
    def ticks(self) -> list[str]:
        return [self.axis.place(value) for value in (0.0, 1.0)]

    @property
    def tentative_at(self) -> str:
        return self.axis.place(TENTATIVE)

    @property
    def drawn(self) -> list[Drawn]:
        return [
            Drawn(line, *(None if end is None else self.axis.place(end) for end in (line.value, line.low, line.high)))
            for line in self.lines
        ]

    @property
    def main(self) -> Coefficient | None:
        return next((line for line in self.lines if line.is_main), None)


def figures_of(agreement: Mapping[str, Any], measures: Mapping[str, Measure]) -> list[Figures]:
    """One a measure in the protocol's order, then that of preferences."""
    found = []
    for entry in agreement["measures"]:
        measure = measures.get(entry["measure"])
        title = str(measure.title) if measure else entry["measure"]
        found.append(Figures(entry["measure"], title, _lines(entry), bool(entry.get("is_cut"))))
    if agreement["preference"]:
        relative = next((measure for measure in measures.values() if measure.is_relative), None)
        title = _("Preferences")
        found.append(Figures(relative.name if relative else "rank", title, _preferences(agreement["preference"])))
    return found


def marks_of(agreement: Mapping[str, Any]) -> tuple[list[Coefficient], Mapping[str, Any]] | None:
    """Agreement on the characters marked, where errors are."""
    spans = agreement["spans"]
    if not spans:
        return None
    return [Coefficient(key, name, spans.get(key), n=spans["comparisons"]) for key, name in MARKS.items()], spans


def _lines(entry: Mapping[str, Any]) -> list[Coefficient]:
    """What fits the scale first: the main level of all that count, of everybody, the other levels, kappas, repeats."""
    level = entry["level"]
    lines = [_alpha(entry, level, is_main=True)]
    everybody = entry.get("everybody")
    if everybody:
        of = ngettext("all %(count)d annotator", "all %(count)d annotators", everybody["annotators"])
        lines.append(
            Coefficient(
                f"{level}-everybody",
                LEVELS[level],
                everybody["alpha"],
                everybody["interval"],
                of % {"count": everybody["annotators"]},
                why_not=missing(None),
                is_hollow=True,
            )
        )
    lines += [_alpha(entry, other) for other in _other_levels(entry)]
    lines += _kappas(entry)
    repeats = entry.get("repeats")
    if repeats:
        of = ngettext("%(count)d repeat", "%(count)d repeats", repeats["n"]) % {"count": repeats["n"]}
        name = _("each annotator with themselves, alpha")
        lines.append(
            Coefficient(
                "repeats", name, repeats["alpha"], repeats["interval"], of, repeats["n"], missing(repeats["reason"])
            )
        )
    return lines


def _other_levels(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Points have an order and names; a slider distance, with and without strictness; the rest a zero."""
    if entry["level"] == "ordinal":
        return ("interval", "nominal")
    return ("interval_z", "ordinal") if entry.get("is_cut") else ("ordinal", "ratio")


def _alpha(entry: Mapping[str, Any], level: str, *, is_main: bool = False) -> Coefficient:
    of = ngettext("%(count)d annotator", "%(count)d annotators", entry["annotators"]) % {"count": entry["annotators"]}
    if not is_main:
        of = ngettext("%(count)d item", "%(count)d items", entry["items"]) % {"count": entry["items"]}
    return Coefficient(
        level,
        LEVELS[level],
        entry["alpha"][level],
        entry["alpha_interval"][level],
        of,
        entry["items"],
        missing(entry.get("reasons", {}).get(level)),
        is_main=is_main,
    )


def _kappas(entry: Mapping[str, Any]) -> list[Coefficient]:
    """None for a scale without an end: there are no categories, and nothing is missed."""
    if entry.get("reasons", {}).get("fleiss") == "no_categories":
        return []
    items = ngettext("%(count)d item", "%(count)d items", entry["fleiss_items"]) % {"count": entry["fleiss_items"]}
    why_not = missing(entry.get("reasons", {}).get("fleiss"))
    fleiss = Coefficient(
        "fleiss",
        _("Fleiss’ kappa"),
        entry["fleiss"],
        entry.get("fleiss_interval"),
        items,
        entry["fleiss_items"],
        why_not,
    )
    ac1 = Coefficient(
        "gwet_ac1",
        _("Gwet’s AC1"),
        entry.get("gwet_ac1"),
        entry.get("gwet_ac1_interval"),
        ngettext("%(count)d item", "%(count)d items", entry["items"]) % {"count": entry["items"]},
        entry["items"],
        missing(entry.get("reasons", {}).get("gwet_ac1")),
    )
    return [fleiss, ac1]


def _preferences(preference: Mapping[str, Any]) -> list[Coefficient]:
    names = {"inter": _("kappa, with each other"), "intra": _("kappa, each annotator with themselves")}
    lines = []
    for mode, name in names.items():
        found = preference[mode]
        of = _("said the same in %(agreed)d of %(all)d comparisons") % {
            "agreed": found["agreed"],
            "all": found["comparable"],
        }
        why_not = missing(found["reason"])
        if mode == "intra" and found["reason"] == "no_overlap":
            why_not = _("n/a: nothing was compared twice by the same annotator")
        lines.append(
            Coefficient(
                mode, name, found["kappa"], found["interval"], of, found["comparable"], why_not, mode == "inter"
            )
        )
    return lines


def csv_rows(figures: Sequence[Figures], marks: Sequence[Coefficient], signature: str) -> Iterator[list[Any]]:
    for part in figures:
        for line in part.lines:
            yield _csv_row(part.name, line, signature)
    for line in marks:
        yield _csv_row("spans", line, signature)


CSV_HEADER = ("measure", "coefficient", "value", "low", "high", "n", "missing", "signature")


def _csv_row(measure: str, line: Coefficient, signature: str) -> list[Any]:
    why_not = line.why_not if line.value is None else ""
    return [measure, line.key, line.value, line.low, line.high, line.n, why_not, signature]
