"""Cells of a table: read as values, with a message for the person who has the file open; and written safely.

No spreadsheet runs a text as a formula, and every text comes back as it was: one that begins like a formula gets an
apostrophe in front, and so does one that would look as if it had got one. The empty text is a lone apostrophe where an
empty cell means that there is no text.
"""

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from campaigns.reading.problems import text_error
from exchange.json_values import JSONError, read_json

LARGEST_MILLISECONDS = 2_147_483_647  # the column's limit: 24 days
_FIRST, _LAST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_UNREADABLE = re.compile("[\ud800-\udfff]")  # lone surrogates, which is also how bytes that are not UTF-8 are read


class CellError(Exception):
    """What is wrong with a cell, and what is allowed."""


def parse_number(cell: str) -> float | None:
    if cell == "":
        return None
    try:
        value = float(cell)
    except ValueError:
        raise CellError(_("This is not a number.")) from None
    if not math.isfinite(value):
        raise CellError(_("This is not a finite number."))
    return value


def parse_count(cell: str, *, low: int) -> int | None:
    if cell == "":
        return None
    is_count = cell.isascii() and cell.isdigit() and len(cell) <= 10
    if not is_count or not low <= int(cell) <= LARGEST_MILLISECONDS:
        raise CellError(_("This is not a whole number. Write one from %(low)d up.") % {"low": low})
    return int(cell)


def parse_seconds(cell: str) -> int | None:
    """In milliseconds."""
    seconds = parse_number(cell)
    if seconds is None:
        return None
    if not 0 <= seconds * 1000 <= LARGEST_MILLISECONDS:
        raise CellError(_("Seconds must be from 0 to 24 days."))
    return round(seconds * 1000)


def parse_time(cell: str) -> datetime | None:
    """ISO 8601; without an offset it is UTC."""
    if cell == "":
        return None
    try:
        moment = datetime.fromisoformat(cell)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise CellError(_("This is not a time. Write it as 2026-11-03T08:30:00Z.")) from None
    if not is_in_range(moment):
        raise CellError(_("This time is before 1900 or after 2200."))
    return moment


def is_in_range(moment: datetime) -> bool:
    """Whether every time zone and database can represent this time."""
    return _FIRST <= moment < _LAST


def parse_switch(cell: str) -> bool:
    value = {"": False, "false": False, "0": False, "true": True, "1": True}.get(cell.strip().lower())
    if value is None:
        raise CellError(_("Write true or false."))
    return value


def parse_answer(cell: str) -> dict[str, Any] | None:
    """The JSON object, if the database can hold it."""
    if cell == "":
        return None
    try:
        answer = read_json(cell)
    except JSONError as error:
        message = _("The JSON of this answer cannot be stored: %(reason)s.")
        raise CellError(message % {"reason": error.reason}) from error
    if not isinstance(answer, dict):
        raise CellError(_("The answer must be a JSON object."))
    return answer


def written_answer(answer: dict[str, Any]) -> str:
    """Always written the same way, so that equal answers are equal texts."""
    return json.dumps(answer, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def check_name(cell: str, *, longest: int, required: bool) -> str:
    if required and cell.strip() == "":
        raise CellError(_("This cell is empty."))
    if len(cell) > longest:
        message = _("%(length)d characters. Shorten it to at most %(longest)d.")
        raise CellError(message % {"length": len(cell), "longest": longest})
    return check_text(cell)


def check_text(cell: str) -> str:
    """Any text the database can store; texts that come in are checked more strictly than texts that come back."""
    if "\x00" in cell:
        raise CellError(_("The character NUL cannot be stored. Remove it."))
    if _UNREADABLE.search(cell):
        raise CellError(text_error(cell) or _("Not UTF-8. Save the file as UTF-8."))
    return cell


# = + - @ with their full-width forms, and the characters a spreadsheet skips before it looks for them
_BEGINNINGS = "=+-@\t\r\n＝＋－＠"
_RISKY = re.compile(rf"'*(?:[{re.escape(_BEGINNINGS)}]|$)")
_MAY_BE_RISKY = frozenset(("", "'", *_BEGINNINGS))


def make_safe(text: str) -> str:
    return f"'{text}" if text[:1] in _MAY_BE_RISKY and _RISKY.match(text) else text


def restore(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def safe_name(name: str) -> str:
    """A name is never missing, so an empty one may stay an empty cell."""
    return make_safe(name) if name else name


def safe_text(text: str | None) -> str:
    return "" if text is None else make_safe(text)


def restored_text(cell: str) -> str | None:
    return None if cell == "" else restore(cell)
