"""Post-editing: the annotator corrects the translation; what it took is recorded (Snover et al. 2006 for HTER)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, checked_whole, csv_columns, parse_slots
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

MOST_STEPS = 2_000
MOST_INSERTED = 200_000
LATEST_MS = 2**31 - 1
MARKS = ("", "pasted", "reset", "restored")


class InvalidSteps(Exception):
    """Steps that are malformed or cannot be done, with a sentence fit for who sent them."""


@dataclass(frozen=True)
class EditStep:
    """`removed` code points at `position` gave way to `inserted`, `milliseconds` after the editor was first shown.

    `mark` says how, where it was not typing: pasted, reset to the translation, or edits put back after a reset.
    """

    milliseconds: int
    position: int
    removed: int
    inserted: str
    mark: str = ""

    def as_json(self) -> list[int | str]:
        step: list[int | str] = [self.milliseconds, self.position, self.removed, self.inserted]
        return [*step, self.mark] if self.mark else step


def read_steps(value: object) -> list[EditStep]:
    """Steps from JSON: [milliseconds, position, removed, inserted] each, with an optional mark, in order of time."""
    if not isinstance(value, list | tuple):
        raise InvalidSteps(_("Steps must be a list."))
    if len(value) > MOST_STEPS:
        raise InvalidSteps(_("At most %(most)d steps are allowed.") % {"most": MOST_STEPS})
    steps = [_read_step(step, number) for number, step in enumerate(value, start=1)]
    times = [step.milliseconds for step in steps]
    if times != sorted(times):
        raise InvalidSteps(_("Steps must be in order of time."))
    if sum(len(step.inserted) for step in steps) > MOST_INSERTED:
        raise InvalidSteps(_("All steps together may insert at most %(most)d characters.") % {"most": MOST_INSERTED})
    return steps


def _read_step(value: object, number: int) -> EditStep:
    if isinstance(value, list | tuple) and len(value) in (4, 5):
        milliseconds, position, removed, inserted, *mark = value
        is_whole = all(type(part) is int and 0 <= part <= LATEST_MS for part in (milliseconds, position, removed))
        if is_whole and isinstance(inserted, str) and is_storable(inserted) and (not mark or mark[0] in MARKS[1:]):
            return EditStep(milliseconds, position, removed, inserted, *mark)
    raise InvalidSteps(
        _("Step %(number)d is not [milliseconds, position, removed, inserted] or the same with a mark (%(marks)s).")
        % {"number": number, "marks": ", ".join(MARKS[1:])}
    )


def is_storable(text: str) -> bool:
    """Neither NUL nor half characters: what databases and UTF-8 can hold."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def replay(text: str, steps: Iterable[EditStep]) -> str:
    """The text after all steps; `InvalidSteps` where one reaches beyond the text of its moment."""
    for number, step in enumerate(steps, start=1):
        end = step.position + step.removed
        if end > len(text):
            raise InvalidSteps(_("Step %(number)d reaches beyond the end of the text.") % {"number": number})
        text = text[: step.position] + step.inserted + text[end:]
    return text


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
        labels = [slot.label for slot in item.slots if slot.label in answer.slots]
        return Observation(
            scores=tuple(SlotScore(label, "keystrokes", float(answer.slots[label]["keystrokes"])) for label in labels)
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
    """Whether most of the edited text came in one paste, as from another translation."""
    longest = max((len(step[3]) for step in values["steps"] if step[4:] == ["pasted"]), default=0)
    return bool(longest >= MOSTLY * len(values["text"]))


def _checked_slot(values: Mapping[str, Any], slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
    text = _checked_text(values.get("text"), f"{at}.text", envelope)
    count, allowed = values.get("keystrokes", 0), range(MOST_KEYSTROKES + 1)
    wrong = _("Keystrokes must be a whole number from 0 to %(most)d.") % {"most": MOST_KEYSTROKES}
    return {
        "text": text,
        "keystrokes": checked_whole(count, allowed, f"{at}.keystrokes", envelope, wrong=wrong),
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


def _checked_steps(value: object, shown: str, text: str | None, at: str, envelope: Envelope) -> list[list[Any]]:
    try:
        steps = read_steps(value)
        if steps and text is not None and replay(shown, steps) != text:
            raise InvalidSteps(_("Replaying the steps on the translation does not give the corrected text."))
    except InvalidSteps as invalid:
        envelope.refuse(at, str(invalid))
        return []
    return [step.as_json() for step in steps]
