"""A campaign rebuilt on a page: who may, how it ends, and what is said of a bad file."""

from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign
from exchange.archive.writing import write_archive
from jobs.actions import claim_run, perform_run
from jobs.models import Run
from tests.cast import Cast
from tests.exchange.judged_campaign import judge_one_of_everything

ClientOf = Callable[[Account], Client]
PAGE = "/rebuild-campaign/"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path


def dropped(client: Client, content: bytes) -> str:
    file = SimpleUploadedFile("campaign.assay.zip", content)
    response = client.post(PAGE, {"name": "Rebuilt", "archive": file})
    assert response.status_code == 302
    return response["Location"]


def perform() -> None:
    run = claim_run(Run.objects.get().pk)
    assert run is not None
    perform_run(run)


def test_who_may_make_campaigns_may_rebuild_one(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    client = client_of(cast.stranger)
    state = dropped(client, b"".join(write_archive(campaign, pseudonymised=True)))
    assert b"Waiting for a worker" in client.get(state).content
    assert client_of(cast.organiser).get(state).status_code == 404
    perform()
    assert client.get(state)["Location"] == "/campaigns/rebuilt/overview/"
    assert client.get("/campaigns/rebuilt/overview/").status_code == 200
    assert client_of(cast.organiser).get("/campaigns/rebuilt/overview/").status_code == 404


@pytest.mark.parametrize("who", ["researcher", "annotator"])
def test_others_may_not(cast: Cast, client_of: ClientOf, who: str) -> None:
    client = client_of(getattr(cast, who))
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE).status_code == 403


def test_all_errors_of_a_bad_file_are_on_the_page(cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.stranger)
    state = dropped(client, b"PK, or so it says")
    perform()
    page = client.get(state).content.decode()
    assert "nothing was stored" in page
    assert "is not a ZIP file" in page
    assert client.post(PAGE, {"name": ""}).status_code == 422
