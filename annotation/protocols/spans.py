"""Error spans in an answer, as the protocols that mark errors share them: what may be marked, and how it is checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, check_fields
from annotation.protocols.base import MarkedSpan, ShownItem, ShownSlot, Text, option
from annotation.taxonomies.typology import SEVERITIES, Category

SOURCE, TARGET = "source", "target"
MOST_SYSTEMS_PER_SCREEN = 4
MOST_SPANS = 500
NOTE_LIMIT = 2_000
_FIELDS = ("side", "start", "end", "severity")


@dataclass(frozen=True)
class SpanRules:
    """Which errors may be marked. `categories` go by path, None where errors have none. `most_errors` 0: no limit."""

    severities: tuple[str, ...]
    categories: Mapping[str, Category] | None = None
    mark_source: bool = True
    missing_content: bool = True
    most_errors: int = 0
    suggestions: bool = False
    has_notes: bool = True

    @property
    def fields(self) -> tuple[str, ...]:
        optional = {
            "note": self.has_notes,
            "category": self.categories is not None,
            "suggestion": self.suggestions,
        }
        return (*_FIELDS, *(name for name, is_allowed in optional.items() if is_allowed))


def severities_option(default: tuple[str, ...], *, hint: Text = "") -> Any:
    return option(
        default,
        label=gettext_lazy("Severities"),
        hint=hint,
        choices=(
            ("neutral", gettext_lazy("Neutral")),
            ("minor", gettext_lazy("Minor")),
            ("major", gettext_lazy("Major")),
            ("critical", gettext_lazy("Critical")),
        ),
        takes_several=True,
        check=severities_error,
    )


def severities_error(value: object) -> str:
    """The error in an option that names severities; empty when it is valid."""
    if isinstance(value, tuple) and all(isinstance(one, str) and one in SEVERITIES for one in value):
        return ""
    return _("Severities must be a list. Allowed: %(known)s.") % {"known": ", ".join(SEVERITIES)}


def in_rising_order(severities: Sequence[str]) -> tuple[str, ...]:
    return tuple(severity for severity in SEVERITIES if severity in severities)


def checked_spans(
    values: object, slot: ShownSlot, item: ShownItem, rules: SpanRules, envelope: Envelope
) -> list[dict[str, Any]]:
    """The spans of one slot as they are stored; every error is reported with its field."""
    at = f"slots.{slot.label}.spans"
    if values is None:
        envelope.refuse(at, _("Mark the errors, or choose “No errors”."))
        return []
    if not isinstance(values, (list, tuple)):
        envelope.refuse(at, _("Spans must be a list."))
        return []
    most = rules.most_errors or MOST_SPANS
    if len(values) > most:
        message = _("Mark at most %(most)d errors in a translation, the most serious ones. Remove %(over)d.")
        envelope.refuse(at, message % {"most": most, "over": len(values) - most})
    if len(values) > MOST_SPANS:
        return []
    reading = _SpanReading(slot, item, rules, envelope)
    spans = [reading.span(value, f"{at}.{place}") for place, value in enumerate(values)]
    reading.check_together(spans, at)
    return spans


def marked_in(label: str, spans: Sequence[Mapping[str, Any]]) -> tuple[MarkedSpan, ...]:
    """Stored spans of one slot as an observation contains them."""
    return tuple(
        MarkedSpan(
            label,
            span["side"],
            span["start"],
            span["end"],
            span.get("category", ""),
            span["severity"],
            span.get("note", ""),
            span.get("suggestion"),
        )
        for span in spans
    )


@dataclass(frozen=True)
class _SpanReading:
    slot: ShownSlot
    item: ShownItem
    rules: SpanRules
    envelope: Envelope

    def span(self, value: object, at: str) -> dict[str, Any]:
        entry = check_fields(value, self.rules.fields, at, self.envelope)
        if not isinstance(value, Mapping):
            return {}
        side = self._side(entry.get("side"), f"{at}.side")
        start, end = self._bounds(entry, side, at)
        severity = self._severity(entry.get("severity"), f"{at}.severity")
        span: dict[str, Any] = {"side": side, "start": start, "end": end}
        if self.rules.categories is not None:
            span["category"] = self._category(entry.get("category"), f"{at}.category")
        span["severity"] = severity
        if self.rules.has_notes:
            span["note"] = self._note(entry.get("note", ""), f"{at}.note")
        if entry.get("suggestion") is not None:
            span["suggestion"] = self._suggestion(entry["suggestion"], f"{at}.suggestion")
        self._check_rules(span, at)
        return span

    def check_together(self, spans: Sequence[Mapping[str, Any]], at: str) -> None:
        categories = self.rules.categories or {}
        alone = [span for span in spans if (own := categories.get(span.get("category", ""))) and own.annuls_others]
        if alone and len(spans) > 1:
            title = categories[alone[0]["category"]].title
            message = _("“%(category)s” covers the whole translation. Remove the other errors.")
            self.envelope.refuse(at, message % {"category": title})
        numbers = [span["suggestion"] for span in spans if span.get("suggestion")]
        if len(set(numbers)) < len(numbers):
            self.envelope.refuse(at, _("Two errors come from one suggestion."))

    def _side(self, value: object, at: str) -> str:
        if value not in (SOURCE, TARGET):
            self.envelope.refuse(at, _("The side must be source or target."))
        elif value == SOURCE and not self.rules.mark_source:
            self.envelope.refuse(at, _("Errors can only be marked in the translation."))
        return str(value)

    def _bounds(self, entry: Mapping[str, Any], side: str, at: str) -> tuple[int, int]:
        text = (self.item.source if side == SOURCE else self.slot.text) or ""
        start, end = entry.get("start"), entry.get("end")
        for name, place in (("start", start), ("end", end)):
            if type(place) is not int or not 0 <= place <= len(text):
                message = _("The position must be a whole number from 0 to %(length)d, the length of the text.")
                self.envelope.refuse(f"{at}.{name}", message % {"length": len(text)})
        if type(start) is not int or type(end) is not int:
            return 0, 0
        if start > end:
            self.envelope.refuse(f"{at}.end", _("An error cannot end before it starts."))
        if start == end and not self.rules.missing_content:
            self.envelope.refuse(
                f"{at}.end", _("Select at least one character. Missing content is not marked in this campaign.")
            )
        return start, end

    def _severity(self, value: object, at: str) -> str:
        if value is None:
            self.envelope.refuse(at, _("Choose a severity."))
        elif not isinstance(value, str) or value not in self.rules.severities:
            known = ", ".join(self.rules.severities)
            self.envelope.refuse(at, _("Choose one of %(known)s.") % {"known": known})
        return str(value)

    def _note(self, value: object, at: str) -> str:
        if not isinstance(value, str):
            self.envelope.refuse(at, _("The note must be text."))
            return ""
        if len(value) > NOTE_LIMIT:
            self.envelope.refuse(at, _("The note may have at most %(limit)d characters.") % {"limit": NOTE_LIMIT})
        if "\x00" in value:
            self.envelope.refuse(at, _("The note contains an invalid character (NUL)."))
        return value

    def _category(self, value: object, at: str) -> str:
        if value in (None, ""):
            self.envelope.refuse(at, _("Choose a category."))
        elif not isinstance(value, str) or value not in (self.rules.categories or {}):
            self.envelope.refuse(at, _("This category does not exist or cannot be chosen."))
        return value if isinstance(value, str) else ""

    def _suggestion(self, value: object, at: str) -> int:
        if type(value) is int and value in {span.suggestion for span in self.slot.suggested}:
            return value
        self.envelope.refuse(at, _("Unknown suggestion number."))
        return 0

    def _check_rules(self, span: Mapping[str, Any], at: str) -> None:
        """Checks the category's own rules."""
        category = (self.rules.categories or {}).get(span.get("category", ""))
        if category is None:
            return
        words = {"category": category.title, "severity": category.severity}
        if category.severity and span["severity"] != category.severity:
            message = _("“%(category)s” is always %(severity)s.")
            self.envelope.refuse(f"{at}.severity", message % words)
        if category.needs_note and not span["note"].strip():
            self.envelope.refuse(f"{at}.note", _("“%(category)s” needs a note: say what is wrong.") % words)
        if category.side and span["side"] != category.side:
            message = {
                SOURCE: _("“%(category)s” can only be marked in the source."),
                TARGET: _("“%(category)s” can only be marked in the translation."),
            }[category.side]
            self.envelope.refuse(f"{at}.side", message % words)
        if category.annuls_others and (span["start"], span["end"]) != (0, len(self.slot.text or "")):
            message = _("“%(category)s” must cover the whole translation, from the first character to the last.")
            self.envelope.refuse(f"{at}.end", message % words)
