"""cESA, contrastive error span annotation: a document a screen, several systems beside one another (WMT 2026)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, checked_comment, checked_whole, csv_columns, parse_slots
from annotation.protocols.base import (
    CONTROL_KINDS,
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownSlot,
    SlotScore,
    option,
)
from annotation.protocols.shared_options import systems_per_screen_option
from annotation.protocols.spans import SpanRules, checked_spans, marked_in
from annotation.protocols.tags import DEFAULT_TAGS, Tag, checked_tags, tagged_in, tags_from
from campaigns.invalid_input import InvalidInput

SEVERITIES = ("minor", "major")
STEP = 5
ERROR_FREE = 85  # where the best band begins


@dataclass(frozen=True)
class CesaOptions(ProtocolOptions):
    """Stored options always contain tags, those by default too."""

    systems_per_screen: int = systems_per_screen_option(3)
    order: str = option(
        "mark_then_score",
        label=gettext_lazy("Order"),
        choices=(
            ("mark_then_score", gettext_lazy("Mark the errors, then score")),
            ("score_then_mark", gettext_lazy("Score, then mark the errors")),
        ),
    )
    marks_below: int = option(
        ERROR_FREE,
        label=gettext_lazy("A score below this needs a mark or a tag"),
        hint=gettext_lazy("0 turns the rule off."),
        high=100,
    )
    tags: tuple[Tag, ...] = option(
        (),
        label=gettext_lazy("Tags for errors without a place in the text"),
        hint=gettext_lazy(
            "One per line: a name in lowercase Latin letters, a colon, a title for annotators. Leave empty for missing "
            "content and for instructions that were not followed."
        ),
        has_lines=True,
    )
    mark_source: bool = option(False, label=gettext_lazy("Allow marking errors in the source"))

    def __post_init__(self) -> None:
        """Text and JSON become tags; invalid values stay unchanged, for `errors` to report."""
        tags: Any = self.tags
        if tags in ((), ""):
            tags = DEFAULT_TAGS
        if not _problems(tags):
            object.__setattr__(self, "tags", tags_from(tags))

    def errors(self) -> dict[str, list[str]]:
        errors = super().errors()
        if problems := _problems(self.tags):
            errors["tags"] = problems
        return errors

    def as_typed(self) -> dict[str, Any]:
        return super().as_typed() | {"tags": "" if self.tags == DEFAULT_TAGS else "\n".join(map(str, self.tags))}


def _problems(value: object) -> list[str]:
    try:
        tags_from(value)
    except InvalidInput as invalid:
        return invalid.errors["tags"]
    return []


@dataclass(frozen=True)
class Cesa(Protocol[CesaOptions]):
    """Error spans, tags and a score for each translation of each segment; a screen is a whole document."""

    name: ClassVar[str] = "cesa"
    title: ClassVar = gettext_lazy("Contrastive error span annotation")
    description: ClassVar = gettext_lazy(
        "Mark minor and major errors in several translations of a whole document, side by side, then give each "
        "translation of a segment a score from 0 to 100."
    )
    seconds_per_item: ClassVar[int] = 180  # three translations of a paragraph, a minute each
    options_class: ClassVar = CesaOptions
    shows_whole_documents: ClassVar[bool] = True
    control_kinds: ClassVar = CONTROL_KINDS | {"check"}
    derived_measures: ClassVar = ("penalty",)
    expected_scatter: ClassVar = ExpectedScatter(15.0)  # as of ESA, whose scale it is
    methods_sentence: ClassVar[str] = (
        "Annotators saw the translations of a whole document by several systems side by side, marked errors in each "
        "with a severity and gave it a score from 0 to 100 (contrastive error span annotation; marks and scores follow "
        "{kocmi-2024-error})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (Measure("score", _("Score"), _("points"), 0, 100, higher_is_better=True),)

    @property
    def category_titles(self) -> Mapping[str, str]:
        return {tag.name: _(tag.title) for tag in self.options.tags}

    @property
    def tag_names(self) -> frozenset[str]:
        return frozenset(tag.name for tag in self.options.tags)

    @cached_property
    def rules(self) -> SpanRules:
        return SpanRules(
            severities=SEVERITIES, mark_source=self.options.mark_source, missing_content=False, has_notes=False
        )

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        def check(values: Mapping[str, Any], slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
            known = len(envelope.errors)
            checked: dict[str, Any] = {
                "spans": checked_spans(values.get("spans"), slot, item, self.rules, envelope),
                "tags": checked_tags(values.get("tags", []), self.options.tags, SEVERITIES, f"{at}.tags", envelope),
                "score": _checked_score(values.get("score"), f"{at}.score", envelope),
                "comment": checked_comment(values.get("comment", ""), envelope, f"{at}.comment"),
            }
            if len(envelope.errors) == known and not checked["spans"] and not checked["tags"]:
                self._require_mark(checked["score"], f"{at}.score", envelope)
            return checked

        return parse_slots(payload, item, ("spans", "tags", "score", "comment"), check)

    def _require_mark(self, score: int, at: str, envelope: Envelope) -> None:
        lowest = self.options.marks_below
        if score < lowest:
            message = _("A score below %(lowest)d needs a mark or a tag. Mark what is wrong, or raise the score.")
            envelope.refuse(at, message % {"lowest": lowest})

    def observe(self, answer: Answer, item: ShownItem) -> Observation:  # noqa: ARG002 - what was answered says it all
        slots = sorted(answer.slots.items())
        return Observation(
            scores=tuple(SlotScore(label, "score", float(values["score"])) for label, values in slots),
            spans=tuple(
                span
                for label, values in slots
                for span in (*marked_in(label, values["spans"]), *tagged_in(label, values["tags"]))
            ),
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        def columns(values: Mapping[str, Any]) -> dict[str, int | str]:
            counts = {"errors": len(values["spans"]), "tags": len(values["tags"])}
            return {"score": values["score"], **counts, "note": values["comment"]}

        return csv_columns(answer, columns)


def _checked_score(value: object, at: str, envelope: Envelope) -> int:
    wrong = _("The score must be a whole number from 0 to 100, in steps of %(step)d.") % {"step": STEP}
    return checked_whole(value, range(0, 101, STEP), at, envelope, missing=_("Choose a score first."), wrong=wrong)
