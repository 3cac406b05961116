"""Lists of people that organisers keep, and answers that name them, lose who is forgotten."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

import pytest

from campaigns.models import Account, AnsweredRequest, Campaign, CampaignDraft, TestSet, Withdrawal
from jobs.actions import queue_run
from jobs.models import Run, RunStatus
from metrics.actions.forgetting import forget_expired, forget_person
from metrics.personal_data import counted
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, make_planned_campaign

NAME, ADDRESS = "zelda-quist", "zelda@example.org"


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def zelda(campaign: Campaign) -> Account:
    account = make_person(NAME, "Zelda Quist")
    Account.objects.filter(pk=account.pk).update(email=ADDRESS, made_for=campaign)
    account.refresh_from_db()
    add_annotator(campaign, account)
    return account


LISTS = {
    f"Otto Other\nZelda Quist <{ADDRESS}>\n": "name\nOtto Other\n",
    f"name,email,languages\nOtto Other,otto@example.org,de\nZ. Quist,{ADDRESS.upper()},fr\n": (
        "name,email,languages\nOtto Other,otto@example.org,de\n"
    ),
    f"username,name\n{NAME},\nother,Otto\n": "name,username\nOtto,other\n",
    "zelda quist\n": "",
    "Zelda Quist <another@example.org>\n": "Zelda Quist <another@example.org>\n",
    f"name,nonsense\nOtto,{ADDRESS}\n": "",
    "Otto Other\n": "Otto Other\n",
}


@pytest.mark.parametrize(("before", "after"), LISTS.items())
def test_lists_of_people_lose_who_is_forgotten(
    campaign: Campaign, zelda: Account, cast: Cast, before: str, after: str
) -> None:
    draft = CampaignDraft.objects.create(account=cast.organiser, values={"name": ["News"], "people": [before]})
    others = CampaignDraft.objects.create(account=cast.stranger, values={"people": [before]})
    form = {"name": "News", "people": before}
    run = Run.objects.create(
        kind="new_campaign", created_by=cast.organiser, status=RunStatus.FAILED, arguments={"people": [], "form": form}
    )
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    assert CampaignDraft.objects.get(pk=draft.pk).values == {"name": ["News"], "people": [after]}
    assert Run.objects.get(pk=run.pk).arguments["form"] == {"name": "News", "people": after}
    assert CampaignDraft.objects.get(pk=others.pk).values["people"] == [before], (
        "in campaigns of others nothing changes"
    )


def test_campaigns_that_are_made_lose_who_is_forgotten(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    people = [{"name": "Otto"}, {"name": "Zelda Quist", "email": ADDRESS}]
    waiting = queue_run(kind="new_campaign", arguments={"test_set": 1, "people": people}, created_by=cast.organiser)
    failed = Run.objects.create(
        kind="new_campaign", created_by=cast.organiser, status=RunStatus.FAILED,
        error=f"Line 1: taken\nLine 2, email: {ADDRESS} is taken", result={"people_problems": [f"{NAME} is taken"]},
    )  # fmt: skip
    forget_person(account=zelda, how=Withdrawal.ERASED, by=None)
    assert Run.objects.get(pk=waiting.pk).arguments["people"] == [{"name": "Otto"}]
    failed.refresh_from_db()
    assert (failed.error, failed.result) == ("Line 1: taken", {"people_problems": []})


def test_copies_that_were_refused_lose_who_is_forgotten(campaign: Campaign, zelda: Account, cast: Cast) -> None:
    people = [{"name": "Otto"}, {"name": "Zelda Quist", "email": ADDRESS}]
    rows = [{"name": "C", "people": people}, {"name": "D", "people": []}]
    run = Run.objects.create(
        kind="campaign_copies", created_by=cast.organiser, status=RunStatus.FAILED, arguments={"rows": rows},
        error=f"1 people: {ADDRESS} is taken\n2 name: taken",
    )  # fmt: skip
    assert {kind.name: n for kind, n in counted(zelda)}["requests_listing_you"] == 1
    forget_person(account=zelda, how=Withdrawal.ERASED, by=None)
    run.refresh_from_db()
    assert [row["people"] for row in run.arguments["rows"]] == [[{"name": "Otto"}], []]
    assert run.error == "2 name: taken"


@pytest.mark.parametrize("name", [NAME, ADDRESS, "Zelda Quist", f"/api/v1/campaigns/x/annotators/{NAME}"])
def test_what_programs_were_answered_names_nobody_who_is_forgotten(
    campaign: Campaign, zelda: Account, cast: Cast, name: str
) -> None:
    def answered(account: Account, key: str, answer: Any) -> AnsweredRequest:
        return AnsweredRequest.objects.create(
            account=account, key_hash=key, request_hash="r", status=201, answer=answer
        )

    naming = answered(cast.organiser, "a", {"results": [{"account": name, "link": None}]})
    other = answered(cast.organiser, "b", {"results": [{"account": "otto", "name": "Zeldas"}]})
    elsewhere = answered(cast.stranger, "c", {"account": name})
    forget_person(account=zelda, how=Withdrawal.ERASED, by=cast.organiser)
    naming.refresh_from_db()
    assert (naming.status, naming.answer) == (201, None), "the same request again still changes nothing"
    assert AnsweredRequest.objects.get(pk=other.pk).answer == other.answer
    assert AnsweredRequest.objects.get(pk=elsewhere.pk).answer == elsewhere.answer


def test_time_forgets_names_of_a_campaign_and_leaves_lists_for_others(
    campaign: Campaign, zelda: Account, cast: Cast, settings: Any
) -> None:
    settings.PARTICIPANT_DAYS = 60
    listed = {"people": [f"Zelda Quist <{ADDRESS}>"]}
    draft = CampaignDraft.objects.create(account=cast.organiser, values=listed)
    Campaign.objects.filter(pk=campaign.pk).update(status="closed", closed_at=timezone.now() - timedelta(days=61))
    assert forget_expired()["people"] == 3
    assert CampaignDraft.objects.get(pk=draft.pk).values == listed
    assert not Account.objects.filter(pk=zelda.pk).exists()
