"""What an annotator did on a screen, and when: a compact list that is sent with the screen and stored with it.

An entry is `[time, action, row, slot, value]`: milliseconds since 1970 by the annotator's clock, a name, the place of
the item on the screen from 0, the label of the slot, and what was chosen; what an action does not have at the end is
left out, before that it is null.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput

MOST_ACTIONS = 5000
LONGEST_VALUE = 100
LATEST = 10**14  # the year 5138
_NAME = re.compile(r"[a-z][a-z_]{0,29}")


@dataclass(frozen=True)
class Action:
    """`at`: milliseconds since 1970."""

    at: int
    name: str
    row: int | None = None
    slot: str | None = None
    value: float | str | None = None

    @property
    def as_json(self) -> list[Any]:
        entry = [self.at, self.name, self.row, self.slot, self.value]
        while entry[-1] is None:
            entry.pop()
        return entry


def is_action_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def actions_from(stored: object) -> tuple[Action, ...]:
    """What was checked before it was stored."""
    return tuple(Action(*entry) for entry in stored) if isinstance(stored, list) else ()


def checked_actions(value: object, slots: Sequence[Collection[str]]) -> tuple[Action, ...]:
    """`slots`: the labels of each item of the screen. Raises InvalidInput, field by field, for the first few errors."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST_ACTIONS:
        raise InvalidInput.of("actions", _("Send a list of at most %(most)d actions.") % {"most": MOST_ACTIONS})
    wrong = [place for place, entry in enumerate(value) if not _is_action(entry, slots)]
    if wrong:
        shape = _(
            "Each action is a list: the time in milliseconds since 1970, a name in lowercase Latin letters, then the "
            "place of the row from 0, the label of the slot, and a number or a short text, as far as it has them."
        )
        raise InvalidInput({f"actions.{place}": [shape] for place in wrong[:5]})
    return actions_from(value)


def _is_action(entry: object, slots: Sequence[Collection[str]]) -> bool:
    if not isinstance(entry, list) or not 2 <= len(entry) <= 5:
        return False
    at, name, row, slot, value = [*entry, None, None, None][:5]
    if not _is_whole(at, LATEST) or not is_action_name(name):
        return False
    if row is not None and not _is_whole(row, len(slots) - 1):
        return False
    is_known = slot is None or (row is not None and isinstance(slot, str) and slot in slots[row])
    return is_known and _is_value(value)


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _is_value(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_VALUE
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LATEST)
