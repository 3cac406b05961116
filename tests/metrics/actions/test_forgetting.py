"""Forgetting somebody touches all that is theirs, and nothing else; elsewhere and of others everything stays."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.utils import timezone

import pytest
from axes.models import AccessAttempt
from pytest_django import Settings

from annotation.actions.claiming import claim_assignment
from annotation.actions.decisions import adjudicate, exclude_annotator
from annotation.actions.returning import return_assignment
from annotation.actions.status import set_status
from annotation.actions.submitting import NotTheirsAnyMore, report_problem, save_draft, submit_judgment
from annotation.models import (
    Adjudication,
    Assignment,
    AssignmentStatus,
    Draft,
    ErrorSpan,
    Item,
    Judgment,
    PracticeAnswer,
    PracticeItem,
    ProblemReport,
    Score,
)
from annotation.queries.progress import progress_of
from campaigns.actions.campaign_drafts import keep_campaign_draft
from campaigns.actions.forgetting import choose_on_withdrawal
from campaigns.actions.memberships import give_consent
from campaigns.actions.tokens import make_api_token
from campaigns.invalid_input import AccountError
from campaigns.models import Account, AuditEntry, Campaign, Membership, Role, TestSet, Withdrawal
from exchange.archive.writing import write_archive
from exchange.exports import export_rows
from jobs.actions import perform_now
from jobs.models import Run
from metrics.actions.forgetting import forget_expired, forget_person, withdraw_consent
from metrics.progress.overview import overview_of
from metrics.queries import has_newer_evidence
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, fetched, items_to_judge, judge, make_planned_campaign, score_of, take

NAME = "zelda-quist"  # as nothing else is called
COMMENT = "something only she would say"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=2)


@pytest.fixture
def zelda(campaign: Campaign) -> Account:
    account = make_person(NAME, "Zelda Quist")
    Account.objects.filter(pk=account.pk).update(email="zelda@example.org", made_for=campaign)
    account.refresh_from_db()
    add_annotator(campaign, account)
    return account


@pytest.fixture
def judged(campaign: Campaign, zelda: Account, cast: Cast) -> Assignment:
    """One of everything that a person leaves behind: judged, revised, drafted, reported, practised, decided on."""
    mine, others = take(campaign, zelda), take(campaign, cast.annotator)
    first, second, third, *_ = items_to_judge(mine)
    for item in (first, second):
        judge(item, 80, payload=score_of(80, comment=COMMENT))
    judge(first, 60, base_revision=1)
    save_draft(item=third, answer=score_of(33, comment=COMMENT), base_revision=0)
    report_problem(item=third, annotator=zelda, reason="other", note=COMMENT)
    for item in items_to_judge(others):
        judge(item, 40)
    exclude_annotator(campaign=campaign, annotator=zelda, reason=f"{COMMENT}, said Zelda.", by=cast.organiser)
    answer = Judgment.objects.filter(item=first, is_current=True).get()
    output = answer.scores.first()
    assert output is not None
    assert output.translation is not None
    adjudicate(
        campaign=campaign, translation=output.translation, answered={"score": 60}, reason="As she has it.",
        by=cast.organiser, based_on=answer,
    )  # fmt: skip
    practice = PracticeItem.objects.create(campaign=campaign, position=1, source="One.", slots={"A": "Eins."})
    PracticeAnswer.objects.create(
        item=practice, annotator=zelda, attempt=1, client_id=uuid.uuid4(), answer=score_of(1), is_right=True
    )
    make_api_token(account=zelda, name="hers", by=zelda)
    keep_campaign_draft(account=zelda, values={})
    AccessAttempt.objects.create(username=NAME, ip_address="10.1.1.1", failures_since_start=1)
    perform_now(kind="analysis", campaign=campaign, arguments={"options": {}}, created_by=cast.organiser)
    return Assignment.objects.get(pk=mine.pk)


def everything_stored(*, but: tuple[str, ...] = ()) -> str:
    """Every row of every table of ours, as text."""
    rows: list[Any] = []
    for model in apps.get_models():
        if model._meta.label not in but:
            rows += [f"{model._meta.label} {values}" for values in values_of(model)]
    return "\n".join(rows)


def values_of(model: type[Model]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608 - our own tables
        return [json.dumps(row, default=str, ensure_ascii=False) for row in cursor.fetchall()]


def others_answers(campaign: Campaign, cast: Cast) -> list[Any]:
    own = Judgment.objects.filter(item__assignment__campaign=campaign, annotator=cast.annotator)
    return list(own.order_by("pk").values_list("pk", "answer", "submitted_at"))


def test_erasing_leaves_nothing_of_a_person_in_any_table(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    before, key = others_answers(campaign, cast), zelda.pk
    assert NAME in everything_stored()
    assert COMMENT in everything_stored()
    done = forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    assert (done.campaigns, done.numbers, done.has_no_account) == ((campaign,), (), True)
    stored = everything_stored()
    for word in (NAME, "Zelda", "zelda@example.org", COMMENT, "10.1.1.1"):
        assert word not in stored
    assert not Account.objects.filter(pk=key).exists()
    assert Adjudication.objects.count() == Draft.objects.count() == ProblemReport.objects.count() == 0
    assert PracticeAnswer.objects.count() == 0
    assert others_answers(campaign, cast) == before
    entry = AuditEntry.objects.get(action="person_erased")
    assert (entry.actor, entry.campaign, entry.detail) == (cast.organiser, campaign, {})


def test_erased_items_are_judged_by_others(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    total = progress_of(campaign).total
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    assert progress_of(campaign).total == total
    taken = take(campaign, cast.second_annotator)
    assert (taken.total, taken.done, taken.content) == (judged.total, 0, judged.content)
    for item in items_to_judge(taken):
        judge(item, 50)
    assert progress_of(campaign).done == total


def test_items_returned_before_are_not_planned_twice(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    total = progress_of(campaign).total
    return_assignment(assignment=judged, by=cast.organiser)
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    planned = Assignment.objects.filter(campaign=campaign, status=AssignmentStatus.PLANNED)
    assert sorted(planned.values_list("total", flat=True)) == sorted([2, judged.total - 2])
    assert progress_of(campaign).total == total


def test_a_number_keeps_the_answers_and_nobody_finds_the_name(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    answers = list(Judgment.objects.filter(annotator=zelda).order_by("pk").values_list("pk", "answer", "is_current"))
    scores, spans = Score.objects.count(), ErrorSpan.objects.count()
    before = others_answers(campaign, cast)
    done = forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    (number,) = done.numbers
    assert number.is_number
    assert not number.is_active
    assert number.username.startswith("person-")
    assert (
        list(Judgment.objects.filter(annotator=number).order_by("pk").values_list("pk", "answer", "is_current"))
        == answers
    )
    assert (Score.objects.count(), ErrorSpan.objects.count()) == (scores, spans)
    stored = everything_stored()
    for word in (NAME, "Zelda Quist", "zelda@example.org", "10.1.1.1"):
        assert word not in stored
    assert others_answers(campaign, cast) == before
    assert done.has_no_account
    assert Draft.objects.count() == 0
    assert b"".join(export_rows(campaign, "csv")).count(number.username.encode()) > 0
    lines = {line.person.username for line in overview_of(campaign).lines}
    assert number.username in lines
    assert NAME not in lines
    assert NAME.encode() not in b"".join(write_archive(campaign, pseudonymised=False))
    rest = take(campaign, cast.second_annotator)
    assert rest.total == judged.total - 2, "what she had not done is asked of others"


@pytest.mark.parametrize("how", Withdrawal.values)
def test_results_say_that_they_are_out_of_date_and_name_nobody(
    campaign: Campaign, judged: Assignment, zelda: Account, cast: Cast, how: str
) -> None:
    run = perform_now(
        kind="analysis", campaign=campaign, arguments={"analyses": ["annotators"]}, created_by=cast.organiser
    )
    text = json.dumps([run.result, *run.parts.values_list("result", flat=True)])
    assert NAME in text
    assert not has_newer_evidence(Run.objects.get(pk=run.pk))
    forget_person(account=zelda, how=how, by=cast.organiser)
    again = Run.objects.get(pk=run.pk)
    assert NAME not in json.dumps([again.result, *again.parts.values_list("result", flat=True)])
    assert has_newer_evidence(again)


@pytest.mark.parametrize("how", Withdrawal.values)
def test_consent_is_withdrawn_as_the_organiser_chose_before(test_set: TestSet, cast: Cast, how: str) -> None:
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=how)
    campaign.refresh_from_db()
    assignment = take(campaign, cast.annotator)
    for item in items_to_judge(assignment)[:2]:
        judge(item, 80)
    membership = Membership.objects.get(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR)
    withdrawn = withdraw_consent(membership=membership)
    assert withdrawn.consented_at is None
    assert withdrawn.withdrawn_at is not None
    assert withdraw_consent(membership=membership).withdrawn_at == withdrawn.withdrawn_at, "asked twice"
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 0
    assert Judgment.objects.count() == (2 if how == Withdrawal.PSEUDONYMISED else 0)
    assert Account.objects.filter(pk=cast.annotator.pk).exists(), "the account stays its holder's"
    assert give_consent(membership=withdrawn).consented_at is None, "who has withdrawn does not come back"
    with pytest.raises(Exception, match="not an annotator in this campaign"):
        claim_assignment(campaign=campaign, annotator=cast.annotator)
    assert cast.annotator.username not in {line.person.username for line in overview_of(campaign).lines}
    entry = AuditEntry.objects.get(action="consent_withdrawn")
    assert (entry.actor, entry.detail) == (cast.annotator, {"answers": how})


def test_an_account_that_is_elsewhere_too_leaves_only_the_campaigns_of_who_asks(
    test_set: TestSet,
    make_test_set: Callable[..., TestSet],
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    otto = make_person("otto", "Otto", may_create_campaigns=True)
    other = make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Another campaign")
    Membership.objects.filter(campaign=other).delete()
    Membership.objects.create(campaign=other, account=otto, role=Role.ORGANISER)
    add_annotator(other, zelda)
    judge(items_to_judge(take(other, zelda))[0], 70)
    done = forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    assert (done.campaigns, done.has_no_account) == ((campaign,), False)
    assert Judgment.objects.filter(annotator=zelda, item__assignment__campaign=other).count() == 1
    assert list(Membership.objects.filter(account=zelda)) == [Membership.objects.get(campaign=other, account=zelda)]
    zelda.refresh_from_db()
    assert (zelda.name, zelda.email) == ("Zelda Quist", "zelda@example.org")


def test_who_organises_nothing_of_theirs_forgets_nobody(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    for by in (cast.stranger, cast.researcher, cast.second_annotator):
        with pytest.raises(AccountError, match="not an annotator in any of your campaigns"):
            forget_person(account=zelda, how=Withdrawal.ERASED, by=by)
    with pytest.raises(AccountError, match="erase the answers or"):
        forget_person(account=zelda, how="burned", by=cast.organiser)
    assert Judgment.objects.filter(annotator=zelda).count() == 3


def test_an_account_that_makes_campaigns_or_was_made_elsewhere_stays(campaign: Campaign, cast: Cast) -> None:
    """Only the place in the campaign goes."""
    Account.objects.filter(pk=cast.second_annotator.pk).update(made_for=campaign, may_create_campaigns=True)
    for account in cast.annotators:
        account.refresh_from_db()
        done = forget_person(account=account, how=Withdrawal.ERASED, by=cast.organiser)
        assert not done.has_no_account
        assert not Membership.objects.filter(account=account).exists()
        assert Account.objects.filter(pk=account.pk).exists()


def test_no_moment_joins_the_number_to_the_name(campaign: Campaign, judged: Assignment, zelda: Account) -> None:
    """The record says when she agreed and when she withdrew; the number's own rows say neither."""
    place = Membership.objects.get(campaign=campaign, account=zelda)
    Membership.objects.filter(pk=place.pk).update(qualified_at=timezone.now(), consented_at=timezone.now())
    place.refresh_from_db()
    withdraw_consent(membership=place)
    number = Account.objects.get(is_number=True)
    membership = Membership.objects.get(account=number)
    assert membership.consented_at is not None
    assert membership.qualified_at is not None
    days = {moment.time().isoformat() for moment in (membership.consented_at, membership.qualified_at)}
    assert days == {"00:00:00"}
    assert membership.created_at == number.date_joined == campaign.created_at


