"""Practice items from a file of JSON lines: texts, the right numbers, and what to say about them.

Everything that is wrong is said at once, with its line. See docs/formats.md for the keys.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.protocols.base import Measure, Protocol
from campaigns.importing.decoding import check_is_text, fault_in, open_text
from campaigns.importing.problems import Problems, UnreadableFileError

KEYS = {"source", "reference", "translations", "expected", "feedback"}
MOST_ITEMS = 100
LONGEST_TEXT = 100_000


class PracticeFileError(Exception):
    """The file cannot be used as it is; the text lists every problem, a line each."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems.kept))


@dataclass(frozen=True)
class PracticeRecord:
    """`slots` are texts by label; `expected` by label and measure the lowest and the highest right number."""

    source: str
    reference: str
    slots: Mapping[str, str]
    expected: Mapping[str, Mapping[str, tuple[float, float]]]
    feedback: str


def read_practice(path: Path, name: str, protocol: Protocol[Any]) -> list[PracticeRecord]:
    """Raises `PracticeFileError` with all that does not fit the campaign's protocol."""
    problems = Problems()
    records: list[PracticeRecord] = []
    try:
        check_is_text(path, name, problems)
        with open_text(path, newline="\n") as stream:
            for line, text in enumerate(stream, start=1):
                if text.strip():
                    records += _Line(text, line, name, protocol, problems).records()
    except UnreadableFileError:
        pass
    if len(records) > MOST_ITEMS:
        problems.add(name, None, "", f"There are {len(records)} items; practise with at most {MOST_ITEMS}.")
    if not records and not problems.count:
        problems.add(name, None, "", "The file holds no item.")
    if problems.count:
        raise PracticeFileError(problems)
    return records


class _Line:
    """One line while it is checked."""

    def __init__(self, text: str, line: int, name: str, protocol: Protocol[Any], problems: Problems) -> None:
        self.text, self.line, self.name = text, line, name
        self.protocol, self.problems = protocol, problems
        self.measures = {each.name: each for each in protocol.measures if each.level == "segment"}

    def refuse(self, key: str, message: str) -> None:
        self.problems.add(self.name, self.line, key, message)

    def records(self) -> Iterator[PracticeRecord]:
        before = self.problems.count
        found = self._object()
        if found is None:
            return
        for key in sorted(set(found) - KEYS):
            self.refuse(key, f"There is no such key. Known: {', '.join(sorted(KEYS))}.")
        source = self._text(found, "source", is_needed=self.protocol.shows_source)
        reference = self._text(found, "reference", is_needed=self.protocol.shows_reference)
        feedback = self._text(found, "feedback", is_needed=False)
        slots = self._slots(found.get("translations"))
        expected = self._expected(found.get("expected"), slots)
        if self.problems.count == before:
            yield PracticeRecord(source, reference, slots, expected, feedback)

    def _object(self) -> dict[str, Any] | None:
        fault = fault_in(self.text.rstrip("\r\n"))
        if fault:
            self.refuse("", fault)
            return None
        try:
            found = json.loads(self.text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.refuse("", "Every line must hold one whole JSON object.")
            return None
        return found

    def _text(self, found: Mapping[str, Any], key: str, *, is_needed: bool) -> str:
        value = found.get(key) or ""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(key, f"This must be a text of at most {LONGEST_TEXT} characters.")
            return ""
        if is_needed and not value.strip():
            self.refuse(key, f"The campaign shows the {key}: give it.")
        return value

    def _slots(self, given: object) -> dict[str, str]:
        count = self.protocol.slots_per_item
        labels = [chr(ord("A") + place) for place in range(count)]
        if not isinstance(given, dict) or sorted(given) != labels:
            self.refuse("translations", f"Give an object with the texts of {', '.join(labels)}.")
            return {}
        for label in labels:
            self._text(given, label, is_needed=False)
            if not isinstance(given[label], str) or not given[label].strip():
                self.refuse(f"translations.{label}", "Give a text that is not empty.")
        return {label: given[label] for label in labels if isinstance(given[label], str)}

    def _expected(self, given: object, slots: Mapping[str, str]) -> dict[str, dict[str, tuple[float, float]]]:
        if not isinstance(given, dict) or not given:
            self.refuse("expected", "Say what is right: by label and measure, from which number to which.")
            return {}
        return {label: bounds for label, measures in given.items() if (bounds := self._bounds(label, measures, slots))}

    def _bounds(self, label: str, given: object, slots: Mapping[str, str]) -> dict[str, tuple[float, float]]:
        at = f"expected.{label}"
        if slots and label not in slots:
            self.refuse(at, "Nothing is shown under this label.")
        if not isinstance(given, dict) or not given:
            self.refuse(at, f"Give an object by measure. Known: {', '.join(self.measures)}.")
            return {}
        for name in given:
            if name not in self.measures:
                self.refuse(f"{at}.{name}", f"There is no such measure. Known: {', '.join(self.measures)}.")
        known = {name: self.measures[name] for name in given if name in self.measures}
        return {
            name: bounds
            for name, measure in known.items()
            if (bounds := self._pair(f"{at}.{name}", given[name], measure))
        }

    def _pair(self, at: str, given: object, measure: Measure) -> tuple[float, float] | None:
        is_pair = isinstance(given, list) and len(given) == 2 and all(_is_number(each) for each in given)
        if not is_pair or not measure.low <= given[0] <= given[1] <= measure.high:  # type: ignore[index]
            self.refuse(at, f"Give two numbers from {measure.low:g} to {measure.high:g}, the lower one first.")
            return None
        return float(given[0]), float(given[1])  # type: ignore[index]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
