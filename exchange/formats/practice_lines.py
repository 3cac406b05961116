"""Practice items from a file of JSON lines: texts, the right numbers, and the feedback.

All errors are reported at once, with their lines. See docs/formats.md for the keys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import floor, isfinite
from pathlib import Path
from typing import Any

from annotation.actions.practising import MOST_ITEMS
from annotation.models import PracticeItem
from annotation.protocols.base import Measure, Protocol
from campaigns.actions.text_guidance import INSTRUCTION_LIMIT
from campaigns.models import Document, Segment, TestSet
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.practice_marks import mark_rules, read_expected_marks
from exchange.formats.questions import checked_question
from exchange.reading import ImportFileError, Line, SourceFile

KEYS = {"source", "reference", "translations", "expected", "better", "accepted", "marks", "feedback", "beside"}
KEYS_OF_SCREEN = {"instruction", "skippable"}
KEYS_OF_RIGHT = {"expected", "better", "accepted", "marks"}
MOST_ROWS = 20  # on a screen
LONGEST_TEXT = 100_000


@dataclass(frozen=True)
class _Campaign:
    """What the items are for."""

    protocol: Protocol[Any]
    test_set: TestSet | None


def practice_item(record: Mapping[str, Any], protocol: Protocol[Any], test_set: TestSet) -> PracticeItem:
    """One item that was not read from a file, checked like a line; raises ImportFileError."""
    problems = Problems()
    items = list(_screen(Line("", None, problems), record, _Campaign(protocol, test_set)))
    if problems.count:
        raise ImportFileError(problems=problems)
    return items[0]


def read_practice(
    path: Path, name: str, protocol: Protocol[Any], test_set: TestSet | None = None
) -> list[PracticeItem]:
    """Raises ImportFileError with everything that does not fit the campaign's protocol or its test set."""
    campaign = _Campaign(protocol, test_set)
    problems = Problems()
    file = SourceFile(path, name, problems)
    records: list[PracticeItem] = []
    try:
        file.check_is_text()
        for line, values in file.json_objects():
            records += _screen(line, values, campaign)
    except UnreadableFileError:
        pass
    if len(records) > MOST_ITEMS:
        problems.add(name, None, "", f"{len(records)} items. Give at most {MOST_ITEMS}.")
    if not records and not problems.count:
        problems.add(name, None, "", "The file has no items. Write one on each line.")
    if problems.count:
        raise ImportFileError(problems=problems)
    return records


@dataclass(frozen=True)
class _SegmentLine(Line):
    """A segment of a screen: its number goes before the key that a problem names."""

    place: int = 0

    def refuse(self, column: str, message: str, value: str = "", *, is_fatal: bool = False) -> bool:
        return super().refuse(f"segments.{self.place}.{column}", message, value, is_fatal=is_fatal)


def _screen(line: Line, record: Mapping[str, Any], campaign: _Campaign) -> Iterator[PracticeItem]:
    """The items of a line: one, or under `segments` those that are shown together."""
    before = line.problems.count
    about = {key: value for key, value in record.items() if key in KEYS_OF_SCREEN}
    instruction, may_skip = about.get("instruction", ""), about.get("skippable", True)
    if not isinstance(instruction, str) or len(instruction) > INSTRUCTION_LIMIT:
        line.refuse("instruction", f"This must be a text of at most {INSTRUCTION_LIMIT} characters.")
    if not isinstance(may_skip, bool):
        line.refuse("skippable", "This must be true or false.")
    if "segments" in record:
        items = _segments(line, record, campaign)
    else:
        own = {key: value for key, value in record.items() if key not in KEYS_OF_SCREEN}
        items = list(_PracticeLine(line, campaign).records(own))
    if line.problems.count > before:
        return
    for row, item in enumerate(items, start=1):
        item.row, item.may_skip = row, may_skip
        item.instruction = instruction if row == 1 else ""
        yield item


def _segments(line: Line, record: Mapping[str, Any], campaign: _Campaign) -> list[PracticeItem]:
    known = {"segments", "feedback", *KEYS_OF_SCREEN}
    for key in sorted(set(record) - known):
        line.refuse(key, f"Unknown key beside `segments`. Known: {', '.join(sorted(known))}.")
    segments = record["segments"]
    if campaign.protocol.reads_once:
        line.refuse("segments", "This protocol asks about a whole text. Write it as one item, without `segments`.")
        return []
    are_objects = isinstance(segments, list) and all(isinstance(each, dict) for each in segments)
    if not are_objects or not 1 <= len(segments) <= MOST_ROWS:
        line.refuse("segments", f"Give a list of 1 to {MOST_ROWS} segments, each an object like a line of its own.")
        return []
    feedback = record.get("feedback") or ""
    is_text = isinstance(feedback, str) and len(feedback) <= LONGEST_TEXT
    if not is_text:
        line.refuse("feedback", f"This must be a text of at most {LONGEST_TEXT} characters.")
    items: list[PracticeItem] = []
    for number, each in enumerate(segments, start=1):
        own = _SegmentLine(line.file, line.number, line.problems, number)
        items += _PracticeLine(own, campaign, is_explained=bool(feedback)).records(each)
        if items and set(items[0].slots) != set(items[-1].slots):
            own.refuse("translations", "All segments of a screen need the same labels.")
    if items and is_text:
        items[-1].feedback = "\n\n".join(filter(None, (items[-1].feedback, feedback)))
    return items


