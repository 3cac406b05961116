"""Post-editing: the annotator corrects the translation; what it took is recorded (Snover et al. 2006 for HTER)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, csv_columns, parse_slots
from annotation.protocols.base import (
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
from annotation.protocols.edit_steps import InvalidSteps, is_storable, read_steps, replay

TEXT_LIMIT = 50_000
MOST_KEYSTROKES = 1_000_000
MOSTLY = 0.8


@dataclass(frozen=True)
class PostEditingOptions(ProtocolOptions):
    """Without the source, the translation is made readable and no more: monolingual post-editing."""

    show_source: bool = option(
        True,
        label=gettext_lazy("Show the source"),
        hint=gettext_lazy("If this is off, annotators see only the translation (monolingual post-editing)."),
    )


@dataclass(frozen=True)
class PostEditing(Protocol[PostEditingOptions]):
    """The translation stands in an editor. The answer is the text as left, and how it came about.

    HTER is not stored here: it follows from the two texts by a formula and is derived in `metrics`.
    """

    name: ClassVar[str] = "post_editing"
    title: ClassVar = gettext_lazy("Post-editing")
    description: ClassVar = gettext_lazy("Correct the translation; edits, keystrokes and time are recorded.")
    seconds_per_item: ClassVar[int] = 90
    options_class: ClassVar = PostEditingOptions
    text_field: ClassVar[str] = "text"
    derived_measures: ClassVar = ("hter",)
    compared_by: ClassVar[str] = "hter"
    expected_scatter: ClassVar = ExpectedScatter(0.2, is_share=True)  # HTER in MLQE-PE English–German
    methods_sentence: ClassVar[str] = (
        "Annotators corrected each translation; HTER is the edits from the translation to its corrected version, "
        "divided by the words of the corrected version ({snover-2006-study})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        unit = _("keystrokes")
        return (Measure("keystrokes", _("Keystrokes"), unit, 0, math.inf, higher_is_better=False, is_count=True),)

    @property
    def decided_fields(self) -> tuple[str, ...]:
        return (self.text_field,)

    @property
    def shows_source(self) -> bool:
        return self.options.show_source

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        return parse_slots(payload, item, ("text", "keystrokes", "steps"), _checked_slot)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        kept = [slot.label for slot in item.slots if slot.label in answer.slots]
        return Observation(
            scores=tuple(SlotScore(label, "keystrokes", float(answer.slots[label]["keystrokes"])) for label in kept)
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(
            answer,
            lambda values: {
                "text": values["text"],
                "keystrokes": values["keystrokes"],
                "edit_steps": len(values["steps"]),
                "pasted": int(_is_pasted(values)),
            },
        )


def _is_pasted(values: Mapping[str, Any]) -> bool:
    """Whether most of the text as it was left came in one paste, as from another translation."""
    longest = max((len(step[3]) for step in values["steps"] if step[4:] == ["pasted"]), default=0)
    return bool(longest >= MOSTLY * len(values["text"]))


def _checked_slot(values: Mapping[str, Any], slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
    text = _checked_text(values.get("text"), f"{at}.text", envelope)
    return {
        "text": text,
        "keystrokes": _checked_keystrokes(values.get("keystrokes", 0), f"{at}.keystrokes", envelope),
        "steps": _checked_steps(values.get("steps", []), slot.text or "", text, f"{at}.steps", envelope),
    }


def _checked_text(value: object, at: str, envelope: Envelope) -> str | None:
    if value is None:
        envelope.refuse(at, _("Edit the translation, or choose “No edit needed”."))
    elif not isinstance(value, str):
        envelope.refuse(at, _("The corrected translation must be text."))
    elif not value.strip():
        envelope.refuse(at, _("The corrected translation is empty."))
    elif len(value) > TEXT_LIMIT:
        envelope.refuse(
            at, _("The corrected translation may have at most %(limit)d characters.") % {"limit": TEXT_LIMIT}
        )
    elif not is_storable(value):
        envelope.refuse(at, _("The corrected translation contains an invalid character."))
    else:
        return value
    return None


def _checked_keystrokes(value: object, at: str, envelope: Envelope) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_KEYSTROKES:
        envelope.refuse(at, _("Keystrokes must be a whole number from 0 to %(most)d.") % {"most": MOST_KEYSTROKES})
        return 0
    return value


def _checked_steps(value: object, shown: str, text: str | None, at: str, envelope: Envelope) -> list[list[Any]]:
    try:
        steps = read_steps(value)
        if steps and text is not None and replay(shown, steps) != text:
            raise InvalidSteps(_("Replaying the steps on the translation does not give the corrected text."))
    except InvalidSteps as invalid:
        envelope.refuse(at, str(invalid))
        return []
    return [step.as_json() for step in steps]
