"""Nothing that is stored after somebody was forgotten leads back to them, whatever was under way at that moment."""

import ast
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

from django.apps import apps
from django.conf import settings as site_settings
from django.db import connection, transaction
from django.db.models import DateTimeField, Model
from django.utils import timezone

import pytest

from annotation.models import Assignment, Item, Judgment, PracticeAnswer, PracticeItem, ProblemReport
from campaigns.actions.audit import NAMES_IN_RECORDS, OWN_ACTIONS, WORK_ACTIONS, record
from campaigns.actions.enrolment import invite_people
from campaigns.actions.links import accept_invitation, make_share_link
from campaigns.actions.memberships import give_consent
from campaigns.actions.tokens import hand_out_tokens
from campaigns.models import (
    Account,
    ApiToken,
    AuditEntry,
    Campaign,
    Invitation,
    Membership,
    Role,
    Session,
    ShareLink,
    TestSet,
    Withdrawal,
)
from campaigns.new_people import Person
from jobs.actions import claim_run, perform_now, perform_run, queue_run
from jobs.models import Run, RunStatus
from metrics.actions.forgetting import forget_person, withdraw_consent
from tests.cast import Cast, make_person
from tests.metrics.actions.test_forgetting import NAME, everything_stored
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, score_of, take

ROOMS = ("annotation", "campaigns", "jobs", "metrics", "frontend")
ANNOTATORS = {"analyses": ["annotators"]}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, redundancy=2)


@pytest.fixture
def zelda(campaign: Campaign) -> Account:
    account = make_person(NAME, "Zelda Quist")
    Account.objects.filter(pk=account.pk).update(email="zelda@example.org", made_for=campaign)
    account.refresh_from_db()
    add_annotator(campaign, account)
    for item in items_to_judge(take(campaign, account))[:2]:
        judge(item, 80)
    return account


def place_of(account: Account, campaign: Campaign) -> Membership:
    return Membership.objects.get(campaign=campaign, account=account, role=Role.ANNOTATOR)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], datetime]:
    """Every step of a story happens on a day of its own."""
    now = [datetime(2026, 3, 1, 9, 30, tzinfo=UTC)]
    monkeypatch.setattr(timezone, "now", lambda: now[0])

    def next_day() -> datetime:
        now[0] += timedelta(days=1, minutes=7)
        return now[0]

    return next_day


@pytest.mark.parametrize("how", Withdrawal.values)
def test_a_run_under_way_writes_no_forgotten_name(campaign: Campaign, zelda: Account, cast: Cast, how: str) -> None:
    run = claim_run(queue_run(kind="analysis", campaign=campaign, arguments=ANNOTATORS).pk)
    assert run is not None
    read: list[str] = []

    def forget_when_read(_share: float, note: str, /) -> None:
        if note == "annotators" and not read:
            read.append(note)
            forget_person(account=zelda, how=how, by=cast.organiser)

    left = perform_run(run, watch=forget_when_read)
    assert read
    assert NAME not in everything_stored()
    assert (left.status, left.result, left.attempts) == (RunStatus.QUEUED, None, 0)
    again = claim_run(run.pk)
    assert again is not None
    done = perform_run(again)
    assert done.status == RunStatus.DONE
    assert NAME not in everything_stored()


def test_a_run_in_the_foreground_is_begun_anew(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    read: list[str] = []

    def forget_when_read(_share: float, note: str, /) -> None:
        if note == "annotators" and not read:
            read.append(note)
            forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)

    done = perform_now(kind="analysis", campaign=campaign, arguments=ANNOTATORS, watch=forget_when_read)
    assert done.status == RunStatus.DONE
    stored = json.dumps(list(done.parts.values_list("result", flat=True)))
    assert NAME not in stored
    assert Account.objects.get(is_number=True).username in stored