class _PracticeLine:
    """One line, or a segment of one, while it is checked. `is_explained`: the screen's words say what is right."""

    def __init__(self, line: Line, campaign: _Campaign, *, is_explained: bool = False) -> None:
        self.line, self.test_set, self.is_explained = line, campaign.test_set, is_explained
        self.protocol = protocol = campaign.protocol
        level = "document" if protocol.reads_once else "segment"
        self.measures = {each.name: each for each in protocol.measures if each.level == level}
        self.keys = KEYS | ({"questions"} if protocol.asks_questions else set())

    def records(self, record: Mapping[str, Any]) -> Iterator[PracticeItem]:
        before = self.line.problems.count
        for key in sorted(set(record) - self.keys):
            self.line.refuse(key, f"Unknown key. Known: {', '.join(sorted(self.keys))}.")
        source = self._text(record, "source", is_needed=self.protocol.shows_source)
        reference = self._text(record, "reference", is_needed=self.protocol.shows_reference)
        feedback = self._text(record, "feedback", is_needed=False)
        slots = self._slots(record.get("translations"))
        expected = self._expected(record["expected"], slots) if "expected" in record else {}
        better = self._better(record["better"], slots) if "better" in record else {}
        accepted = self._accepted(record["accepted"], slots) if "accepted" in record else {}
        marks = read_expected_marks(record["marks"], slots, self.protocol, self.line) if "marks" in record else {}
        if not (KEYS_OF_RIGHT & set(record) or feedback or self.is_explained):
            self.line.refuse("expected", self._what_to_say())
        questions = self._questions(record.get("questions")) if self.protocol.asks_questions else []
        place = self._place(record["beside"]) if record.get("beside") is not None else {}
        if self.line.problems.count == before:
            texts = {"source": source, "reference": reference, "slots": slots, "feedback": feedback}
            right = {"expected": expected, "better": better, "accepted": accepted, "marks": marks}
            yield PracticeItem(**texts, **right, **place, questions=questions)

    def _place(self, value: object) -> dict[str, Document | Segment]:
        """Whose media, instruction and terms lie beside the item."""
        names = value if isinstance(value, dict) else {}
        example = 'Name a text of the test set, such as {"document": "ferry", "segment": "3"}, or the document alone.'
        if set(names) - {"segment"} != {"document"} or not all(isinstance(name, (str, int)) for name in names.values()):
            self.line.refuse("beside", example)
            return {}
        document = Document.objects.filter(test_set=self.test_set, name=str(names["document"])).first()
        if document is None:
            self.line.refuse("beside.document", "The test set has no such document.", str(names["document"]))
            return {}
        if "segment" not in names:
            return {"document": document}
        segment = document.segments.filter(name=str(names["segment"])).first()
        if segment is None:
            self.line.refuse("beside.segment", "The document has no such segment.", str(names["segment"]))
            return {}
        return {"document": document, "segment": segment}

    def _text(self, record: Mapping[str, Any], key: str, *, is_needed: bool) -> str:
        value = record.get(key) or ""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.line.refuse(key, f"This must be a text of at most {LONGEST_TEXT} characters.")
            return ""
        if is_needed and not value.strip():
            self.line.refuse(key, f"Empty {key}. Fill it in: the campaign shows it.")
        return value

    def _what_to_say(self) -> str:
        ways = ["`expected` (for each label and measure, the lowest and the highest right number)"]
        if _may_rank(self.protocol):
            ways.append("`better` (for each label, the labels that it is better than)")
        if mark_rules(self.protocol):
            ways.append("`marks` (for each label, the errors to mark)")
        if self.protocol.text_field:
            ways.append("`accepted` (for each label, the right corrections)")
        return f"Nothing says what is right. Give {' or '.join(ways)}, or `feedback` to read."

    def _slots(self, value: object) -> dict[str, str]:
        most = self.protocol.slots_per_item
        labels = [chr(ord("A") + place) for place in range(most)]
        count = len(value) if isinstance(value, dict) else 0
        if not isinstance(value, dict) or not min(2, most) <= count <= most or sorted(value) != labels[:count]:
            fewer = " (at least of the first 2)" if most > 2 else ""
            self.line.refuse("translations", f"Give an object with the texts of {', '.join(labels)}{fewer}.")
            return {}
        for label in labels[:count]:
            self._text(value, label, is_needed=False)
            if not isinstance(value[label], str) or not value[label].strip():
                self.line.refuse(f"translations.{label}", "Give a text that is not empty.")
        return {label: value[label] for label in labels[:count] if isinstance(value[label], str)}

    def _object(self, at: str, value: object, message: str) -> dict[str, Any]:
        if isinstance(value, dict) and value:
            return value
        self.line.refuse(at, message)
        return {}

    def _is_unknown(self, label: str, at: str, slots: Mapping[str, str]) -> bool:
        is_unknown = bool(slots) and label not in slots
        if is_unknown:
            self.line.refuse(at, f"Unknown label. Known: {', '.join(slots)}.")
        return is_unknown

    def _better(self, value: object, slots: Mapping[str, str]) -> dict[str, list[str]]:
        """For each label, the labels it is better than."""
        if not _may_rank(self.protocol):
            message = "This protocol does not say which translation is better. Use the other keys of what is right."
            self.line.refuse("better", message)
            return {}
        by_label = self._object("better", value, 'Give an object: {"A": ["B"]} where A is better than B.')
        for label, others in by_label.items():
            at = f"better.{label}"
            if self._is_unknown(label, at, slots):
                continue
            if not _listed(others) or not all(isinstance(other, str) and other in slots for other in others):
                self.line.refuse(at, "Give a list of other labels.")
            elif label in others or any(label in _listed(by_label.get(other)) for other in others):
                self.line.refuse(at, "Two translations cannot both be better than the other.")
        return {label: _listed(others) for label, others in by_label.items()}

    def _accepted(self, value: object, slots: Mapping[str, str]) -> dict[str, list[str]]:
        """For each label, the texts that are right corrections."""
        if not self.protocol.text_field:
            self.line.refuse("accepted", "This protocol does not correct text. Use `expected` to say what is right.")
            return {}
        by_label = self._object("accepted", value, "Give an object by label, with a list of right texts for each.")
        for label, texts in by_label.items():
            at = f"accepted.{label}"
            self._is_unknown(label, at, slots)
            if not _listed(texts) or not all(isinstance(text, str) and text.strip() for text in _listed(texts)):
                self.line.refuse(at, "Give a list of texts that are not empty.")
        return {label: _listed(texts) for label, texts in by_label.items()}

    def _questions(self, value: object) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
            self.line.refuse(
                "questions", "Give a list of questions, each an object with question, choices and accepted."
            )
            return []
        questions = []
        for number, entry in enumerate(value, start=1):
            question = checked_question(entry, self.line, needs_document=False)
            if question is not None:
                named = {"name": question.name or str(number), "text": question.text}
                questions.append({**named, "choices": list(question.choices), "accepted": list(question.accepted)})
        if len({each["name"] for each in questions}) < len(questions):
            self.line.refuse("questions", "Two questions have the same name. Rename one of them.")
        return questions

    def _expected(self, value: object, slots: Mapping[str, str]) -> dict[str, dict[str, tuple[float, float]]]:
        by_label = self._object("expected", value, self._what_to_say())
        return {label: bounds for label, own in by_label.items() if (bounds := self._bounds(label, own, slots))}

    def _bounds(self, label: str, value: object, slots: Mapping[str, str]) -> dict[str, tuple[float, float]]:
        at = f"expected.{label}"
        self._is_unknown(label, at, slots)
        known = f"Known: {', '.join(self.measures)}."
        bounds = {}
        for name, pair in self._object(at, value, f"Give an object by measure. {known}").items():
            if name not in self.measures:
                self.line.refuse(f"{at}.{name}", f"Unknown measure. {known}")
            elif low_and_high := self._pair(f"{at}.{name}", pair, self.measures[name]):
                bounds[name] = low_and_high
        return bounds

    def _pair(self, at: str, value: object, measure: Measure) -> tuple[float, float] | None:
        is_pair = isinstance(value, list) and len(value) == 2 and all(_is_number(each) for each in value)
        if not is_pair or not measure.low <= value[0] <= value[1] <= measure.high:  # type: ignore[index]
            self.line.refuse(at, f"Give two numbers from {measure.low:g} to {measure.high:g}, the lower one first.")
            return None
        return float(value[0]), float(value[1])  # type: ignore[index]


def practice_example(protocol: Protocol[Any]) -> dict[str, Any]:
    """A line for this protocol: one translation says the opposite of its source."""
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
    if rules := mark_rules(protocol):
        example["marks"] = {"A": [{"text": "enden", "severity": rules.severities[-1]}]}
    return example | {"feedback": "Resume is not end."}


def _may_rank(protocol: Protocol[Any]) -> bool:
    """By its preferences, or by its numbers."""
    return protocol.slots_per_item > 1 and bool(protocol.measures)


def _has_preferences(protocol: Protocol[Any]) -> bool:
    return any(measure.is_relative for measure in protocol.measures)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
