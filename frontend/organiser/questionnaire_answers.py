"""Answers to a questionnaire as its organiser reads them: who has sent it, what they said, and each question's sum."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from campaigns.form_questions import QuestionSpec, Value, as_text
from campaigns.models import (
    Account,
    Campaign,
    FormAnswer,
    FormKind,
    Membership,
    Questionnaire,
    QuestionnaireReply,
    Role,
)
from campaigns.queries import questions_of
from exchange.tables.csv_and_json import as_time
from frontend.access import RUNS_IT, SignedInRequest, check_moment, get_questionnaire_in
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.downloads import csv_file

ON_A_PAGE = 200
TAB = "questionnaires"
BARS = 20  # values of numbers that are counted one by one; others are in bands


@dataclass(frozen=True)
class AnsweredRow:
    """`cells` are in the order of the questions, empty without an answer."""

    account: Account
    agreed_at: datetime | None
    sent_at: datetime | None
    cells: tuple[str, ...]
    screened_out_at: datetime | None = None


@dataclass(frozen=True)
class Distribution:
    """`counts` have a label, a count, and the share of those who answered."""

    question: QuestionSpec
    answered: int
    counts: Sequence[tuple[str, int, float]]
    summary: str


@campaign_view(RUNS_IT)
def answers(request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    check_moment(moment)
    form = get_questionnaire_in(campaign, moment)
    questions = questions_of(form)
    rows = list(_rows(form, questions, people_asked(campaign)[:ON_A_PAGE]))
    people = people_asked(campaign).count()
    context = {
        "questionnaire": form,
        "moment": moment,
        "questions": questions,
        "rows": rows,
        "people": people,
        "hidden": people - len(rows),
        "sent": form.replies.filter(sent_at__isnull=False).count(),
        "distributions": list(distributions(form, questions)),
    }
    return campaign_page(request, campaign, "organiser/questionnaire_answers.html", TAB, context)


@campaign_view(RUNS_IT)
def answers_csv(_request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    """A row for each annotator, a column for each question, named as in files."""
    check_moment(moment)
    form = get_questionnaire_in(campaign, moment)
    questions = questions_of(form)
    columns = ["annotator", "name", "agreed", "sent", "screened_out"]
    header = [*columns, *(f"{moment}.{each.name}" for each in questions)]
    rows = (
        [
            *(row.account.username, row.account.name),
            *map(as_time, (row.agreed_at, row.sent_at, row.screened_out_at)),
            *row.cells,
        ]
        for row in _rows(form, questions, people_asked(campaign), in_words=False)
    )
    return csv_file(f"{campaign.slug}-{moment}-answers", header, rows)


@campaign_view(RUNS_IT)
def distribution_csv(_request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    check_moment(moment)
    form = get_questionnaire_in(campaign, moment)
    rows = (
        [each.question.name, label, count, round(share, 4)]
        for each in distributions(form, questions_of(form))
        for label, count, share in each.counts
    )
    return csv_file(f"{campaign.slug}-{moment}-distribution", ["question", "answer", "annotators", "share"], rows)


def people_asked(campaign: Campaign) -> "QuerySet[Membership]":
    """With those who were removed, whose answers stay."""
    places = Membership.ever.filter(campaign=campaign, role=Role.ANNOTATOR, withdrawn_at=None, is_program=False)
    return places.select_related("account").order_by("account__username")


def _rows(
    form: Questionnaire, questions: Sequence[QuestionSpec], places: "QuerySet[Membership]", *, in_words: bool = True
) -> Iterator[AnsweredRow]:
    people = {place.account_id: place.account for place in places}
    replies = {reply.annotator_id: reply for reply in QuestionnaireReply.objects.filter(questionnaire=form)}
    stored: dict[tuple[int, str], Value] = {
        (annotator, name): value
        for annotator, name, value in FormAnswer.objects.filter(question__questionnaire=form)
        .order_by()
        .values_list("annotator_id", "question__name", "value")
    }
    for key, account in people.items():
        reply = replies.get(key)
        cells = []
        for question in questions:
            value = stored.get((key, question.name))
            words = question.label_of if in_words else as_text
            cells.append("" if value is None else words(value))
        agreed, sent = (reply.agreed_at, reply.sent_at) if reply else (None, None)
        yield AnsweredRow(account, agreed, sent, tuple(cells), reply.screened_out_at if reply else None)


def distributions(form: Questionnaire, questions: Sequence[QuestionSpec]) -> Iterator[Distribution]:
    by_question: dict[str, list[Any]] = {each.name: [] for each in questions}
    own = FormAnswer.objects.filter(question__questionnaire=form).order_by()
    for name, value in own.values_list("question__name", "value").iterator():
        by_question[name].append(value)
    for question in questions:
        yield _distribution(question, by_question[question.name])


def _distribution(question: QuestionSpec, values: Sequence[Any]) -> Distribution:
    """Texts are not counted."""
    if question.kind == FormKind.TEXT or not values:
        return Distribution(question, len(values), (), "")
    chosen = Counter(value for each in values for value in (each if isinstance(each, list) else [each]))
    if question.has_choices:
        places: list[tuple[str, int]] = [(each.label, chosen[each.name]) for each in question.choices]
    elif question.kind == FormKind.SCALE:
        places = [(str(point), chosen[point]) for point in question.points]
    else:
        places = [(as_text(value), count) for value, count in sorted(chosen.items())] if len(chosen) <= BARS else []
    counts = [(label, count, count / len(values)) for label, count in places]
    return Distribution(question, len(values), counts, "" if question.has_choices else _summary(values))


def _summary(values: Sequence[float]) -> str:
    shown = {
        "mean": _rounded(statistics.fmean(values)),
        "median": _rounded(statistics.median(values)),
        "low": as_text(min(values)),
        "high": as_text(max(values)),
    }
    return _("Mean %(mean)s, median %(median)s, from %(low)s to %(high)s") % shown


def _rounded(value: float) -> str:
    rounded = round(value, 2)
    return number_format(int(rounded) if rounded == int(rounded) else rounded)
