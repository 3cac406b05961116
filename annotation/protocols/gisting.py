"""Gisting: comprehension questions answered from one text alone (Berka et al. 2011; Scarton and Specia 2016)."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, check_fields, csv_columns, parse_slots
from annotation.protocols.base import (
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownQuestion,
    SlotScore,
    option,
)

LONGEST_ANSWER = 1_000


@dataclass(frozen=True)
class GistingOptions(ProtocolOptions):
    """The systems' translations are always read; source and reference only if the options say so."""

    read_source: bool = option(
        False,
        label=gettext_lazy("Also use the source as one of the texts to read"),
        hint=gettext_lazy("Every annotator gets it for some documents, so all of them must know its language."),
    )
    read_reference: bool = option(
        False,
        label=gettext_lazy("Also use the reference as one of the texts to read"),
        hint=gettext_lazy("A human translation among the systems is read anyway."),
    )
    when_asked: str = option(
        "while_reading",
        label=gettext_lazy("When to ask the questions"),
        choices=(
            ("while_reading", gettext_lazy("while reading, next to the text")),
            ("after_reading", gettext_lazy("after reading, from memory")),
        ),
    )


@dataclass(frozen=True)
class Gisting(Protocol[GistingOptions]):
    """All questions on a document, answered by an annotator who reads it once, in one version."""

    name: ClassVar[str] = "gisting"
    title: ClassVar = gettext_lazy("Comprehension")
    description: ClassVar = gettext_lazy(
        "Answer questions on each document from one translation alone. Nobody reads a document twice."
    )
    seconds_per_item: ClassVar[int] = 180
    options_class: ClassVar = GistingOptions
    control_kinds: ClassVar[frozenset[str]] = frozenset()
    reads_once: ClassVar[bool] = True
    asks_questions: ClassVar[bool] = True
    # no published value: the worst case, half of all questions answered
    expected_scatter: ClassVar = ExpectedScatter(0.5, is_share=True, by_document=True)
    methods_sentence: ClassVar[str] = (
        "Annotators answered comprehension questions on each document after reading it in one version "
        "({scarton-2016-reading})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Right answers, and out of how many."""
        count: Any = {"unit": _("questions"), "low": 0, "high": inf, "higher_is_better": True, "level": "document"}
        return (
            Measure("correct", _("Correct answers"), **count),
            Measure("asked", _("Questions asked"), **count, is_count=True, is_compared=False),
        )

    @property
    def shows_source(self) -> bool:
        return False

    @property
    def stand_ins(self) -> tuple[str, ...]:
        read = {"source": self.options.read_source, "reference": self.options.read_reference}
        return tuple(name for name, is_read in read.items() if is_read)

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        return parse_slots(
            payload,
            item,
            ("answers",),
            lambda values, _slot, at, envelope: {
                "answers": _checked_answers(values.get("answers"), item, f"{at}.answers", envelope)
            },
        )

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        scores = []
        for label, values in sorted(answer.slots.items()):
            right = sum(is_right(question, values["answers"].get(question.name)) for question in item.questions)
            scores.append(SlotScore(label, "correct", float(right)))
            scores.append(SlotScore(label, "asked", float(len(item.questions))))
        return Observation(scores=tuple(scores))

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(answer, lambda values: values["answers"])


def is_right(question: ShownQuestion, answer: object) -> bool:
    """A choice must equal an accepted one; a typed answer follows the rule of short answers."""
    if not isinstance(answer, str):
        return False
    if question.choices:
        return answer in question.accepted
    return normal_form(answer) in {normal_form(accepted) for accepted in question.accepted}


def normal_form(text: str) -> str:
    """The form of a typed answer by which it is graded, whatever the way it was typed.

    Compatibility forms, letter case, invisible signs and the script of digits make no difference, nor do white space
    and punctuation at the ends. Accents and word order do.

    >>> normal_form(" “100  Metres.” ") == normal_form("١٠٠ metres")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(_digit(sign) for sign in folded if unicodedata.category(sign) != "Cf")
    words = " ".join(seen.split())
    first, last = 0, len(words)
    while first < last and _is_edge(words[first]):
        first += 1
    while last > first and _is_edge(words[last - 1]):
        last -= 1
    return words[first:last]


def _digit(sign: str) -> str:
    value = unicodedata.decimal(sign, None)
    return sign if value is None else str(value)


def _is_edge(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign).startswith("P")


def _checked_answers(value: object, item: ShownItem, at: str, envelope: Envelope) -> dict[str, str]:
    """As entered, in the order of the questions."""
    known = [question.name for question in item.questions]
    if value is not None and not isinstance(value, Mapping):
        envelope.refuse(at, _("This must be a JSON object."))
        return {}
    answers = check_fields(value or {}, known, at, envelope)
    return {question.name: _checked(answers.get(question.name), question, at, envelope) for question in item.questions}


def _checked(value: object, question: ShownQuestion, at: str, envelope: Envelope) -> str:
    field = f"{at}.{question.name}"
    if value is None:
        envelope.refuse(field, _("Not answered."))
    elif not isinstance(value, str):
        envelope.refuse(field, _("The answer must be text."))
    elif question.choices and value not in question.choices:
        envelope.refuse(field, _("Choose one of the answers offered."))
    elif len(value) > LONGEST_ANSWER:
        envelope.refuse(field, _("The answer may have at most %(limit)d characters.") % {"limit": LONGEST_ANSWER})
    elif "\x00" in value:
        envelope.refuse(field, _("The text contains an invalid character (NUL)."))
    else:
        return value
    return ""