def test_who_entered_nothing_leaves_no_number(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    take(campaign, zelda)
    total = progress_of(campaign).total
    done = forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    assert (done.numbers, done.has_no_account) == ((), True)
    assert progress_of(campaign).total == total
    assert take(campaign, cast.second_annotator).done == 0


def test_a_number_is_erased_but_not_made_a_number_again(
    campaign: Campaign,
    judged: Assignment,
    zelda: Account,
    cast: Cast,
) -> None:
    (number,) = forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser).numbers
    with pytest.raises(AccountError, match="already been replaced by a number"):
        forget_person(account=number, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    assert forget_person(account=number, how=Withdrawal.ERASED, by=cast.organiser).has_no_account
    assert number.username not in everything_stored()
    assert COMMENT not in everything_stored()


@pytest.mark.parametrize("how", Withdrawal.values)
@pytest.mark.parametrize("revision", [0, 1])
def test_an_answer_under_way_is_not_stored(
    campaign: Campaign, zelda: Account, cast: Cast, how: str, revision: int
) -> None:
    """The request had read the item when the person was forgotten."""
    first, *_ = items_to_judge(take(campaign, zelda))
    if revision:
        judge(first, 80)
    shown = fetched(first)
    answer = shown.protocol.parse_answer(score_of(11), shown.shown)
    stored = Judgment.objects.count()
    forget_person(account=zelda, how=how, by=cast.organiser)
    remaining = stored if how == Withdrawal.PSEUDONYMISED else 0
    with pytest.raises(NotTheirsAnyMore):
        submit_judgment(to_judge=shown, answer=answer, client_id=uuid.uuid4(), base_revision=revision)
    assert Judgment.objects.count() == remaining


def test_the_choice_is_made_before_anybody_agrees(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    assert choose_on_withdrawal(campaign=campaign, on_withdrawal=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    assert not choose_on_withdrawal(campaign=campaign, on_withdrawal=Withdrawal.ERASED, by=cast.organiser)
    Membership.objects.filter(role=Role.ANNOTATOR).update(consented_at=None)
    assert choose_on_withdrawal(campaign=campaign, on_withdrawal=Withdrawal.ERASED, by=cast.organiser)
    assert AuditEntry.objects.get(action="withdrawal_chosen").detail == {"answers": "erased"}


def test_names_on_record_and_participants_have_their_time(
    campaign: Campaign, judged: Assignment, zelda: Account, cast: Cast, settings: Settings
) -> None:
    settings.LOG_DAYS, settings.PARTICIPANT_DAYS = 30, 60
    now = timezone.now()
    set_status(campaign=campaign, status="closed", by=cast.organiser)
    assert forget_expired(now=now + timedelta(days=29)) == {"people": 0, "entries": 0, "requests": 0}
    later = forget_expired(now=now + timedelta(days=31))
    assert later["people"] == 0
    assert later["entries"] > 0
    assert AccessAttempt.objects.count() == 0
    closed = AuditEntry.objects.get(action="campaign_closed")
    assert (closed.actor, closed.campaign) == (None, campaign), "what was done stays, by whom is forgotten"
    assert AuditEntry.objects.get(action="annotator_excluded").detail["annotator"] == "erased"
    assert forget_expired(now=now + timedelta(days=61))["people"] == 3
    judges = Account.objects.filter(judgments__isnull=False).distinct()
    assert judges.count() == 2
    assert all(account.is_number for account in judges)
    assert not Account.objects.filter(username=NAME).exists()
    assert Account.objects.filter(pk=cast.organiser.pk).exists()


def test_zero_days_keep_for_ever(campaign: Campaign, judged: Assignment, cast: Cast, settings: Settings) -> None:
    settings.LOG_DAYS = settings.PARTICIPANT_DAYS = 0
    set_status(campaign=campaign, status="closed", by=cast.organiser)
    assert forget_expired(now=timezone.now() + timedelta(days=10_000))["people"] == 0
    assert AccessAttempt.objects.count() == 1
    assert Item.objects.exists()
