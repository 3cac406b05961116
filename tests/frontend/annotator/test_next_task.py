"""The next assignment is asked for, and handed out."""

from collections.abc import Callable

from django.test import Client

import pytest

from annotation.models import Assignment
from campaigns.models import Account, Campaign, Membership
from tests.cast import Cast

URL = "/campaigns/harbour-campaign/next/"


@pytest.fixture
def planned(campaign: Campaign, make_assignment: Callable[..., Assignment]) -> Assignment:
    return make_assignment(campaign, None)


def test_it_is_handed_out_and_opened(client_of: Callable[[Account], Client], planned: Assignment, cast: Cast) -> None:
    assert client_of(cast.annotator).post(URL)["Location"] == f"/assignments/{planned.pk}/"
    planned.refresh_from_db()
    assert planned.annotator == cast.annotator


def test_who_asks_twice_gets_the_same(client_of: Callable[[Account], Client], planned: Assignment, cast: Cast) -> None:
    client = client_of(cast.annotator)
    assert client.post(URL)["Location"] == client.post(URL)["Location"]


def test_when_nothing_is_left_it_says_so(
    client_of: Callable[[Account], Client], planned: Assignment, cast: Cast
) -> None:
    client_of(cast.annotator).post(URL)
    response = client_of(cast.second_annotator).post(URL, follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert "There are no more tasks in this campaign" in response.text


def test_a_paused_campaign_hands_nothing_out(
    client_of: Callable[[Account], Client], planned: Assignment, cast: Cast
) -> None:
    Campaign.objects.update(status="paused")
    assert client_of(cast.annotator).post(URL)["Location"] == "/"
    planned.refresh_from_db()
    assert planned.annotator is None


def test_first_one_agrees(client_of: Callable[[Account], Client], planned: Assignment, cast: Cast) -> None:
    Membership.objects.update(consented_at=None)
    response = client_of(cast.annotator).post(URL)
    assert response["Location"] == "/campaigns/harbour-campaign/guidelines/"
    planned.refresh_from_db()
    assert planned.annotator is None


@pytest.mark.parametrize("who", ["organiser", "researcher", "stranger"])
def test_only_annotators_get_one(
    client_of: Callable[[Account], Client], planned: Assignment, cast: Cast, who: str
) -> None:
    assert client_of(getattr(cast, who)).post(URL).status_code == 404


def test_a_link_hands_nothing_out(client_of: Callable[[Account], Client], planned: Assignment, cast: Cast) -> None:
    assert client_of(cast.annotator).get(URL).status_code == 405


def test_strangers_must_sign_in(client: Client, planned: Assignment) -> None:
    assert client.post(URL)["Location"] == f"/sign-in/?next={URL}"
