"""The pages around practice."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.actions.practising import set_practice
from annotation.models import PracticeAnswer, PracticeItem
from campaigns.models import Account, Campaign, Membership, Role, TestSet
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, submission
from tests.planned_campaign import make_planned_campaign

AT = "/campaigns/planned-campaign/practice/"


@pytest.fixture
def practised(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_planned_campaign(test_set, cast)
    item = PracticeItem(source="Source", slots={"A": "Text"}, expected={"A": {"score": (0.0, 40.0)}}, feedback="")
    return set_practice(campaign=campaign, items=[item], pass_mark=1.0, attempts=2, by=cast.organiser)


@pytest.fixture
def client(practised: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.annotator)


def judge(client: Client, score: int) -> None:
    item = PracticeItem.objects.get().public_id
    sent = ApiAnnotator(client).post(f"campaigns/planned-campaign/practice/items/{item}/judgments", submission(score))
    assert sent.status_code == 201


def test_the_start_leads_to_practice_and_then_to_the_items(client: Client) -> None:
    assert client.post("/campaigns/planned-campaign/next/").headers["Location"] == AT
    assert b"workbench-data" in client.get(AT).content
    judge(client, 10)
    page = client.get(AT).content.decode()
    assert "Ready to begin" in page
    assert client.post("/campaigns/planned-campaign/next/").headers["Location"].startswith("/assignments/")


def test_who_fails_may_practise_again_as_often_as_allowed(client: Client) -> None:
    judge(client, 90)
    assert "Practise again" in client.get(AT).content.decode()
    assert client.post(f"{AT}again/").headers["Location"] == AT
    assert b"workbench-data" in client.get(AT).content
    judge(client, 90)
    page = client.get(AT).content.decode()
    assert "not passed" in page
    assert "Practise again" not in page
    client.post(f"{AT}again/")
    assert PracticeAnswer.objects.count() == 2
    assert client.post("/campaigns/planned-campaign/next/").headers["Location"] == AT


def test_without_practice_there_is_no_such_page(client: Client) -> None:
    PracticeItem.objects.all().delete()
    assert client.get(AT).status_code == 404


def test_consent_comes_first(client: Client, cast: Cast) -> None:
    Membership.objects.filter(account=cast.annotator, role=Role.ANNOTATOR).update(consented_at=None)
    assert client.get(AT).headers["Location"] == "/campaigns/planned-campaign/guidelines/"


def test_what_is_skipped_is_recorded_and_practice_can_be_opened_again(client: Client) -> None:
    item = PracticeItem.objects.get()
    assert client.post(f"{AT}skip/", {"item": "nonsense"}).status_code == 404
    assert client.post(f"{AT}skip/").headers["Location"] == AT
    assert client.post(f"{AT}skip/", {"item": item.public_id}).headers["Location"] == AT
    assert PracticeAnswer.objects.get().is_skipped
    page = client.get(AT).content.decode()
    assert f'href="{AT}?review"' in page
    assert b"workbench-data" in client.get(f"{AT}?review").content
    again = ApiAnnotator(client).get("campaigns/planned-campaign/practice/items?from=start").json()["items"]
    assert [(each["answer"], each["revision"]) for each in again] == [(None, 1)]


def test_what_must_be_answered_is_not_skipped(client: Client) -> None:
    PracticeItem.objects.update(may_skip=False)
    client.post(f"{AT}skip/", {"item": PracticeItem.objects.get().public_id})
    assert not PracticeAnswer.objects.exists()
    assert "skippable" not in ApiAnnotator(client).get("campaigns/planned-campaign/practice/items").json()["items"][0]
