"""What a monitoring system reads."""

from collections.abc import Callable

from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Assignment
from campaigns.models import Account, Campaign
from tests.cast import Cast

URL = "/metrics/"


@pytest.fixture
def watched(settings: Settings) -> dict[str, str]:
    settings.METRICS_TOKEN = "a-token-of-the-installation"
    return {"Authorization": "Bearer a-token-of-the-installation"}


def test_it_counts_what_there_is(
    client: Client,
    watched: dict[str, str],
    campaign: Campaign,
    cast: Cast,
    make_assignment: Callable[..., Assignment],
) -> None:
    make_assignment(campaign, None)
    make_assignment(campaign, cast.annotator)
    Assignment.objects.filter(annotator=cast.annotator).update(done=2)
    response = client.get(URL, headers=watched)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    assert 'assay_campaigns{status="open"} 1.0' in response.text
    assert 'assay_assignments{status="planned"} 1.0' in response.text
    assert "assay_items_judged 2.0" in response.text


def test_an_empty_installation_has_counts_too(client: Client, watched: dict[str, str], db: None) -> None:
    assert "assay_items_judged 0.0" in client.get(URL, headers=watched).text


def test_a_superuser_may_look(client_of: Callable[[Account], Client], db: None) -> None:
    root = Account.objects.create_superuser("root")
    assert client_of(root).get(URL).status_code == 200


@pytest.mark.parametrize("authorization", ["", "Bearer ", "Bearer wrong", "Basic a-token-of-the-installation"])
def test_without_the_token_it_does_not_exist(
    client: Client, watched: dict[str, str], db: None, authorization: str
) -> None:
    assert client.get(URL, headers={"Authorization": authorization}).status_code == 404


def test_where_no_token_is_set_none_opens_it(client: Client, db: None, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get(URL, headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("who", ["organiser", "annotator", "researcher", "stranger"])
def test_campaigns_people_do_not_see_it(client_of: Callable[[Account], Client], cast: Cast, who: str) -> None:
    assert client_of(getattr(cast, who)).get(URL).status_code == 404
