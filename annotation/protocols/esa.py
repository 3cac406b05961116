"""ESA, error span annotation: errors marked without categories, then a score from 0 to 100 (Kocmi et al. 2024)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.protocols.answer_checks import Envelope, checked_score, csv_columns, parse_slots
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
from annotation.protocols.shared_options import anchors_option, question_option, systems_per_screen_option
from annotation.protocols.spans import (
    MOST_SYSTEMS_PER_SCREEN,
    SOURCE,
    SpanRules,
    checked_spans,
    in_rising_order,
    marked_in,
    severities_error,
    severities_option,
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
    """`ask_below`: the page asks once about a lower score without a marked error."""

    severities: tuple[str, ...] = severities_option(DEFAULT_SEVERITIES)
    missing_content: bool = option(True, label=gettext_lazy("Allow marking missing content"))
    mark_source: bool = option(False, label=gettext_lazy("Allow marking errors in the source"))
    suggestions: bool = option(
        False,
        label=gettext_lazy("Start from the errors suggested in the test set"),
        hint=gettext_lazy("Assay records whether each was kept, changed or deleted."),
    )
    anchors: tuple[tuple[int, str], ...] = anchors_option(DEFAULT_ANCHORS)
    question: str = question_option(hint=gettext_lazy("Leave empty to ask how good the whole translation is."))
    ask_below: int = option(
        66,
        label=gettext_lazy("Warn once about a score below this if no error is marked"),
        hint=gettext_lazy("0 turns the warning off."),
        high=100,
    )
    systems_per_screen: int = systems_per_screen_option(most=MOST_SYSTEMS_PER_SCREEN)

    def __post_init__(self) -> None:
        if not severities_error(self.severities):
            object.__setattr__(self, "severities", in_rising_order(self.severities) or DEFAULT_SEVERITIES)


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
        def check(values: Mapping[str, Any], slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
            """The outcome of each suggestion is computed here; outcomes sent by the page do not count."""
            spans = checked_spans(values.get("spans"), slot, item, self.rules, envelope)
            checked = {"spans": spans, "score": checked_score(values.get("score"), f"{at}.score", envelope)}
            if not slot.suggested or envelope.errors:
                return checked
            outcomes = [{"suggestion": each.suggestion, "outcome": _outcome(each, spans)} for each in slot.suggested]
            return {**checked, "suggested": outcomes}

        return parse_slots(payload, item, ("spans", "score", "suggested"), check)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:  # noqa: ARG002 - what was answered says it all
        slots = sorted(answer.slots.items())
        return Observation(
            scores=tuple(SlotScore(label, "score", float(values["score"])) for label, values in slots),
            spans=tuple(span for label, values in slots for span in marked_in(label, values["spans"])),
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        def columns(values: Mapping[str, Any]) -> dict[str, int]:
            outcomes = [one["outcome"] for one in values.get("suggested", ())]
            counted = {outcome: outcomes.count(outcome) for outcome in OUTCOMES}
            return {"score": values["score"], "errors": len(values["spans"]), **counted}

        return csv_columns(answer, columns)


def _outcome(suggested: MarkedSpan, spans: Sequence[Mapping[str, Any]]) -> str:
    own = next((span for span in spans if span.get("suggestion") == suggested.suggestion), None)
    if own is None:
        return DELETED
    bounds = (suggested.side, suggested.start, suggested.end, suggested.severity)
    return KEPT if (own["side"], own["start"], own["end"], own["severity"]) == bounds else CHANGED
