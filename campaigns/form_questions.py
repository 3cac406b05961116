"""A question of a questionnaire as its organiser describes it, whatever of it is wrong, and which answers it takes."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns.models import FormKind, FormQuestion
from campaigns.reading.problems import text_error

MOST_QUESTIONS = 100
MOST_CHOICES = 50
MOST_POINTS = 11  # of a scale: that many fit on a phone
NAME_LIMIT = 40
TEXT_LIMIT = 1_000
LABEL_LIMIT = 200
END_LIMIT = 100
CONSENT_LIMIT = 10_000
LONGEST_ANSWER = 5_000
USUAL_LENGTH = 1_000
HIGHEST = 1e12
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
Value = str | int | float | list[str]


class AnswerError(Exception):
    """An answer that its question does not take: a sentence for who gave it."""


@dataclass(frozen=True)
class Choice:
    name: str
    label: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "label": self.label}


@dataclass(frozen=True)
class QuestionSpec:
    """`choices` of a single or multiple choice; `low` and `high` of a scale or a number; `longest` of a text.

    `screens_out`: answers that do not qualify, as names of choices or points of a scale. Annotators never receive it.
    """

    name: str
    kind: str
    text: str
    help: str = ""
    is_required: bool = True
    choices: tuple[Choice, ...] = ()
    low: float | None = None
    high: float | None = None
    low_label: str = ""
    high_label: str = ""
    longest: int | None = None
    screens_out: tuple[str, ...] = ()

    @staticmethod
    def of(row: FormQuestion) -> "QuestionSpec":
        names = QuestionSpec.__dataclass_fields__
        values = {name: getattr(row, name) for name in names if name not in ("choices", "screens_out")}
        choices = tuple(Choice(each["name"], each["label"]) for each in row.choices)
        return QuestionSpec(**values, choices=choices, screens_out=tuple(row.screens_out))

    def as_row(self) -> dict[str, Any]:
        """The fields of its row."""
        choices = [each.as_json() for each in self.choices]
        return {**vars(self), "choices": choices, "screens_out": list(self.screens_out)}

    @property
    def has_choices(self) -> bool:
        return self.kind in (FormKind.SINGLE, FormKind.MULTIPLE)

    @property
    def points(self) -> range:
        return range(int(self.low or 0), int(self.high or 0) + 1)

    @property
    def most_characters(self) -> int:
        return self.longest or USUAL_LENGTH

    @property
    def structure(self) -> tuple[object, ...]:
        """What answers depend on: it stays as it is once anybody has answered."""
        names = tuple(each.name for each in self.choices)
        return self.name, self.kind, self.is_required, names, self.low, self.high, self.longest, self.screens_out

    @property
    def possible(self) -> list[str]:
        """The answers that `screens_out` may name."""
        if self.kind == FormKind.SCALE and self.low is not None and self.high is not None:
            return [str(point) for point in self.points[: MOST_POINTS + 1]]
        return [each.name for each in self.choices] if self.has_choices else []

    def screens(self, value: "Value | None") -> bool:
        """Whether this answer does not qualify."""
        several = value if isinstance(value, list) else [] if value is None else [as_text(value)]
        return not set(self.screens_out).isdisjoint(several)

    def label_of(self, value: Value) -> str:
        """An answer in words."""
        if isinstance(value, list):
            return ", ".join(self.label_of(each) for each in value)
        return next((each.label for each in self.choices if each.name == value), as_text(value))

    def parse(self, value: object) -> Value | None:
        """The answer as it is stored, None where there is none. Raises AnswerError."""
        if isinstance(value, str):
            value = value.strip()
        if value is None or value in ("", []):
            if self.is_required:
                raise AnswerError(_("Please answer this question."))
            return None
        return _PARSERS[self.kind](self, value)


def as_text(value: Value) -> str:
    """3.0 is 3."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return "|".join(value) if isinstance(value, list) else str(value)


def _one_of(question: QuestionSpec, value: object) -> str:
    if not isinstance(value, str) or value not in {each.name for each in question.choices}:
        raise AnswerError(_("Choose one of the choices of this question."))
    return value


