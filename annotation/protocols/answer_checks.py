"""The checks that all protocols share: slots, comment, cannot_judge, whole numbers; and the CSV columns."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols.base import CANNOT_JUDGE_REASONS, COMMENT_LIMIT, Answer, ShownItem, ShownSlot
from campaigns.invalid_input import InvalidInput


@dataclass
class Envelope:
    """The part of an answer that is the same in every protocol, while it is being checked."""

    slots: Mapping[str, Any]
    comment: str
    cannot_judge: str | None
    errors: dict[str, list[str]] = field(default_factory=dict)

    def refuse(self, name: str, message: str) -> None:
        self.errors.setdefault(name, []).append(message)


def _open_envelope(payload: object, item: ShownItem) -> Envelope:
    """Checks slots, comment and cannot_judge; messages gather in `errors` so that all are reported together."""
    if not isinstance(payload, Mapping):
        raise InvalidInput.of("answer", _("The answer must be a JSON object."))
    envelope = Envelope(slots={}, comment="", cannot_judge=None)
    for name in sorted(set(map(str, payload)) - {"slots", "comment", "cannot_judge"}):
        envelope.refuse(name, _("Unknown field."))
    envelope.comment = checked_comment(payload.get("comment", ""), envelope)
    envelope.cannot_judge = _checked_reason(payload.get("cannot_judge"), envelope)
    slots = payload.get("slots", {})
    if not isinstance(slots, Mapping):
        envelope.refuse("slots", _("Slots must be a JSON object."))
    elif envelope.cannot_judge is None:
        _check_labels(slots, item, envelope)
        envelope.slots = slots
    return envelope


def checked_comment(value: object, envelope: Envelope, at: str = "comment") -> str:
    if not isinstance(value, str):
        envelope.refuse(at, _("The comment must be text."))
        return ""
    if len(value) > COMMENT_LIMIT:
        envelope.refuse(at, _("The comment may have at most %(limit)d characters.") % {"limit": COMMENT_LIMIT})
    if "\x00" in value:
        envelope.refuse(at, _("The comment contains an invalid character (NUL)."))
    return value


def _checked_reason(value: object, envelope: Envelope) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in CANNOT_JUDGE_REASONS:
        envelope.refuse("cannot_judge", _("Choose one of the reasons offered."))
        return None
    return value


def _check_labels(slots: Mapping[Any, Any], item: ShownItem, envelope: Envelope) -> None:
    shown = [slot.label for slot in item.slots]
    for label in shown:
        if label not in slots:
            envelope.refuse(f"slots.{label}", _("Not answered."))
    for label in slots:
        if label not in shown:
            envelope.refuse(f"slots.{label}", _("Unknown slot label."))


def check_fields(values: object, allowed: Iterable[str], at: str, envelope: Envelope) -> Mapping[str, Any]:
    """The fields of one slot, unknown ones refused; empty when `values` is not an object."""
    if not isinstance(values, Mapping):
        envelope.refuse(at, _("This must be a JSON object."))
        return {}
    for name in sorted(set(map(str, values)) - set(allowed)):
        envelope.refuse(f"{at}.{name}", _("Unknown field."))
    return values


def checked_whole(
    value: object, allowed: Container[int], at: str, envelope: Envelope, *, wrong: str, missing: str = ""
) -> int:
    """The number; 0 with a message (`missing` where there is no value) when it is not allowed."""
    if value is None:
        envelope.refuse(at, missing or wrong)
    elif type(value) is not int or value not in allowed:
        envelope.refuse(at, wrong)
    else:
        return value
    return 0


def checked_score(value: object, at: str, envelope: Envelope) -> int:
    """On a slider from 0 to 100."""
    wrong = _("The score must be a whole number from 0 to 100.")
    return checked_whole(value, range(101), at, envelope, missing=_("Choose a score first."), wrong=wrong)


CheckSlot = Callable[[Mapping[str, Any], ShownSlot, str, Envelope], dict[str, Any]]


def parse_slots(payload: object, item: ShownItem, names: Iterable[str], check: CheckSlot) -> Answer:
    """The answer whose slots have the fields `names`.

    `check` cleans those of one slot, which it refuses by their place in the answer.
    """
    envelope = _open_envelope(payload, item)
    slots: dict[str, dict[str, Any]] = {}
    for slot in item.slots:
        if slot.label in envelope.slots:
            at = f"slots.{slot.label}"
            slots[slot.label] = check(check_fields(envelope.slots[slot.label], names, at, envelope), slot, at, envelope)
    if envelope.errors:
        raise InvalidInput(envelope.errors)
    return Answer(slots=slots, comment=envelope.comment, cannot_judge=envelope.cannot_judge)


def csv_columns(answer: Answer, of_slot: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> dict[str, Any]:
    """An answer as flat scalars: the columns of each slot with its label, then what every protocol has."""
    slots = sorted(answer.slots.items())
    row = {f"{name}_{label}": value for label, values in slots for name, value in of_slot(values).items()}
    return {**row, "cannot_judge": answer.cannot_judge, "comment": answer.comment}
