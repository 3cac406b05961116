"""Direct Assessment: a score from 0 to 100 (Graham et al. 2013; WMT since 2016)."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.protocols.anchors import anchors_option, wrong_anchors
from annotation.protocols.base import (
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    SlotScore,
    option,
)
from annotation.protocols.envelope import Envelope, check_fields, close_envelope, open_envelope
from annotation.protocols.judge_against import judge_against_option, wrong_judge_against
from annotation.protocols.side_by_side import systems_per_screen_option, wrong_systems_per_screen

DEFAULT_ANCHORS = (
    (0, gettext_noop("Nothing")),
    (33, gettext_noop("Some of it")),
    (66, gettext_noop("Most of it")),
    (100, gettext_noop("All of it")),
)


@dataclass(frozen=True)
class DirectAssessmentOptions(ProtocolOptions):
    """`anchors` are marks under the slider, in the spirit of SQM; an empty `question` is the protocol's own."""

    judge_against: str = judge_against_option()
    show_number: bool = option(True, label=gettext_lazy("Show the number on the slider"))
    document_scores: bool = option(False, label=gettext_lazy("Also ask for a score of each document"))
    anchors: tuple[tuple[int, str], ...] = anchors_option(DEFAULT_ANCHORS)
    question: str = option(
        "",
        label=gettext_lazy("Question"),
        hint=gettext_lazy("Leave empty to ask how much of the meaning the translation keeps."),
    )
    systems_per_screen: int = systems_per_screen_option()

    def errors(self) -> dict[str, list[str]]:
        errors = wrong_systems_per_screen(self.systems_per_screen)
        errors |= wrong_judge_against(self.judge_against) | wrong_anchors(self.anchors)
        for name, kind, message in (
            ("document_scores", bool, _("This must be true or false.")),
            ("show_number", bool, _("This must be true or false.")),
            ("question", str, _("The question must be text.")),
        ):
            if not isinstance(getattr(self, name), kind):
                errors[name] = [message]
        return errors


@dataclass(frozen=True)
class DirectAssessment(Protocol[DirectAssessmentOptions]):
    """One slider per translation, on the segment or on the whole document."""

    name: ClassVar[str] = "direct_assessment"
    title: ClassVar = gettext_lazy("Direct assessment")
    description: ClassVar = gettext_lazy("Give each segment a score from 0 to 100, against the source or a reference.")
    seconds_per_item: ClassVar[int] = 40
    options_class: ClassVar = DirectAssessmentOptions
    is_normalised: ClassVar[bool] = True
    # by 10 to 25 points in WMT's campaigns of 2021 and 2022
    expected_scatter: ClassVar = ExpectedScatter(20.0)
    methods_sentence: ClassVar[str] = (
        "Annotators gave each translation a score from 0 to 100 (direct assessment; {graham-2013-continuous})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        segment = Measure("score", _("Score"), _("points"), 0, 100, higher_is_better=True)
        if not self.options.document_scores:
            return (segment,)
        title = _("Document score")
        return (segment, Measure("document_score", title, _("points"), 0, 100, higher_is_better=True, level="document"))

    @property
    def decided_fields(self) -> tuple[str, ...]:
        return ("score",)

    @property
    def asks_documents(self) -> bool:
        return self.options.document_scores

    @property
    def shows_source(self) -> bool:
        return self.options.judge_against != "reference"

    @property
    def shows_reference(self) -> bool:
        return self.options.judge_against != "source"

    @property
    def slots_per_item(self) -> int:
        return self.options.systems_per_screen

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        envelope = open_envelope(payload, item)
        slots: dict[str, dict[str, Any]] = {}
        for slot in item.slots:
            if slot.label in envelope.slots:
                at = f"slots.{slot.label}"
                values = check_fields(envelope.slots[slot.label], ("score",), at, envelope)
                slots[slot.label] = {"score": _checked_score(values.get("score"), f"{at}.score", envelope)}
        return close_envelope(envelope, slots)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        measure = "document_score" if item.level == "document" else "score"
        return Observation(
            scores=tuple(
                SlotScore(label, measure, float(values["score"])) for label, values in sorted(answer.slots.items())
            )
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        row: dict[str, str | int | float | None] = {
            f"score_{label}": values["score"] for label, values in sorted(answer.slots.items())
        }
        return {**row, "cannot_judge": answer.cannot_judge, "comment": answer.comment}


def _checked_score(value: object, at: str, envelope: Envelope) -> int:
    if value is None:
        envelope.refuse(at, _("Choose a score first."))
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
        envelope.refuse(at, _("The score must be a whole number from 0 to 100."))
    else:
        return value
    return 0