def _some_of(question: QuestionSpec, value: object) -> list[str]:
    """In the order of the question."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise AnswerError(_("Choose among the choices of this question."))
    if unknown := set(value) - {each.name for each in question.choices}:
        message = _("This question has no choice “%(name)s”.")
        raise AnswerError(message % {"name": min(unknown)[:80]})
    return [each.name for each in question.choices if each.name in value]


def _point(question: QuestionSpec, value: object) -> int:
    number = _as_number(value)
    if number is None or number not in question.points:
        ends = {"low": question.points[0], "high": question.points[-1]}
        raise AnswerError(_("Choose a point from %(low)d to %(high)d.") % ends)
    return int(number)


def _number(question: QuestionSpec, value: object) -> float | int:
    number = _as_number(value)
    if number is None or abs(number) > HIGHEST:
        raise AnswerError(_("Write a number, such as 12 or 2.5."))
    if question.low is not None and number < question.low:
        raise AnswerError(_("The lowest possible number is %(number)s.") % {"number": as_text(question.low)})
    if question.high is not None and number > question.high:
        raise AnswerError(_("The highest possible number is %(number)s.") % {"number": as_text(question.high)})
    return int(number) if number.is_integer() else number


def _as_number(value: object) -> float | None:
    """Also as somebody types it, with a comma."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value.replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _words(question: QuestionSpec, value: object) -> str:
    if not isinstance(value, str):
        raise AnswerError(_("Write a text."))
    if error := text_error(value):
        raise AnswerError(error)
    if len(value) > question.most_characters:
        shown = {"most": question.most_characters, "number": len(value)}
        raise AnswerError(_("An answer has at most %(most)d characters; this one has %(number)d.") % shown)
    return value


_PARSERS: Mapping[str, Callable[[QuestionSpec, object], Value]] = {
    FormKind.SINGLE: _one_of,
    FormKind.MULTIPLE: _some_of,
    FormKind.SCALE: _point,
    FormKind.TEXT: _words,
    FormKind.NUMBER: _number,
}


def with_names(questions: Sequence[QuestionSpec]) -> list[QuestionSpec]:
    """Questions without a name get one from their text, choices from their label; others keep theirs.

    Answers that do not qualify may be labels.
    """
    taken = {each.name for each in questions if each.name}
    named = []
    for place, question in enumerate(questions, start=1):
        name = question.name or _free(short_name(question.text) or f"question-{place}", taken)
        taken.add(name)
        choices = _named_choices(question.choices)
        by_label = {each.label.strip(): each.name for each in choices}
        screens_out = tuple(dict.fromkeys(by_label.get(each.strip(), each.strip()) for each in question.screens_out))
        named.append(replace(question, name=name, choices=choices, screens_out=screens_out))
    return named


def _named_choices(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    taken = {each.name for each in choices if each.name}
    named = []
    for place, choice in enumerate(choices, start=1):
        name = choice.name or _free(short_name(choice.label) or f"choice-{place}", taken)
        taken.add(name)
        named.append(replace(choice, name=name))
    return tuple(named)


def short_name(text: str) -> str:
    """A text in another script has no name in Latin letters."""
    return slugify(text)[:NAME_LIMIT].strip("-_")


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name[: NAME_LIMIT - 4]}-{number}"
    return free


def question_errors(question: QuestionSpec) -> Iterator[tuple[str, str]]:
    """Each field with what is wrong with it, all at once."""
    if len(question.name) > NAME_LIMIT or not _NAME.fullmatch(question.name):
        message = _("A name has at most %(most)d characters: small letters a to z, digits, - and _.")
        yield "name", message % {"most": NAME_LIMIT}
    if question.kind not in FormKind.values:
        yield "kind", _("Unknown kind. Allowed: %(known)s.") % {"known": ", ".join(FormKind.values)}
    if not question.text.strip():
        yield "text", _("Write the question.")
    limits = (("text", TEXT_LIMIT), ("help", TEXT_LIMIT), ("low_label", END_LIMIT), ("high_label", END_LIMIT))
    for field, most in limits:
        yield from ((field, error) for error in _text_errors(getattr(question, field), most))
    if question.kind not in FormKind.values:
        return  # choices and bounds are right or wrong for a kind
    yield from _choice_errors(question)
    yield from _bound_errors(question)
    yield from _screening_errors(question)
    if question.kind == FormKind.TEXT and not 1 <= question.most_characters <= LONGEST_ANSWER:
        yield "longest", _("Allow from 1 to %(most)d characters.") % {"most": LONGEST_ANSWER}


