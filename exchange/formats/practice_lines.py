"""Practice items from a file of JSON lines: texts, the right numbers, and what to say about them.

Everything that is wrong is said at once, with its line. See docs/formats.md for the keys.
"""

from collections.abc import Iterator, Mapping
from math import floor, isfinite
from pathlib import Path
from typing import Any

from annotation.actions.practising import PracticeRecord
from annotation.protocols.base import Measure, Protocol
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.questions import checked_question
from exchange.reading import ImportFileError, check_is_text, json_objects

KEYS = {"source", "reference", "translations", "expected", "better", "accepted", "feedback"}
KEYS_OF_RIGHT = {"expected", "better", "accepted"}
MOST_ITEMS = 100
LONGEST_TEXT = 100_000


def read_practice(path: Path, name: str, protocol: Protocol[Any]) -> list[PracticeRecord]:
    """Raises ImportFileError with all that does not fit the campaign's protocol."""
    problems = Problems()
    records: list[PracticeRecord] = []
    try:
        check_is_text(path, name, problems)
        for line, found in json_objects(path, name, problems):
            records += _Line(line, name, protocol, problems).records(found)
    except UnreadableFileError:
        pass
    if len(records) > MOST_ITEMS:
        problems.add(name, None, "", f"There are {len(records)} items; practise with at most {MOST_ITEMS}.")
    if not records and not problems.count:
        problems.add(name, None, "", "The file holds no item.")
    if problems.count:
        raise ImportFileError(problems=problems)
    return records


