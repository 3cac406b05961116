"""Filters of judgments: conditions joined by “and” over a listed set of fields, read without evaluating anything.

`domain = news and length > 100` is two conditions. A value with other characters than those of a name is in quotes;
a quote in it is doubled. `str` of a filter is its one canonical form: the same conditions, in the same order.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from metrics.statistics.mqm import plain_label

EQUAL, UNEQUAL, LESS, MORE = "=", "≠", "<", ">"
_EITHER = (EQUAL, UNEQUAL)
_WRITTEN = {"!=": UNEQUAL, "<>": UNEQUAL}
# Every field with the comparisons it allows, in the order of the canonical form.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "domain": _EITHER,
    "tag": _EITHER,
    "document": _EITHER,
    "length": (EQUAL, UNEQUAL, LESS, MORE),
    "annotator": _EITHER,
    "passed": _EITHER,
    "kind": _EITHER,
    "severity": _EITHER,
    "category": _EITHER,
}
# An answer of annotators, by questionnaire and question, or a label of a crowd's link; `metrics/answer_groups.py` knows
# which there are.
_ANSWER = re.compile(r"(?:entry|exit|label)\.[a-z0-9][a-z0-9_-]*")
ANSWERS = ("entry.NAME", "exit.NAME", "label.NAME")
OF_ERRORS = ("severity", "category")
# Fields whose values are the same in every campaign.
VALUES: Mapping[str, tuple[str, ...]] = {
    "passed": ("yes", "no"),
    "kind": ("regular", "repeat", "degraded", "reference"),
    "severity": ("neutral", "minor", "major", "critical"),
}
MOST_CHARACTERS = 1000
_LONGEST_LENGTH = 9  # digits
_AND = "and"
_TOKEN = re.compile(r'"(?P<quoted>(?:[^"]|"")*)"|(?P<operator>!=|<>|[=≠<>])|(?P<open>".*)|(?P<word>[^\s"=≠<>!]+|!)')
_BARE = re.compile(r"[\w./:+-]+")


def is_answer(field: str) -> bool:
    return _ANSWER.fullmatch(field) is not None


class FilterError(Exception):
    """All problems of a filter, one a line, each with the place of the character where it begins."""


@dataclass(frozen=True)
class Condition:
    """`value` is as in the campaign: for `length` a whole number, else a name."""

    field: str
    operator: str
    value: str

    def __str__(self) -> str:
        is_bare = _BARE.fullmatch(self.value) and self.value.casefold() != _AND
        value = self.value if is_bare else '"' + self.value.replace('"', '""') + '"'
        return f"{self.field} {self.operator} {value}"

    def admits(self, value: str) -> bool:
        """Of fields that are compared as names."""
        return (value == self.value) == (self.operator == EQUAL)


@dataclass(frozen=True)
class Filter:
    """Conditions that all have to be met; without any, nothing is left out. `kind` may name kinds that count."""

    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return f" {_AND} ".join(map(str, self.conditions))

    def __bool__(self) -> bool:
        return bool(self.conditions)

    def of(self, *fields: str) -> tuple[Condition, ...]:
        return tuple(each for each in self.conditions if each.field in fields)

    def rows(self, usual: tuple[str, ...]) -> tuple[str, ...]:
        """The kinds of judgments that make a system's value: the kind that is asked for, or the usual ones."""
        named = [each.value for each in self.of("kind") if each.operator == EQUAL]
        return tuple(dict.fromkeys(named)) or usual

    def renamed(self, names: Mapping[str, str]) -> "Filter":
        """With other names of annotators."""
        renamed = (
            replace(each, value=names.get(each.value, each.value)) if each.field == "annotator" else each
            for each in self.conditions
        )
        return _canonical(renamed)


@dataclass(frozen=True)
class _Token:
    """`place` counts characters from 1."""

    text: str
    place: int
    kind: str

    @property
    def joins(self) -> bool:
        return self.kind == "word" and self.text.casefold() == _AND


def read_filter(text: str) -> Filter:
    """The filter that a text describes. Raises FilterError with all problems."""
    if len(text) > MOST_CHARACTERS:
        shown = {"most": MOST_CHARACTERS, "number": len(text)}
        raise FilterError(_("A filter has at most %(most)d characters; this one has %(number)d.") % shown)
    problems: list[str] = []
    conditions = []
    for clause, end in _clauses(list(_tokens(text)), len(text)):
        problem_or_condition = _condition(clause, end)
        if isinstance(problem_or_condition, Condition):
            conditions.append(problem_or_condition)
        else:
            problems += problem_or_condition
    if problems:
        raise FilterError("\n".join(problems))
    return _canonical(conditions)


