"""The end of an assignment."""

import re
from collections.abc import Callable

from django.test import Client

import pytest

from annotation.models import Assignment
from campaigns.models import Account, Campaign
from tests.cast import Cast
from tests.sample_test_set import SYSTEMS

CODE = "K7QM-42XR-9TDA"


@pytest.fixture
def finished(campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]) -> Assignment:
    assignment = make_assignment(campaign, cast.annotator, status="done")
    assignment.done, assignment.completion_code = assignment.total, CODE
    assignment.save(update_fields=["done", "completion_code"])
    return assignment


def test_it_thanks_and_shows_the_code(client_of: Callable[[Account], Client], finished: Assignment, cast: Cast) -> None:
    text = client_of(cast.annotator).get(f"/assignments/{finished.pk}/done/").text
    assert CODE in text
    assert "All 6 judgments are saved" in text
    assert "There is nothing else to do right now." in text
    assert not any(system in text for system in SYSTEMS)


def test_it_offers_the_next_task(
    client_of: Callable[[Account], Client], finished: Assignment, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    following = make_assignment(finished.campaign, cast.annotator)
    text = client_of(cast.annotator).get(f"/assignments/{finished.pk}/done/").text
    assert f'href="/assignments/{following.pk}/"' in text


def test_after_a_part_of_a_pool_one_key_leads_to_the_next(
    client_of: Callable[[Account], Client], finished: Assignment, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    Campaign.objects.filter(pk=finished.campaign_id).update(planning="pool")
    client = client_of(cast.annotator)
    assert "Continue with the next documents" not in client.get(f"/assignments/{finished.pk}/done/").text
    make_assignment(finished.campaign, cast.annotator)
    text = client.get(f"/assignments/{finished.pk}/done/").text
    assert "This part is done. Thank you." in text
    assert re.search(r"<button[^>]* autofocus>Continue with the next documents</button>", text)


def test_before_the_end_there_is_no_code(
    client_of: Callable[[Account], Client],
    campaign: Campaign,
    cast: Cast,
    make_assignment: Callable[..., Assignment],
) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    response = client_of(cast.annotator).get(f"/assignments/{assignment.pk}/done/")
    assert response["Location"] == f"/assignments/{assignment.pk}/"


@pytest.mark.parametrize("who", ["second_annotator", "organiser", "researcher", "stranger"])
def test_a_code_is_its_annotators_alone(
    client_of: Callable[[Account], Client], finished: Assignment, cast: Cast, who: str
) -> None:
    assert client_of(getattr(cast, who)).get(f"/assignments/{finished.pk}/done/").status_code == 404


def test_strangers_must_sign_in(client: Client, finished: Assignment) -> None:
    assert client.get(f"/assignments/{finished.pk}/done/").status_code == 302


def test_it_is_only_read(client_of: Callable[[Account], Client], finished: Assignment, cast: Cast) -> None:
    assert client_of(cast.annotator).post(f"/assignments/{finished.pk}/done/").status_code == 405
