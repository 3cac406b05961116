"""Annotators by what they answered in questionnaires, or by a label of their crowd: for filters and slices of results.

A question is named by its questionnaire and its name: `entry.native`, `exit.effort`; a label as `label.country`. Labels
are like questions with the values that there are as choices. Nothing here is about fewer than two annotators, so that
no result is about one person's answer; therefore there is no `label.participant`.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

import numpy as np

from campaigns.form_questions import Choice, QuestionSpec, Value, as_text
from campaigns.models import Campaign, CrowdPlace, FormAnswer, FormKind, FormQuestion
from metrics.filters import EQUAL, LESS, MORE, UNEQUAL, Condition, is_answer

FEWEST = 2  # annotators
LABEL = "label"
MOST_VALUES = 5  # of numbers that are groups of their own; more are cut into three bands
_BANDS = (1 / 3, 2 / 3)


@dataclass(frozen=True)
class AnswerGroups:
    """`groups`: the names of the annotators of each answer, in the order of the question."""

    title: str
    groups: Mapping[str, frozenset[str]]


def questions_for_results(campaign: Campaign) -> dict[str, QuestionSpec]:
    """Those with an answer that can be compared, by name, then labels; two queries."""
    return {**_questions(_for_results(campaign)), **_labels(campaign)}


def _for_results(campaign: Campaign) -> "QuerySet[FormQuestion]":
    rows = FormQuestion.objects.filter(questionnaire__campaign=campaign).exclude(kind=FormKind.TEXT)
    return rows.select_related("questionnaire").order_by("questionnaire__moment", "position")


def _questions(rows: "QuerySet[FormQuestion]") -> dict[str, QuestionSpec]:
    return {f"{row.questionnaire.moment}.{row.name}": QuestionSpec.of(row) for row in rows}


def offered_questions(campaign: Campaign) -> dict[str, QuestionSpec]:
    """Of these, those that enough annotators answered, and labels that divide people; two queries."""
    answered = _for_results(campaign).annotate(answered=Count("answers")).filter(answered__gte=FEWEST)
    labels = {name: each for name, each in _labels(campaign).items() if len(each.choices) > 1}
    return {**_questions(answered), **labels}


def _labels(campaign: Campaign) -> dict[str, QuestionSpec]:
    """Each with the values that enough people have."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for labels in CrowdPlace.objects.filter(crowd__campaign=campaign).values_list("labels", flat=True):
        for name, value in labels.items():
            counts[name][value] += 1
    shared = {name: sorted(value for value, n in each.items() if n >= FEWEST) for name, each in sorted(counts.items())}
    return {
        f"{LABEL}.{name}": QuestionSpec(
            name, FormKind.SINGLE, f"{LABEL}.{name}", choices=tuple(Choice(value, value) for value in values)
        )
        for name, values in shared.items()
        if values
    }


def answer_groups(campaign: Campaign, by: str) -> AnswerGroups:
    """Annotators by their answer to a question; of any of several choices somebody may be in several groups."""
    question = questions_for_results(campaign).get(by)
    if question is None:
        return AnswerGroups("", {})
    answers = _answers(campaign, by)
    if question.kind == FormKind.NUMBER:
        groups = _bands(answers)
    elif question.kind == FormKind.SCALE:
        groups = {str(point): _of(answers, point) for point in question.points}
    else:
        groups = {each.label: _of(answers, each.name) for each in question.choices}
    return AnswerGroups(question.text, {label: who for label, who in groups.items() if len(who) >= FEWEST})


def _of(answers: Mapping[str, Value], chosen: Value) -> frozenset[str]:
    """Whose answer is the chosen one, or has it among others."""
    return frozenset(name for name, value in answers.items() if _has(value, chosen))


def _has(value: Value, chosen: Value) -> bool:
    return chosen in value if isinstance(value, list) else value == chosen


def _answers(campaign: Campaign, field: str) -> dict[str, Value]:
    """By annotator."""
    moment, _dot, name = field.partition(".")
    if moment == LABEL:
        places = CrowdPlace.objects.filter(crowd__campaign=campaign, labels__has_key=name)
        return {user: labels[name] for user, labels in places.values_list("membership__account__username", "labels")}
    place = {"question__questionnaire__campaign": campaign, "question__questionnaire__moment": moment}
    answers = FormAnswer.objects.filter(**place, question__name=name).order_by()
    return dict(answers.values_list("annotator__username", "value"))


