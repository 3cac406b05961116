"""Texts in which an error stands between `<v>` and `</v>`: the plain text, and where in it the error is."""

from difflib import SequenceMatcher
from typing import NamedTuple

OPEN, CLOSE = "<v>", "</v>"


class MarkedText(NamedTuple):
    """Half-open, in code points of `text`; both None where nothing is marked.

    Of several marks the first beginning and the last end count; a mark that is not closed goes to the end.
    """

    text: str
    start: int | None
    end: int | None
    is_regular: bool


def read_marks(marked: str) -> MarkedText:
    text = marked.replace(OPEN, "").replace(CLOSE, "")
    opened, closed = marked.count(OPEN), marked.count(CLOSE)
    if not opened and not closed:
        return MarkedText(text, None, None, is_regular=True)
    start = _plain_place(marked, marked.find(OPEN)) if opened else 0
    end = _plain_place(marked, marked.rfind(CLOSE)) if closed else len(text)
    is_regular = opened == closed == 1 and start <= end
    return MarkedText(text, start, max(start, end), is_regular)


def moved_place(place: int, old: str, new: str, *, is_end: bool) -> int:
    """The same place in a text that was written a little differently."""
    for kind, low, high, new_low, new_high in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal" and low <= place <= high:
            return new_low + place - low
        if low <= place <= high and (place < high or is_end):
            return new_high if is_end else new_low
    return len(new)


def _plain_place(marked: str, at: int) -> int:
    """A place of the marked text in the plain one."""
    before = marked[:at]
    return at - before.count(OPEN) * len(OPEN) - before.count(CLOSE) * len(CLOSE)
