"""Timed edit steps: how a text became another, one replacement after the other. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

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
        is_whole = all(_is_count(part) for part in (milliseconds, position, removed))
        if is_whole and isinstance(inserted, str) and is_storable(inserted) and (not mark or mark[0] in MARKS[1:]):
            return EditStep(milliseconds, position, removed, inserted, *mark)
    raise InvalidSteps(
        _("Step %(number)d is not [milliseconds, position, removed, inserted] or the same with a mark (%(marks)s).")
        % {"number": number, "marks": ", ".join(MARKS[1:])}
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LATEST_MS


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
