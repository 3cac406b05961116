"""Direct Assessment: a score from 0 to 100 (Graham et al. 2013; WMT since 2016)."""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.protocols.answer_checks import checked_score, csv_columns, parse_slots
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
from annotation.protocols.shared_options import (
    anchors_option,
    judge_against_option,
    question_option,
    systems_per_screen_option,
)

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
    question: str = question_option(
        hint=gettext_lazy("Leave empty to ask how much of the meaning the translation keeps.")
    )
    systems_per_screen: int = systems_per_screen_option()


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

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        return parse_slots(
            payload,
            item,
            ("score",),
            lambda values, _slot, at, envelope: {"score": checked_score(values.get("score"), f"{at}.score", envelope)},
        )

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        measure = "document_score" if item.level == "document" else "score"
        return Observation(
            scores=tuple(
                SlotScore(label, measure, float(values["score"])) for label, values in sorted(answer.slots.items())
            )
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(answer, lambda values: {"score": values["score"]})
