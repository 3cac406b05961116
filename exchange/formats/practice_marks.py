"""The marks that a practice item expects, as people write them: by the words that are wrong, or by their places."""

from collections.abc import Mapping
from typing import Any

from annotation.protocols.base import Protocol
from annotation.protocols.expected_marks import OMISSION, ExpectedMark
from annotation.protocols.spans import NOTE_LIMIT, SpanRules
from exchange.reading import Line

_ABOUT = ("severity", "category", "note")
_KEYS = {"text", "occurrence", "slack", "start", "end", "tag", *_ABOUT}
MOST_MARKS = 50


def mark_rules(protocol: Protocol[Any]) -> SpanRules | None:
    """None: the protocol marks no errors."""
    rules = getattr(protocol, "rules", None)
    return rules if isinstance(rules, SpanRules) else None


def read_expected_marks(
    value: object, slots: Mapping[str, str], protocol: Protocol[Any], line: Line
) -> dict[str, list[dict[str, Any]]]:
    """By label; an empty list says that the translation has no errors. Everything wrong is among the problems."""
    rules = mark_rules(protocol)
    if rules is None:
        line.refuse("marks", "This protocol marks no errors. Use `expected` to say what is right.")
        return {}
    if not isinstance(value, dict) or not value:
        line.refuse("marks", "Give an object by label, with a list of marks for each; an empty list: no errors.")
        return {}
    reader = _Marks(rules, tag_names(protocol, rules), line)
    return {label: reader.of_text(label, own, slots) for label, own in value.items()}


def tag_names(protocol: Protocol[Any], rules: SpanRules) -> list[str]:
    """In a protocol without tags, missing content is marked in the text."""
    named = [tag.name for tag in getattr(protocol.options, "tags", ())]
    return named or ([OMISSION] if rules.missing_content else [])


class _Marks:
    def __init__(self, rules: SpanRules, tags: list[str], line: Line) -> None:
        self.rules, self.tags, self.line = rules, tags, line

    def of_text(self, label: str, marks: object, slots: Mapping[str, str]) -> list[dict[str, Any]]:
        at = f"marks.{label}"
        if slots and label not in slots:
            self.line.refuse(at, f"Unknown label. Known: {', '.join(slots)}.")
        elif not isinstance(marks, list) or len(marks) > MOST_MARKS:
            self.line.refuse(at, f"Give a list of at most {MOST_MARKS} marks; an empty one: no errors.")
        else:
            text = slots.get(label, "")
            read = [self._mark(mark, text, f"{at}.{number}") for number, mark in enumerate(marks, start=1)]
            return [mark.as_json() for mark in read if mark is not None]
        return []

    def _mark(self, mark: object, text: str, at: str) -> ExpectedMark | None:
        if not isinstance(mark, dict):
            self.line.refuse(at, 'Give an object, such as {"text": "wrong words", "severity": "major"}.')
            return None
        for key in sorted(set(mark) - _KEYS):
            self.line.refuse(f"{at}.{key}", f"Unknown key. Known: {', '.join(sorted(_KEYS))}.")
        about = {name: self._word(mark, name, at) for name in _ABOUT}
        if "tag" in mark:
            if mark["tag"] not in self.tags:
                self.line.refuse(f"{at}.tag", f"Unknown tag. Known: {', '.join(self.tags) or 'none'}.")
                return None
            return ExpectedMark.from_json({"tag": mark["tag"], **about})
        bounds = self._of_words(mark, text, at) if "text" in mark else self._of_places(mark, text, at)
        return ExpectedMark.from_json({"start": bounds[0], "end": bounds[1], **about}) if bounds else None

    def _word(self, mark: Mapping[str, Any], name: str, at: str) -> str:
        value = mark.get(name, "")
        if not isinstance(value, str) or len(value) > NOTE_LIMIT:
            self.line.refuse(f"{at}.{name}", f"This must be a text of at most {NOTE_LIMIT} characters.")
            return ""
        if value and name == "severity" and value not in self.rules.severities:
            self.line.refuse(f"{at}.severity", f"Unknown severity. Known: {', '.join(self.rules.severities)}.")
        if value and name == "category":
            known = self.rules.categories or {}
            if not any(f"{path}/".startswith(f"{value}/") for path in known):
                self.line.refuse(f"{at}.category", f"Unknown category. Known: {', '.join(known) or 'none'}.")
        return value

    def _of_words(self, mark: Mapping[str, Any], text: str, at: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
        words, which, slack = mark["text"], mark.get("occurrence", 1), mark.get("slack", 0)
        if not isinstance(words, str) or not words.strip():
            self.line.refuse(f"{at}.text", "Give the words that are wrong.")
            return None
        if type(which) is not int or which < 1 or type(slack) is not int or slack < 0:
            self.line.refuse(at, "`occurrence` must be a whole number from 1, `slack` one from 0.")
            return None
        places = _places_of(words, text)
        if "occurrence" not in mark and len(places) > 1:
            self.line.refuse(f"{at}.text", f"The translation has these words {len(places)} times. Give `occurrence`.")
            return None
        if which > len(places):
            self.line.refuse(f"{at}.text", "The translation does not have these words there. Copy them from it.")
            return None
        start, end = places[which - 1], places[which - 1] + len(words)
        last_start, first_end = min(start + slack, end - 1), max(end - slack, start + 1)
        return (max(start - slack, 0), last_start), (first_end, min(end + slack, len(text)))

    def _of_places(self, mark: Mapping[str, Any], text: str, at: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
        bounds = [self._range(mark.get(name), text, f"{at}.{name}") for name in ("start", "end")]
        start, end = bounds
        if start is None or end is None:
            return None
        if start[0] >= end[1]:
            self.line.refuse(f"{at}.end", "A mark cannot end before it starts.")
            return None
        return start, end

    def _range(self, value: object, text: str, at: str) -> tuple[int, int] | None:
        low, high = value if isinstance(value, list) and len(value) == 2 else (value, value)
        if type(low) is int and type(high) is int and 0 <= low <= high <= len(text):
            return low, high
        self.line.refuse(at, f"Give a place from 0 to {len(text)}, or the lowest and the highest one, as a list.")
        return None


def _places_of(words: str, text: str) -> list[int]:
    return [place for place in range(len(text)) if text.startswith(words, place)]
