"""Post-editing: the annotator corrects the translation; what it took is recorded (Snover et al. 2006 for HTER)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
from annotation.protocols.envelope import Envelope, check_fields, close_envelope, open_envelope

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

    def errors(self) -> dict[str, list[str]]:
        return {} if isinstance(self.show_source, bool) else {"show_source": [_("This must be true or false.")]}


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
        envelope = open_envelope(payload, item)
        slots = {
            slot.label: _checked_slot(envelope.slots[slot.label], slot, envelope)
            for slot in item.slots
            if slot.label in envelope.slots
        }
        return close_envelope(envelope, slots)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        kept = [slot.label for slot in item.slots if slot.label in answer.slots]
        return Observation(
            scores=tuple(SlotScore(label, "keystrokes", float(answer.slots[label]["keystrokes"])) for label in kept)
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        row: dict[str, str | int | float | None] = {}
        for label, values in sorted(answer.slots.items()):
            row[f"text_{label}"] = values["text"]
            row[f"keystrokes_{label}"] = values["keystrokes"]
            row[f"edit_steps_{label}"] = len(values["steps"])
            row[f"pasted_{label}"] = int(_is_pasted(values))
        return {**row, "cannot_judge": answer.cannot_judge, "comment": answer.comment}


def _is_pasted(values: Mapping[str, Any]) -> bool:
    """Whether most of the text as it was left came in one paste, as from another translation."""
    longest = max((len(step[3]) for step in values["steps"] if step[4:] == ["pasted"]), default=0)
    return bool(longest >= MOSTLY * len(values["text"]))


def _checked_slot(values: object, slot: ShownSlot, envelope: Envelope) -> dict[str, Any]:
    at = f"slots.{slot.label}"
    given = check_fields(values, ("text", "keystrokes", "steps"), at, envelope)
    text = _checked_text(given.get("text"), f"{at}.text", envelope)
    return {
        "text": text,
        "keystrokes": _checked_keystrokes(given.get("keystrokes", 0), f"{at}.keystrokes", envelope),
        "steps": _checked_steps(given.get("steps", []), slot.text or "", text, f"{at}.steps", envelope),
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
