"""What an annotator's device may keep of the judging page, and by whose word."""

import time
from collections.abc import Callable

from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Assignment
from campaigns.models import Account, Campaign
from tests.cast import Cast

ClientOf = Callable[[Account], Client]


@pytest.fixture
def page(campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]) -> str:
    return f"/assignments/{make_assignment(campaign, cast.annotator).pk}/"


def test_the_judging_page_may_be_stored_by_account_and_campaign_for_a_time(
    page: str, campaign: Campaign, cast: Cast, client_of: ClientOf, settings: Settings
) -> None:
    settings.OFFLINE_DAYS = 3
    key, until = client_of(cast.annotator).get(page)["Assay-Keep"].split()
    assert key == f"{cast.annotator.pk}:{campaign.pk}"
    assert int(until) - time.time() == pytest.approx(3 * 24 * 60 * 60, abs=60)


def test_with_no_days_nothing_is_stored(page: str, cast: Cast, client_of: ClientOf, settings: Settings) -> None:
    settings.OFFLINE_DAYS = 0
    response = client_of(cast.annotator).get(page)
    assert "Assay-Keep" not in response
    assert '"service_worker": null' in response.text


@pytest.mark.parametrize(
    "address", ["/", "/settings/", "{page}?review", "{page}done/", "/campaigns/{slug}/guidelines/"]
)
def test_no_other_page_of_an_annotator_may_be_stored(
    address: str, page: str, campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    response = client_of(cast.annotator).get(address.format(page=page, slug=campaign.slug), follow=False)
    assert "Assay-Keep" not in response


@pytest.mark.parametrize("address", ["", "results/", "people/", "progress/", "exports/", "metrics/"])
def test_no_page_of_organisers_and_results_may_be_stored(
    address: str, campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    assert "Assay-Keep" not in client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/{address}", follow=True)


def test_the_service_worker_answers_for_nothing_but_assignments(client: Client, db: None) -> None:
    response = client.get("/assignments/service-worker.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert "Service-Worker-Allowed" not in response  # so that its scope is its own folder
    assert "worker-src 'self'" in response["Content-Security-Policy"]
    assert b"Assay-Keep" in response.content
