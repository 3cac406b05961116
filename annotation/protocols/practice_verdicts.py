"""Expected answers in practice, and how an answer compares: by its protocol's numbers, preferences and texts."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.protocols.base import Answer, Measure, Observation, Protocol, ShownItem
from annotation.protocols.expected_marks import ExpectedMark
from annotation.protocols.mark_verdicts import MarkVerdict, mark_verdicts


@dataclass(frozen=True)
class NumberVerdict:
    """One range and the answer's value, which is None where the answer has no number."""

    slot: str
    measure: str
    low: float
    high: float
    value: float | None

    @property
    def is_right(self) -> bool:
        return self.value is not None and self.low <= self.value <= self.high


@dataclass(frozen=True)
class OrderVerdict:
    """Of two slots, which is the better one, and whether the answer had it so."""

    better: str
    worse: str
    is_right: bool


@dataclass(frozen=True)
class TextVerdict:
    """The accepted texts, and whether the answer equals one of them except for case, punctuation and spaces."""

    slot: str
    text: str
    accepted: Sequence[str]
    is_right: bool


@dataclass(frozen=True)
class Verdicts:
    """All verdicts on an item; without any, the item cannot be wrong."""

    numbers: Sequence[NumberVerdict] = ()
    orders: Sequence[OrderVerdict] = ()
    texts: Sequence[TextVerdict] = ()
    marks: Sequence[MarkVerdict] = ()

    @property
    def is_right(self) -> bool:
        verdicts: list[NumberVerdict | OrderVerdict | TextVerdict | MarkVerdict]
        verdicts = [*self.numbers, *self.orders, *self.texts, *self.marks]
        return all(verdict.is_right for verdict in verdicts)


def verdicts_on(
    answer: Answer,
    shown: ShownItem,
    protocol: Protocol[Any],
    *,
    expected: Mapping[str, Mapping[str, Sequence[float]]],
    better: Mapping[str, Sequence[str]],
    accepted: Mapping[str, Sequence[str]],
    marks: Mapping[str, Sequence[Mapping[str, Any]]],
) -> Verdicts:
    """Expectations by slot: a range for each measure, the slots that are worse, the accepted texts, the marks."""
    observation = protocol.observe(answer, shown)
    return Verdicts(
        numbers=list(_numbers(observation, protocol, expected)),
        orders=list(_orders(observation, protocol, better)),
        texts=list(_texts(answer, protocol, accepted)),
        marks=[
            verdict
            for slot, expected in marks.items()
            for verdict in mark_verdicts(slot, [*map(ExpectedMark.from_json, expected)], answer.slots.get(slot, {}))
        ],
    )


def _numbers(
    observation: Observation, protocol: Protocol[Any], expected: Mapping[str, Mapping[str, Sequence[float]]]
) -> Iterator[NumberVerdict]:
    values = {(score.slot, score.measure): score.value for score in observation.scores}
    titles = {measure.name: str(measure.title) for measure in protocol.measures}
    for slot, bounds in expected.items():
        for measure, (low, high) in bounds.items():
            yield NumberVerdict(slot, titles.get(measure, measure), low, high, values.get((slot, measure)))


def _orders(
    observation: Observation, protocol: Protocol[Any], better: Mapping[str, Sequence[str]]
) -> Iterator[OrderVerdict]:
    """By the protocol's preferences; where it has none, by its first measure."""
    outcomes = _by_number(observation, protocol.measures[0]) if protocol.measures else {}
    for one in observation.preferences:
        outcomes |= {(one.first, one.second): one.outcome, (one.second, one.first): -one.outcome}
    for first, others in better.items():
        for second in others:
            yield OrderVerdict(first, second, outcomes.get((first, second)) == 1)


def _by_number(observation: Observation, measure: Measure) -> dict[tuple[str, str], int]:
    sign = 1 if measure.higher_is_better else -1
    values = [(score.slot, sign * score.value) for score in observation.scores if score.measure == measure.name]
    return {(one, other): (first > second) - (first < second) for one, first in values for other, second in values}


def _texts(answer: Answer, protocol: Protocol[Any], accepted: Mapping[str, Sequence[str]]) -> Iterator[TextVerdict]:
    for slot, texts in accepted.items():
        edited = str(answer.slots.get(slot, {}).get(protocol.text_field, ""))
        yield TextVerdict(slot, edited, texts, words_of(edited) in [words_of(text) for text in texts])


def words_of(text: str) -> list[str]:
    """The words without what does not matter: case, punctuation, how letters are composed, how much space there is."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return "".join(" " if unicodedata.category(sign).startswith("P") else sign for sign in folded).split()
