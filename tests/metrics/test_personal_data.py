"""Every model is shown to the people it is about, or named as left out, with the reason."""

import json
import re
from pathlib import Path
from typing import Any

from django.apps import apps
from django.utils import timezone

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog

from annotation.actions.decisions import adjudicate, exclude_annotator, undo_adjudication
from annotation.actions.submitting import report_problem, save_draft
from annotation.models import ActionLog, Judgment, PracticeAnswer, PracticeItem, TimesheetNote
from campaigns.actions.links import invite_account, make_share_link
from campaigns.actions.mail import Letter, store_mail
from campaigns.actions.memberships import add_member
from campaigns.actions.tokens import hand_out_tokens, make_api_token
from campaigns.models import (
    Account,
    AnsweredRequest,
    Campaign,
    CampaignDraft,
    CrowdPlace,
    Identity,
    MailKind,
    Role,
    SecondFactor,
    Session,
    TestSet,
)
from jobs.models import Run
from metrics.models import ImportedScores
from metrics.personal_data import ACCOUNT, KINDS, counted, file_of
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, score_of, take
from tests.sample_crowd import make_crowd
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
ROWS = PAGE.partition("### What people are not shown")[2].partition("\n#")[0]
LEFT_OUT = {
    label: reason
    for labels, reason in re.findall(r"^\| (`.+`) \| (.+) \|$", ROWS, flags=re.MULTILINE)
    for label in re.findall(r"`([\w.]+)`", labels)
}


def all_labels() -> set[str]:
    return {model._meta.label for model in apps.get_models()}


def relations_to_people() -> set[str]:
    """Fields that lead to an account, by model."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in (*model._meta.concrete_fields, *model._meta.many_to_many)
        if field.related_model is Account
    }


def test_every_model_is_shown_or_left_out_with_a_reason() -> None:
    shown = {kind.model._meta.label for kind in KINDS} | {Account._meta.label}
    left_out = {label for label in LEFT_OUT if label.count(".") == 1}
    assert all_labels() - shown - left_out == set(), "show it in KINDS, or say in docs/operations.md why not"
    assert shown & left_out == set()
    assert left_out <= all_labels()
    assert all(LEFT_OUT.values())


def test_every_field_that_leads_to_somebody_is_shown_or_left_out_with_a_reason() -> None:
    shown = {f"{kind.model._meta.label}.{kind.person}" for kind in KINDS}
    assert len(relations_to_people()) > 20
    assert relations_to_people() - shown - set(LEFT_OUT) == set(), (
        "show it in KINDS, or say in docs/operations.md why not"
    )


def test_all_of_an_account_is_shown_or_left_out_with_a_reason() -> None:
    fields = {field.name for field in (*Account._meta.concrete_fields, *Account._meta.many_to_many)}
    left_out = {label.rpartition(".")[2] for label in LEFT_OUT if label.startswith("campaigns.Account.")}
    assert fields - set(ACCOUNT) == left_out


@pytest.fixture
def somebody(test_set: TestSet, cast: Cast) -> Account:
    """Who did, and had done to them, one of everything."""
    olive = cast.organiser
    Account.objects.filter(pk=olive.pk).update(email="olive@example.org")
    olive.refresh_from_db()
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    Campaign.objects.filter(pk=campaign.pk).update(created_by=olive)
    TestSet.objects.filter(pk=test_set.pk).update(created_by=olive)
    place = add_member(campaign=campaign, account=olive, role=Role.ANNOTATOR, by=cast.stranger)
    type(place).objects.filter(pk=place.pk).update(consented_at=timezone.now())
    first, second, third, *_ = items_to_judge(take(campaign, olive))
    judge(first, 80)
    ActionLog.objects.create(judgment=first.judgments.get(), actions=[[1, "load"]])
    save_draft(item=second, answer=score_of(3), base_revision=0)
    now = timezone.now()
    TimesheetNote.objects.create(campaign=campaign, annotator=olive, day=now.date(), note="More.", noted_at=now)
    report_problem(item=third, annotator=olive, reason="other", note="A note.")
    exclude_annotator(campaign=campaign, annotator=olive, reason="Too fast.", by=olive)
    score = Judgment.objects.get().scores.get()
    assert score.translation is not None
    made = adjudicate(
        campaign=campaign, translation=score.translation, answered={"score": 60}, reason="Between.", by=olive
    )
    undo_adjudication(adjudication=made, by=olive)
    practice = PracticeItem.objects.create(campaign=campaign, position=1, source="One.", slots={"A": "Eins."})
    PracticeAnswer.objects.create(
        item=practice, annotator=olive, attempt=1, client_id="0d5ef14e-7a36-4a5e-9d4f-3b7d7f2f8a10",
        answer=score_of(1), is_right=True,
    )  # fmt: skip
    make_questionnaire(campaign, "entry")
    answer_questionnaire(campaign, olive, "entry")
    CrowdPlace.objects.create(
        crowd=make_crowd(campaign), membership=place, participant="olive-1", joined_at=timezone.now()
    )
    invite_account(campaign=campaign, account=olive, role=Role.RESEARCHER, by=olive)
    hand_out_tokens(campaign=campaign, accounts=[cast.annotator], links={}, by=olive)
    type(place).objects.filter(account=cast.annotator).update(consented_by=olive)
    make_api_token(account=olive, name="notebook", by=olive)
    make_share_link(campaign=campaign, name="Readers", days=3, by=olive)
    Session.objects.create(session_key="s", expire_date=now, account=olive, created_at=now, last_used_at=now)
    SecondFactor.objects.create(account=olive)
    Identity.objects.create(account=olive, issuer="https://id.example", subject="o-1")
    CampaignDraft.objects.create(account=olive, values={"name": ["News"]})
    listed = f"Olive <{olive.email}>"
    CampaignDraft.objects.create(account=cast.stranger, values={"people": [listed]})
    body = {"form": {"people": listed}}
    Run.objects.create(kind="new_campaign", created_by=cast.stranger, arguments=body)
    Run.objects.create(kind="analysis", campaign=campaign, created_by=olive)
    ImportedScores.objects.create(
        test_set=test_set, metric="COMET", level="segment", file_name="comet.tsv", content_hash="c", imported_by=olive
    )
    letter = Letter(olive, MailKind.REMINDER, "reminder", "en", "Go on", "Please.")
    store_mail(campaign=campaign, letters=[letter], by=olive)
    AnsweredRequest.objects.create(account=olive, key_hash="k", request_hash="r", answer={"of": "others"})
    tried: dict[str, Any] = {"username": "olive", "ip_address": "10.1.1.1"}
    AccessAttempt.objects.create(**tried, failures_since_start=1)
    AccessFailureLog.objects.create(username=olive.email)
    AccessLog.objects.create(**tried)
    return olive


def test_the_file_has_all_rows_of_each_kind(somebody: Account) -> None:
    assert [kind.name for kind, count in counted(somebody) if not count] == []
    file = json.loads("".join(file_of(somebody)))
    assert [kind.name for kind in KINDS if len(file[kind.name]) != kind.rows_of(somebody).count()] == []
    assert {kind.name for kind in KINDS} | {"account"} == set(file)
    assert file["account"]["email"] == "olive@example.org"


def test_the_file_of_somebody_else_has_none_of_them(somebody: Account, cast: Cast) -> None:
    file = "".join(file_of(cast.second_annotator))
    for word in ("olive", "10.1.1.1", "Between.", "comet.tsv", "notebook", "Too fast."):
        assert word not in file