@pytest.mark.django_db(transaction=True)
def test_no_run_begins_while_somebody_is_being_forgotten(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    run, is_claimed = queue_run(kind="analysis", campaign=campaign, arguments=ANNOTATORS), Event()

    def work() -> None:
        claimed = claim_run(run.pk)
        is_claimed.set()
        if claimed:
            perform_run(claimed)
        connection.close()

    worker = Thread(target=work)
    with transaction.atomic():
        forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
        worker.start()
        assert not is_claimed.wait(0.5)
    worker.join()
    assert Run.objects.get(pk=run.pk).status == RunStatus.DONE
    assert NAME not in everything_stored()


@pytest.mark.parametrize("how", Withdrawal.values)
def test_who_was_left_out_on_trial_is_no_longer_named(campaign: Campaign, zelda: Account, cast: Cast, how: str) -> None:
    tried: dict[str, Any] = {"options": {"without": [NAME, "ben"]}}
    waiting = queue_run(kind="analysis", campaign=campaign, arguments={**tried, **ANNOTATORS})
    link, _secret = make_share_link(
        campaign=campaign, name="Readers", days=3, by=cast.organiser, choice={"recipe": None, **tried}
    )
    forget_person(account=zelda, how=how, by=cast.organiser)
    assert NAME not in everything_stored()
    number = Account.objects.filter(is_number=True).values_list("username", flat=True).first()
    expected = ["ben"] if how == Withdrawal.ERASED else [number, "ben"]
    assert ShareLink.objects.get(pk=link.pk).choice["options"]["without"] == expected
    claimed = claim_run(waiting.pk)
    assert claimed is not None
    assert perform_run(claimed).status == RunStatus.DONE


def rows_leading_to(account: Account, campaign: Campaign) -> Iterator[Model]:
    """By a key, by a key of what they own, or by name on record."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.related_model is Account:
                yield from model._base_manager.filter(**{field.name: account.pk})
    yield from Item.objects.filter(assignment__annotator=account)
    yield account
    for entry in AuditEntry.objects.filter(campaign=campaign):
        if account.username in entry.detail.values():
            yield entry


def moments_of(account: Account, campaign: Campaign) -> set[datetime]:
    moments = set()
    for row in rows_leading_to(account, campaign):
        for field in row._meta.concrete_fields:
            if isinstance(field, DateTimeField) and getattr(row, field.attname):
                moments.add(getattr(row, field.attname).replace(second=0, microsecond=0))
    return moments - {campaign.created_at.replace(second=0, microsecond=0)}


@pytest.fixture
def lived(campaign: Campaign, cast: Cast, clock: Callable[[], datetime]) -> Account:
    """Somebody comes in by a link, agrees, practises, takes work, judges some of it, reports a problem."""
    clock()
    practice = PracticeItem.objects.create(campaign=campaign, position=1, source="One.", slots={"A": "Eins."})
    (admitted,) = invite_people(campaign=campaign, people=[Person(name="Zelda")], by=cast.organiser)
    account, issued = admitted.account, admitted.issued
    assert issued is not None
    clock()
    accept_invitation(secret=issued.secret)
    now = clock()
    Session.objects.create(
        session_key="s", expire_date=now + timedelta(days=900), account=account, invitation=issued.invitation,
        created_at=now, last_used_at=now,
    )  # fmt: skip
    give_consent(membership=place_of(account, campaign))
    clock()
    record(action="practice_passed", by=account, campaign=campaign)
    Membership.objects.filter(account=account).update(qualified_at=timezone.now())
    PracticeAnswer.objects.create(
        item=practice, annotator=account, attempt=1, client_id="0d5ef14e-7a36-4a5e-9d4f-3b7d7f2f8a10",
        answer=score_of(1), is_right=True,
    )  # fmt: skip
    clock()
    assignment = take(campaign, account)
    for item in items_to_judge(assignment)[:2]:
        now = clock()
        judge(item, 80)
        Session.objects.update(last_used_at=now)
    ProblemReport.objects.create(item=items_to_judge(assignment)[2], annotator=account, reason="other", note="Odd.")
    clock()
    return account


def test_no_moment_joins_who_withdrew_to_the_number(campaign: Campaign, lived: Account) -> None:
    assert len(moments_of(lived, campaign)) > 6
    withdraw_consent(membership=place_of(lived, campaign))
    number = Account.objects.get(is_number=True)
    assert Judgment.objects.filter(annotator=number).count() == 2
    assert len(moments_of(number, campaign)) > 4
    assert moments_of(lived, campaign) & moments_of(number, campaign) == set()
    entries = AuditEntry.objects.filter(campaign=campaign)
    assert [entry.action for entry in entries if number.username in json.dumps(entry.detail)] == []
    assert list(entries.filter(actor=lived).values_list("action", flat=True)) == ["consent_withdrawn"]
    assert Session.objects.filter(account=lived, ended_at=None).exists(), "they may look at their data"


def test_no_moment_joins_numbers_of_one_person_in_two_campaigns(
    campaign: Campaign, make_test_set: Callable[..., TestSet], zelda: Account, cast: Cast, clock: Callable[[], datetime]
) -> None:
    other = make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Another", redundancy=2)
    agreed = clock()
    add_annotator(other, zelda)
    Membership.objects.filter(campaign=other, account=zelda).update(consented_at=agreed)
    clock()
    judge(items_to_judge(take(other, zelda))[0], 70)
    clock()
    done = forget_person(account=zelda, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    first, second = done.numbers
    assert moments_of(first, campaign) & moments_of(second, other) == set()


def test_keys_do_not_show_who_withdrew_first(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    last = [Account.objects.latest("pk").pk, Membership.ever.latest("pk").pk]
    withdraw_consent(membership=place_of(zelda, campaign))
    number = Account.objects.get(is_number=True)
    for key, highest in zip([number.pk, place_of(number, campaign).pk], last, strict=True):
        assert key > highest + 1_000_000
    later = make_person("later", "Later")
    if connection.vendor == "postgresql":
        assert later.pk < number.pk, "keys are given out as before"


def test_a_token_that_was_handed_out_goes_with_the_place(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    other = make_planned_campaign(campaign.test_set, cast, name="Somebody else's")
    add_annotator(other, zelda)
    hand_out_tokens(campaign=campaign, accounts=[zelda], links={}, by=cast.organiser)
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[campaign])
    assert Account.objects.filter(pk=zelda.pk).exists()
    assert not ApiToken.objects.filter(handed_out_for=campaign).exists()


def calls_of_record() -> Iterator[ast.Call]:
    for room in ROOMS:
        for path in (site_settings.BASE_DIR / room).rglob("*.py"):
            for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("record", "_note"):
                    yield node


def test_every_action_on_record_says_what_is_forgotten_of_it(campaign: Campaign, cast: Cast) -> None:
    assert not OWN_ACTIONS & WORK_ACTIONS
    with pytest.raises(ValueError, match="neither OWN_ACTIONS nor WORK_ACTIONS"):
        record(action="campaign_painted", by=cast.organiser, campaign=campaign)
    named = {
        keyword.value.value
        for call in calls_of_record()
        for keyword in call.keywords
        if keyword.arg == "action" and isinstance(keyword.value, ast.Constant)
    }
    assert len(named) > 30
    assert named <= OWN_ACTIONS | WORK_ACTIONS


def test_a_name_on_record_is_where_it_is_looked_for() -> None:
    named = {
        keyword.arg
        for call in calls_of_record()
        for keyword in call.keywords
        if "username" in {getattr(node, "attr", "") for node in ast.walk(keyword.value)}
    }
    assert named
    assert named <= set(NAMES_IN_RECORDS)


def test_nothing_on_record_keeps_an_annotator_who_lives_on_elsewhere(
    campaign: Campaign, zelda: Account, cast: Cast
) -> None:
    other = make_planned_campaign(campaign.test_set, cast, name="Somebody else's")
    add_annotator(other, zelda)
    for action in (*OWN_ACTIONS, *WORK_ACTIONS):
        record(action=action, by=zelda, campaign=campaign)
        record(action=action, by=zelda, campaign=other)
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[campaign])
    entries = AuditEntry.objects.filter(actor=zelda)
    assert list(entries.filter(campaign=campaign).values_list("action", flat=True)) == []
    assert entries.filter(campaign=other).count() == len(OWN_ACTIONS | WORK_ACTIONS)


def test_who_organises_too_is_forgotten_as_an_annotator_alone(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    Membership.objects.create(campaign=campaign, account=zelda, role=Role.ORGANISER)
    for action in (*OWN_ACTIONS, *WORK_ACTIONS):
        record(action=action, by=zelda, campaign=campaign)
    record(action="member_added", by=zelda, campaign=campaign, account=NAME)
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[campaign])
    entries = list(AuditEntry.objects.filter(campaign=campaign, actor=zelda).values_list("action", flat=True))
    assert sorted(entries) == sorted(WORK_ACTIONS)


def test_links_to_an_erased_campaigns_answers_keep_their_moments(campaign: Campaign, lived: Account) -> None:
    """Nothing is left that they could lead to."""
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=Withdrawal.ERASED)
    before = Invitation.objects.get(account=lived)
    withdraw_consent(membership=place_of(lived, campaign))
    after = Invitation.objects.get(account=lived)
    assert (after.created_at, after.accepted_at) == (before.created_at, before.accepted_at)
    assert not Assignment.objects.filter(annotator=lived).exists()
