"""ESA, error span annotation: errors marked without categories, then a score from 0 to 100 (Kocmi et al. 2024)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.protocols.anchors import anchors_option, wrong_anchors
from annotation.protocols.base import (
    CHANGED,
    DELETED,
    KEPT,
    OUTCOMES,
    Answer,
    ExpectedScatter,
    MarkedSpan,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownSlot,
    SlotScore,
    option,
)
from annotation.protocols.envelope import Envelope, check_fields, close_envelope, open_envelope
from annotation.protocols.side_by_side import systems_per_screen_option, wrong_systems_per_screen
from annotation.protocols.spans import (
    MOST_SYSTEMS_PER_SCREEN,
    SOURCE,
    SpanRules,
    checked_spans,
    in_rising_order,
    marked_in,
    wrong_count,
    wrong_severities,
)

DEFAULT_SEVERITIES = ("minor", "major")
DEFAULT_ANCHORS = (
    (0, gettext_noop("No meaning kept")),
    (33, gettext_noop("Some meaning kept")),
    (66, gettext_noop("Most meaning kept, few grammar errors")),
    (100, gettext_noop("Perfect meaning and grammar")),
)


@dataclass(frozen=True)
class EsaOptions(ProtocolOptions):
    """`ask_below`: a score under it without a single error marked is asked about once, on the page."""

    severities: tuple[str, ...] = option(
        DEFAULT_SEVERITIES,
        label=gettext_lazy("Severities"),
        choices=(
            ("neutral", gettext_lazy("Neutral")),
            ("minor", gettext_lazy("Minor")),
            ("major", gettext_lazy("Major")),
            ("critical", gettext_lazy("Critical")),
        ),
        takes_several=True,
    )
    missing_content: bool = option(True, label=gettext_lazy("Allow marking missing content"))
    mark_source: bool = option(False, label=gettext_lazy("Allow marking errors in the source"))
    suggestions: bool = option(
        False,
        label=gettext_lazy("Start from the errors suggested in the test set"),
        hint=gettext_lazy("Assay records whether each was kept, changed or deleted."),
    )
    anchors: tuple[tuple[int, str], ...] = anchors_option(DEFAULT_ANCHORS)
    question: str = option(
        "",
        label=gettext_lazy("Question"),
        hint=gettext_lazy("Leave empty to ask how good the whole translation is."),
    )
    ask_below: int = option(
        66,
        label=gettext_lazy("Warn once about a score below this if no error is marked"),
        hint=gettext_lazy("0 turns the warning off."),
    )
    systems_per_screen: int = systems_per_screen_option(most=MOST_SYSTEMS_PER_SCREEN)

    def __post_init__(self) -> None:
        if not wrong_severities(self.severities):
            object.__setattr__(self, "severities", in_rising_order(self.severities) or DEFAULT_SEVERITIES)

    def errors(self) -> dict[str, list[str]]:
        errors = wrong_systems_per_screen(self.systems_per_screen, most=MOST_SYSTEMS_PER_SCREEN)
        errors |= wrong_anchors(self.anchors)
        if found := wrong_severities(self.severities):
            errors["severities"] = found
        for name, kind, message in (
            ("missing_content", bool, _("This must be true or false.")),
            ("mark_source", bool, _("This must be true or false.")),
            ("suggestions", bool, _("This must be true or false.")),
            ("question", str, _("The question must be text.")),
        ):
            if not isinstance(getattr(self, name), kind):
                errors[name] = [message]
        if found := wrong_count(self.ask_below, low=0, high=100):
            errors["ask_below"] = found
        return errors


@dataclass(frozen=True)
class Esa(Protocol[EsaOptions]):
    """Error spans and a score for each translation; what became of each suggested span is recorded."""

    name: ClassVar[str] = "esa"
    title: ClassVar = gettext_lazy("Error span annotation")
    description: ClassVar = gettext_lazy("Mark minor and major errors in the text, then give a score from 0 to 100.")
    seconds_per_item: ClassVar[int] = 70
    options_class: ClassVar = EsaOptions
    derived_measures: ClassVar = ("penalty",)
    expected_scatter: ClassVar = ExpectedScatter(15.0)  # by 14 points on WMT23 English–German
    methods_sentence: ClassVar[str] = (
        "Annotators marked errors in each translation with a severity and gave it a score from 0 to 100 (error span "
        "annotation; {kocmi-2024-error})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (Measure("score", _("Score"), _("points"), 0, 100, higher_is_better=True),)

    @property
    def decided_fields(self) -> tuple[str, ...]:
        return ("spans", "score")

    @property
    def slots_per_item(self) -> int:
        return self.options.systems_per_screen

    @property
    def offers_suggestions(self) -> bool:
        return self.options.suggestions

    def takes(self, span: MarkedSpan) -> bool:
        options = self.options
        is_shown = options.mark_source or span.side != SOURCE
        return span.severity in options.severities and is_shown and (options.missing_content or span.start < span.end)

    @cached_property
    def rules(self) -> SpanRules:
        options = self.options
        return SpanRules(
            severities=options.severities,
            mark_source=options.mark_source,
            missing_content=options.missing_content,
            suggestions=True,
        )

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        envelope = open_envelope(payload, item)
        slots: dict[str, dict[str, Any]] = {}
        for slot in item.slots:
            if slot.label in envelope.slots:
                slots[slot.label] = self._slot(envelope.slots[slot.label], slot, item, envelope)
        return close_envelope(envelope, slots)

    def _slot(self, given: object, slot: ShownSlot, item: ShownItem, envelope: Envelope) -> dict[str, Any]:
        """What became of suggestions is found out here: what a page says of it does not count."""
        at = f"slots.{slot.label}"
        values = check_fields(given, ("spans", "score", "suggested"), at, envelope)
        spans = checked_spans(values.get("spans"), slot, item, self.rules, envelope)
        score = _checked_score(values.get("score"), f"{at}.score", envelope)
        checked: dict[str, Any] = {"spans": spans, "score": score}
        if slot.suggested and not envelope.errors:
            checked["suggested"] = [
                {"suggestion": each.suggestion, "outcome": _outcome(each, spans)} for each in slot.suggested
            ]
        return checked

    def observe(self, answer: Answer, item: ShownItem) -> Observation:  # noqa: ARG002 - what was answered says it all
        slots = sorted(answer.slots.items())
        return Observation(
            scores=tuple(SlotScore(label, "score", float(values["score"])) for label, values in slots),
            spans=tuple(span for label, values in slots for span in marked_in(label, values["spans"])),
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        row: dict[str, str | int | float | None] = {}
        for label, values in sorted(answer.slots.items()):
            row[f"score_{label}"] = values["score"]
            row[f"errors_{label}"] = len(values["spans"])
            outcomes = [one["outcome"] for one in values.get("suggested", ())]
            row |= {f"{outcome}_{label}": outcomes.count(outcome) for outcome in OUTCOMES}
        return {**row, "cannot_judge": answer.cannot_judge, "comment": answer.comment}


def _outcome(suggested: MarkedSpan, spans: Sequence[Mapping[str, Any]]) -> str:
    own = next((span for span in spans if span.get("suggestion") == suggested.suggestion), None)
    if own is None:
        return DELETED
    bounds = (suggested.side, suggested.start, suggested.end, suggested.severity)
    return KEPT if (own["side"], own["start"], own["end"], own["severity"]) == bounds else CHANGED


def _checked_score(value: object, at: str, envelope: Envelope) -> int:
    if value is None:
        envelope.refuse(at, _("Choose a score first."))
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
        envelope.refuse(at, _("The score must be a whole number from 0 to 100."))
    else:
        return value
    return 0