def _text_errors(text: str, most: int) -> Iterator[str]:
    if error := text_error(text):
        yield error
    if len(text) > most:
        yield _("At most %(most)d characters.") % {"most": most}


def _choice_errors(question: QuestionSpec) -> Iterator[tuple[str, str]]:
    if not question.has_choices:
        if question.choices:
            yield "choices", _("Only questions with choices have them.")
        return
    if not 2 <= len(question.choices) <= MOST_CHOICES:
        yield "choices", _("Write from 2 to %(most)d choices.") % {"most": MOST_CHOICES}
    names = [each.name for each in question.choices]
    labels = [each.label.strip() for each in question.choices]
    if len(set(names)) < len(names) or len(set(labels)) < len(labels):
        yield "choices", _("Two choices are the same.")
    for choice in question.choices:
        if len(choice.name) > NAME_LIMIT or not _NAME.fullmatch(choice.name):
            message = _("The name “%(name)s” of a choice has other characters than a to z, digits, - and _.")
            yield "choices", message % {"name": choice.name[:80]}
        if not choice.label.strip():
            yield "choices", _("A choice is empty.")
        if "|" in choice.label:
            yield "choices", _("A choice contains |, which divides choices in tables. Leave it out.")
        yield from (("choices", error) for error in _text_errors(choice.label, LABEL_LIMIT))


def _screening_errors(question: QuestionSpec) -> Iterator[tuple[str, str]]:
    if not question.screens_out:
        return
    if question.kind in (FormKind.TEXT, FormKind.NUMBER):
        yield "screens_out", _("Only answers of choices and scales can be marked as not qualifying.")
        return
    if unknown := [each for each in question.screens_out if each not in question.possible]:
        yield "screens_out", _("This question has no answer “%(name)s”.") % {"name": unknown[0][:80]}
    elif (
        question.kind != FormKind.MULTIPLE
        and question.is_required
        and set(question.possible) <= set(question.screens_out)
    ):
        yield "screens_out", _("Nobody would qualify. Leave out at least one answer.")


def _bound_errors(question: QuestionSpec) -> Iterator[tuple[str, str]]:
    bounds = {name: value for name in ("low", "high") if (value := getattr(question, name)) is not None}
    for name, value in bounds.items():
        if question.kind not in (FormKind.SCALE, FormKind.NUMBER):
            yield name, _("Only scales and numbers have a lowest and a highest value.")
        elif not math.isfinite(value) or abs(value) > HIGHEST:
            yield name, _("Write a number, such as 12 or 2.5.")
        elif question.kind == FormKind.SCALE and not float(value).is_integer():
            yield name, _("The ends of a scale are whole numbers.")
    if question.kind == FormKind.SCALE and len(bounds) < 2:
        yield "low", _("A scale needs a lowest and a highest value.")
    elif len(bounds) == 2 and not bounds["low"] < bounds["high"]:
        yield "high", _("The highest value must be above the lowest.")
    elif question.kind == FormKind.SCALE and bounds["high"] - bounds["low"] >= MOST_POINTS:
        yield "high", _("A scale has at most %(most)d points.") % {"most": MOST_POINTS}


def questionnaire_errors(questions: Sequence[QuestionSpec]) -> dict[tuple[int, str], list[str]]:
    """By the place of the question, from 0, and field; the place -1 is the questionnaire as a whole."""
    errors: dict[tuple[int, str], list[str]] = {}
    if len(questions) > MOST_QUESTIONS:
        errors[-1, "questions"] = [_("A questionnaire has at most %(most)d questions.") % {"most": MOST_QUESTIONS}]
    seen: Mapping[str, int] = {}
    for place, question in enumerate(questions):
        for field, message in question_errors(question):
            errors.setdefault((place, field), []).append(message)
        if question.name in seen:
            message = _("Question %(place)d has this name already.")
            errors.setdefault((place, "name"), []).append(message % {"place": seen[question.name] + 1})
        seen = {question.name: place, **seen}
    return errors
