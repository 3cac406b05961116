"""Marks as Pearmut stores them: both bounds inclusive, in UTF-16 units of the text, with tags after its end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from annotation.protocols.expected_marks import ExpectedMark
from annotation.taxonomies.typology import SEVERITIES

OUTSIDE, REVERSED, NO_SEVERITY = "spans_outside", "spans_reversed", "spans_without_severity"
WIDENED = "spans_widened_to_whole_characters"


@dataclass
class ReadMarks:
    """The marks of one translation as they are stored; `refused` and `kept` count what was odd."""

    spans: list[dict[str, Any]] = field(default_factory=list)
    tags: list[dict[str, Any]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)


def read_marks(marks: object, text: str, tags: Sequence[str]) -> ReadMarks:
    """Half-open and in code points; a bound within a character of two units takes in the whole character.

    A mark keeps the words of its category, if it has one.
    """
    read = ReadMarks()
    characters = characters_of(text)
    for mark in marks if isinstance(marks, list) else ():
        if isinstance(mark, Mapping):
            _read_mark(mark, characters, tags, read)
        else:
            read.refused[OUTSIDE] += 1
    return read


def characters_of(text: str) -> list[int]:
    """For each UTF-16 unit, the place of its character."""
    ends = list(accumulate(1 + (character > "\uffff") for character in text))
    return [place for place, end in enumerate(ends) for _ in range(end - (ends[place - 1] if place else 0))]


def _read_mark(mark: Mapping[str, Any], characters: Sequence[int], tags: Sequence[str], read: ReadMarks) -> None:
    start, end, length = mark.get("start_i"), mark.get("end_i"), len(characters)
    severity = str(mark.get("severity") or "").lower()
    if type(start) is not int or type(end) is not int or start < 0:
        read.refused[OUTSIDE] += 1
    elif start > end:
        read.refused[REVERSED] += 1
    elif start >= length + len(tags) or (start < length <= end):
        read.refused[OUTSIDE] += 1
    elif severity not in SEVERITIES:
        read.refused[NO_SEVERITY] += 1
    elif start >= length:
        read.tags.append({"tag": tags[start - length], "severity": severity, **_category_of(mark)})
    else:
        first, last = characters[start], characters[end]
        is_cut = characters[start - 1 : start] == [first] or characters[end + 1 : end + 2] == [last]
        read.kept[WIDENED] += is_cut
        read.spans.append(
            {"side": "target", "start": first, "end": last + 1, "severity": severity, **_category_of(mark)}
        )


def _category_of(mark: Mapping[str, Any]) -> dict[str, str]:
    category = mark.get("category")
    return {"category": category} if isinstance(category, str) and category else {}


def written_marks(
    answered: Mapping[str, Any], text: str, tags: Sequence[str], *, shift: int = 0
) -> list[dict[str, Any]]:
    """The marks of one answer, further right by `shift`.

    Those in the source, and tags that the campaign does not have, are left out. An omission, which has no width, is the
    first tag: Pearmut does not know where it is.
    """
    units = [0, *accumulate(1 + (character > "\uffff") for character in text)]
    written = []
    for span in answered.get("spans", ()):
        start, end = (min(max(span[name] + shift, 0), len(text)) for name in ("start", "end"))
        if span.get("side", "target") == "target" and start < end:
            written.append(_mark(units[start], units[end] - 1, span))
        elif span.get("side", "target") == "target" and tags:
            written.append(_mark(units[-1], units[-1], span))
    for tag in answered.get("tags", ()):
        if tag["tag"] in tags:
            place = units[-1] + tags.index(tag["tag"])
            written.append(_mark(place, place, tag))
    return written


def _mark(start: int, end: int, marked: Mapping[str, Any]) -> dict[str, Any]:
    category = marked.get("category") or None
    return {"start_i": start, "end_i": end, "category": category, "severity": marked.get("severity")}


def expected_marks(marks: object, text: str, tags: Sequence[str]) -> tuple[ExpectedMark, ...]:
    """Of a rule, whose bounds may be pairs of the lowest and the highest; what lies outside the text is left out."""
    characters = characters_of(text)
    found = []
    for mark in marks if isinstance(marks, list) else ():
        start, end = (
            (_range(mark.get(name)) for name in ("start_i", "end_i")) if isinstance(mark, Mapping) else ((), ())
        )
        if not start or not end:
            continue
        severity, length = str(mark.get("severity") or "").lower(), len(characters)
        if length <= start[0] < length + len(tags):
            found.append(ExpectedMark(severity=severity, tag=tags[start[0] - length]))
        elif 0 <= start[0] <= start[1] < length and 0 <= end[0] <= end[1]:
            last = [characters[min(place, length - 1)] + 1 for place in end]
            found.append(ExpectedMark((characters[start[0]], characters[start[1]]), (last[0], last[1]), severity))
    return tuple(found)


def _range(bound: object) -> tuple[int, ...]:
    """A number stands for itself alone; empty for anything else."""
    low, high = bound if isinstance(bound, list) and len(bound) == 2 else (bound, bound)
    return (low, high) if type(low) is int and type(high) is int else ()