def _bands(answers: Mapping[str, Value]) -> dict[str, frozenset[str]]:
    """Each number where there are few, else thirds: ties stay together, so that bands may differ in size."""
    numbers = {name: float(value) for name, value in answers.items() if isinstance(value, int | float)}
    distinct = sorted(set(numbers.values()))
    if len(distinct) <= MOST_VALUES:
        return {as_text(each): _of(numbers, each) for each in distinct}
    low, high = (float(np.quantile(list(numbers.values()), share, method="inverted_cdf")) for share in _BANDS)
    named = {"low": as_text(low), "high": as_text(high)}
    bands = {
        _("%(low)s or less") % named: (-math.inf, low),
        _("more than %(low)s, up to %(high)s") % named: (low, high),
        _("more than %(high)s") % named: (high, math.inf),
    }
    return {
        label: frozenset(name for name, value in numbers.items() if above < value <= end)
        for label, (above, end) in bands.items()
    }


def annotators_meeting(campaign: Campaign, conditions: Iterable[Condition]) -> frozenset[str] | None:
    """Who answered as all conditions say; None without any. Who gave no answer meets no condition on it."""
    sets = []
    for each in conditions:
        if is_answer(each.field):
            answers = _answers(campaign, each.field)
            sets.append(frozenset(name for name, value in answers.items() if _meets(value, each)))
    return frozenset.intersection(*sets) if sets else None


def _meets(value: Value, condition: Condition) -> bool:
    if condition.operator in (LESS, MORE):
        number, bound = float(value) if isinstance(value, int | float) else math.nan, _number(condition.value)
        return number < bound if condition.operator == LESS else number > bound
    is_equal = value == _number(condition.value) if isinstance(value, int | float) else _has(value, condition.value)
    return is_equal == (condition.operator == EQUAL)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def by_problems(campaign: Campaign, by: str) -> list[str]:
    """Of slices by an answer."""
    return _unknown([by], questions_for_results(campaign)) if is_answer(by) else []


def answer_problems(campaign: Campaign, conditions: Sequence[Condition]) -> list[str]:
    """Unknown questions and values, comparisons that a question does not have, and results about one person."""
    own = [each for each in conditions if is_answer(each.field)]
    if not own:
        return []
    known = questions_for_results(campaign)
    problems = _unknown(list(dict.fromkeys(each.field for each in own)), known)
    for each in own:
        if question := known.get(each.field):
            problems += _problems_of(each, question)
    if any(each.field == "annotator" for each in conditions):
        problems.append(_("Use either annotator or answers in a filter: no result is about one person's answer."))
    if not problems:
        meeting = annotators_meeting(campaign, own)
        if meeting is not None and 0 < len(meeting) < FEWEST:
            problems.append(_("Only one annotator answered so. Results by answers are of two annotators or more."))
    return problems


def _problems_of(condition: Condition, question: QuestionSpec) -> list[str]:
    shown = {"name": condition.field, "value": condition.value}
    if question.has_choices:
        names = [each.name for each in question.choices]
        if condition.operator not in (EQUAL, UNEQUAL):
            shown |= {"operator": condition.operator, "known": f"{EQUAL} {UNEQUAL}"}
            return [_("“%(operator)s” is not possible with %(name)s. Allowed: %(known)s.") % shown]
        if condition.value not in names:
            shown |= {"known": ", ".join(names)}
            return [_("Unknown %(name)s “%(value)s”. There are: %(known)s.") % shown]
    elif math.isnan(_number(condition.value)):
        return [_("%(name)s is a number, not “%(value)s”.") % shown]
    return []


def _unknown(fields: Sequence[str], known: Mapping[str, QuestionSpec]) -> list[str]:
    message = _(
        "No question or label of this campaign is called “%(name)s”, or it asks for a text. There are: %(known)s."
    )
    names = ", ".join(known) or _("none")
    return [message % {"name": field, "known": names} for field in fields if field not in known]