class _Line:
    """One line while it is checked."""

    def __init__(self, line: int, name: str, protocol: Protocol[Any], problems: Problems) -> None:
        self.line, self.name = line, name
        self.protocol, self.problems = protocol, problems
        level = "document" if protocol.reads_once else "segment"
        self.measures = {each.name: each for each in protocol.measures if each.level == level}
        self.keys = KEYS | ({"questions"} if protocol.asks_questions else set())

    def refuse(self, key: str, message: str) -> None:
        self.problems.add(self.name, self.line, key, message)

    def records(self, found: Mapping[str, Any]) -> Iterator[PracticeRecord]:
        before = self.problems.count
        for key in sorted(set(found) - self.keys):
            self.refuse(key, f"There is no such key. Known: {', '.join(sorted(self.keys))}.")
        source = self._text(found, "source", is_needed=self.protocol.shows_source)
        reference = self._text(found, "reference", is_needed=self.protocol.shows_reference)
        feedback = self._text(found, "feedback", is_needed=False)
        slots = self._slots(found.get("translations"))
        expected = self._expected(found["expected"], slots) if "expected" in found else {}
        better = self._better(found["better"], slots) if "better" in found else {}
        accepted = self._accepted(found["accepted"], slots) if "accepted" in found else {}
        if not (KEYS_OF_RIGHT & set(found) or feedback):
            self.refuse("expected", self._what_to_say())
        questions = self._questions(found.get("questions")) if self.protocol.asks_questions else []
        if self.problems.count == before:
            yield PracticeRecord(source, reference, slots, expected, feedback, better, accepted, questions)

    def _text(self, found: Mapping[str, Any], key: str, *, is_needed: bool) -> str:
        value = found.get(key) or ""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(key, f"This must be a text of at most {LONGEST_TEXT} characters.")
            return ""
        if is_needed and not value.strip():
            self.refuse(key, f"The campaign shows the {key}: give it.")
        return value

    def _what_to_say(self) -> str:
        ways = ["by label and measure, from which number to which"]
        if _has_preferences(self.protocol):
            ways = ["or `better`, by label which others it is better than", *ways]
        if self.protocol.text_field:
            ways = ["or `accepted`, by label the right corrections", *ways]
        return f"Say what is right: {', '.join(reversed(ways))}; or give feedback to read."

    def _slots(self, given: object) -> dict[str, str]:
        most = self.protocol.slots_per_item
        labels = [chr(ord("A") + place) for place in range(most)]
        count = len(given) if isinstance(given, dict) else 0
        if not isinstance(given, dict) or not min(2, most) <= count <= most or sorted(given) != labels[:count]:
            fewer = ", or of the first of them, 2 at least" if most > 2 else ""
            self.refuse("translations", f"Give an object with the texts of {', '.join(labels)}{fewer}.")
            return {}
        for label in labels[:count]:
            self._text(given, label, is_needed=False)
            if not isinstance(given[label], str) or not given[label].strip():
                self.refuse(f"translations.{label}", "Give a text that is not empty.")
        return {label: given[label] for label in labels[:count] if isinstance(given[label], str)}

    def _better(self, given: object, slots: Mapping[str, str]) -> dict[str, list[str]]:
        """By label those it is better than."""
        if not _has_preferences(self.protocol):
            self.refuse("better", "This protocol puts nothing in order. Say what is right in `expected`.")
            return {}
        if not isinstance(given, dict) or not given:
            self.refuse("better", 'Give an object: {"A": ["B"]} where A is better than B.')
            return {}
        for label, others in given.items():
            at = f"better.{label}"
            if slots and label not in slots:
                self.refuse(at, "Nothing is shown under this label.")
            elif not _listed(others) or not all(isinstance(other, str) and other in slots for other in others):
                self.refuse(at, "Give a list of other labels.")
            elif label in others or any(label in _listed(given.get(other)) for other in others):
                self.refuse(at, "Of two translations one is better, not both.")
        return {label: list(others) for label, others in given.items() if isinstance(others, list)}

    def _accepted(self, given: object, slots: Mapping[str, str]) -> dict[str, list[str]]:
        """By label the texts that are right corrections."""
        if not self.protocol.text_field:
            self.refuse("accepted", "This protocol asks for no text. Say what is right in `expected`.")
            return {}
        if not isinstance(given, dict) or not given:
            self.refuse("accepted", "Give an object by label, with a list of right texts for each.")
            return {}
        for label, texts in given.items():
            at = f"accepted.{label}"
            if slots and label not in slots:
                self.refuse(at, "Nothing is shown under this label.")
            if not _listed(texts) or not all(isinstance(text, str) and text.strip() for text in _listed(texts)):
                self.refuse(at, "Give a list of texts that are not empty.")
        return {label: _listed(texts) for label, texts in given.items()}

    def _questions(self, given: object) -> list[dict[str, Any]]:
        if not isinstance(given, list) or not given or not all(isinstance(each, dict) for each in given):
            self.refuse("questions", "Give a list of questions, each an object with question, choices and accepted.")
            return []
        asked = []
        for number, found in enumerate(given, start=1):
            question = checked_question(found, self.line, self.name, self.problems, needs_document=False)
            if question is not None:
                kept = {"name": question.name or str(number), "text": question.text}
                asked.append({**kept, "choices": list(question.choices), "accepted": list(question.accepted)})
        if len({each["name"] for each in asked}) < len(asked):
            self.refuse("questions", "Two questions have one name.")
        return asked

    def _expected(self, given: object, slots: Mapping[str, str]) -> dict[str, dict[str, tuple[float, float]]]:
        if not isinstance(given, dict) or not given:
            self.refuse("expected", self._what_to_say())
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


def practice_example(protocol: Protocol[Any]) -> dict[str, Any]:
    """A line as the protocol would have it: one translation says the opposite of its source."""
    example: dict[str, Any] = {}
    if protocol.shows_source:
        example["source"] = "Talks resume on Friday."
    if protocol.shows_reference:
        example["reference"] = "Die Gespräche gehen am Freitag weiter."
    example["translations"] = {"A": "Die Gespräche enden am Freitag."}
    if protocol.slots_per_item > 1:
        example["translations"]["B"] = "Am Freitag wird wieder gesprochen."
    if protocol.asks_questions:
        example["questions"] = [{"question": "What happens on Friday?", "accepted": ["The talks end", "They end"]}]
        example["expected"] = {"A": {protocol.measures[0].name: [1, 1]}}
    elif _has_preferences(protocol):
        example["better"] = {"B": ["A"]}
    elif protocol.text_field:
        example["accepted"] = {"A": ["Die Gespräche gehen am Freitag weiter."]}
    else:
        measures = [measure for measure in protocol.measures if measure.level == "segment"]
        for measure in measures[:1] if all(isfinite(measure.high) for measure in measures) else ():
            example["expected"] = {"A": {measure.name: [measure.low, floor((measure.low + measure.high) / 2.5)]}}
    return example | {"feedback": "Resume is not end."}


def _has_preferences(protocol: Protocol[Any]) -> bool:
    return any(measure.is_relative for measure in protocol.measures)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