def canonical(text: str) -> str:
    """The canonical form; a text that is no filter is returned as it is, to be reported where it is read."""
    try:
        return str(read_filter(text))
    except FilterError:
        return text


def _canonical(conditions: Iterable[Condition]) -> Filter:
    order = list(FIELDS)
    once = dict.fromkeys(conditions)
    return Filter(tuple(sorted(once, key=lambda each: (_place(each.field, order), each.operator, each.value))))


def _place(field: str, order: list[str]) -> tuple[int, str]:
    """Answers come last, by name."""
    return (order.index(field), "") if field in order else (len(order), field)


def _tokens(text: str) -> Iterable[_Token]:
    for match in _TOKEN.finditer(text.replace("“", '"').replace("”", '"')):
        kind = str(match.lastgroup)
        value = match[kind]
        if kind == "quoted":
            value = value.replace('""', '"')
        yield _Token(_WRITTEN.get(value, value) if kind == "operator" else value, match.start() + 1, kind)


def _clauses(tokens: list[_Token], end: int) -> Iterable[tuple[list[_Token], int]]:
    """What stands between one “and” and the next, with the place where it ends; nothing of an empty text."""
    clause: list[_Token] = []
    for token in tokens:
        if token.joins:
            yield clause, token.place
            clause = []
        else:
            clause.append(token)
    if tokens:
        yield clause, end + 1


def _condition(clause: list[_Token], end: int) -> Condition | list[str]:
    """The condition, or its problems."""
    if not clause:
        return [_at(end, _("A condition is missing here, such as domain = news."))]
    field, *rest = clause
    name = field.text.casefold()
    problems = []
    if field.kind != "word" or (name not in FIELDS and not is_answer(name)):
        shown = {"name": field.text, "known": ", ".join((*FIELDS, *ANSWERS))}
        problems.append(_at(field.place, _("Unknown field “%(name)s”. Allowed: %(known)s.") % shown))
    allowed = FIELDS.get(name, (EQUAL, UNEQUAL, LESS, MORE))
    if not rest or rest[0].kind != "operator":
        place = rest[0].place if rest else end
        shown = {"known": " ".join(allowed), "name": field.text}
        return [*problems, _at(place, _("A comparison is missing after “%(name)s”: one of %(known)s.") % shown)]
    operator, values = rest[0], rest[1:]
    if operator.text not in allowed:
        shown = {"operator": operator.text, "name": name, "known": " ".join(allowed)}
        message = _("“%(operator)s” is not possible with %(name)s. Allowed: %(known)s.")
        problems.append(_at(operator.place, message % shown))
    problems += [_at(place, problem) for place, problem in _problems_of_value(name, operator, values, end)]
    if problems:
        return problems
    return Condition(name, operator.text, _VALUE_OF.get(name, str)(" ".join(each.text for each in values)))


def _problems_of_value(field: str, operator: _Token, values: list[_Token], end: int) -> Iterable[tuple[int, str]]:
    if not values:
        yield end, _("A value is missing after “%(operator)s”.") % {"operator": operator.text}
        return
    if second := next((each for each in values if each.kind == "operator"), None):
        yield second.place, _("“and” is missing before this second comparison.")
        return
    if unclosed := next((each for each in values if each.kind == "open"), None):
        yield unclosed.place, _("The closing quotation mark is missing.")
        return
    if len(values) > 1 and any(each.kind == "quoted" for each in values):
        yield values[1].place, _("“and” is missing after the value.")
        return
    value = " ".join(each.text for each in values)
    if field == "length" and not (value.isascii() and value.isdigit() and len(value) <= _LONGEST_LENGTH):
        yield values[0].place, _("length is a whole number of characters, not “%(value)s”.") % {"value": value}
    if field in VALUES and value.casefold() not in VALUES[field]:
        shown = {"name": field, "value": value, "known": ", ".join(VALUES[field])}
        yield values[0].place, _("Unknown %(name)s “%(value)s”. There are: %(known)s.") % shown


_VALUE_OF: Mapping[str, Callable[[str], str]] = {
    "length": lambda value: str(int(value)),
    "category": plain_label,
    **dict.fromkeys(VALUES, str.casefold),
}


def _at(place: int, problem: str) -> str:
    return _("At character %(place)d: %(problem)s") % {"place": place, "problem": problem}
