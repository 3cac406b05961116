"""JSON from outside, a text or a file with an object a line: values that both databases can store."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

LARGEST = 10**300  # larger numbers are not ours, and no float either
DEEPEST = 64
_HALF = re.compile("[\ud800-\udfff]")
# only texts with one of these can contain what cannot be stored
_SUSPECT = re.compile(r"\\u0000|\\u[dD][89a-fA-F]|[\ud800-\udfff]")


class JSONError(ValueError):
    """What is wrong; `reason` fits into a longer sentence, `line` and `column` are the place in what is no JSON."""

    def __init__(self, message: str, column: int | None = None, line: int | None = None) -> None:
        self.reason = message.rstrip(".")
        self.column = column
        self.line = line
        super().__init__(message)


def read_json(text: str) -> Any:
    """Raises JSONError for invalid JSON, NaN, a key that occurs twice, and what a database cannot store."""
    try:
        value = json.loads(
            text,
            parse_constant=_no_number,
            parse_int=_whole,
            parse_float=_finite,
            object_pairs_hook=_each_once,
        )
    except json.JSONDecodeError as error:
        raise JSONError(error.msg, error.colno, error.lineno) from error
    except RecursionError as error:
        raise JSONError(_("This JSON is nested too deeply.")) from error
    is_suspect = _SUSPECT.search(text) or text.count("[") + text.count("{") > DEEPEST
    if is_suspect and (problem := json_error(value)):
        raise JSONError(problem)
    return value


def json_error(value: object, deepest: int = DEEPEST) -> str | None:
    """Why a parsed value cannot be stored, or None."""
    level: Sequence[object] = [value]
    for _depth in range(deepest):
        for each in level:
            if problem := _value_problem(each):
                return problem
        level = [part for each in level for part in _parts(each)]
        if not level:
            return None
    return _("This JSON is nested too deeply.")


def as_json(value: object) -> str:
    """A value as its file spells it, for messages."""
    return json.dumps(value, ensure_ascii=False)


def _value_problem(value: object) -> str | None:
    if isinstance(value, str):
        if "\x00" in value:
            return _("A text contains the character NUL. Remove it and send it again.")
        if _HALF.search(value):
            return _("A text contains half a character (a lone surrogate). Remove it and send it again.")
    is_finite = not isinstance(value, float) or math.isfinite(value)
    is_small = not isinstance(value, int) or -LARGEST <= value <= LARGEST
    return None if is_finite and is_small else _("A number is too large.")


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def _no_number(constant: str) -> Any:
    raise JSONError(_("“%(text)s” is not a number.") % {"text": constant})


def _whole(text: str) -> int:
    if len(text) > 302 or not -LARGEST <= (number := int(text)) <= LARGEST:
        raise JSONError(_("A number is too large."))
    return number


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JSONError(_("A number is too large."))
    return number


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        times = Counter(name for name, _value in pairs)  # not list.count: an object may have a million keys
        again = next(name for name, count in times.items() if count > 1)
        raise JSONError(_("The key “%(key)s” occurs twice.") % {"key": again[:100]})
    return value
