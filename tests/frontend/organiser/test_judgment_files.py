"""Files of judgments, dropped on the new-campaign page or sent to the API: described, then a closed campaign."""

import gzip
from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from annotation.models import Judgment
from campaigns.models import Account, Campaign, TestSet
from jobs.models import RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, drop, perform
from tests.frontend.organiser.test_pearmut_files import send, zipped
from tests.metrics.real_campaigns import real_case

ClientOf = Callable[[Account], Client]
ROWS = "".join(
    f"{name},{system},{item},TGT,eng,deu,7{item},harbour,False,100.5,104.75\n"
    for name in ("anna", "ben")
    for system in ("Heron", "Rook")
    for item in (1, 2)
)
LANGUAGES = {"source_language": "en", "target_language": "de"}


@pytest.fixture
def client(cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    return client_of(cast.organiser)


def page_of(client: Client, upload: str) -> str:
    return client.get(f"/new-campaign/uploads/{upload}/").content.decode()


def test_the_page_says_what_is_in_them_and_makes_a_closed_campaign(client: Client) -> None:
    drop(client, ("scores.csv", ROWS))
    upload = perform().arguments["upload"]
    page = page_of(client, upload)
    assert (
        "Judgments (appraise-csv), Direct assessment: 8. Annotators: 2. Systems: 2. Documents: 1. Segments: 2." in page
    )
    assert "They make a campaign that is closed." in page
    assert "cannot be used" not in page
    created = client.post("/new-campaign/", FORM | {"upload": upload, "annotators": "1"})
    assert created.status_code == 302
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get(name=FORM["name"])
    assert (campaign.status, campaign.test_set.format) == ("closed", "appraise-csv")
    assert Judgment.objects.filter(item__assignment__campaign=campaign).count() == 8
    assert client.get(created["Location"]).status_code == 200


def test_what_is_wrong_stands_on_the_page_with_its_line(client: Client) -> None:
    drop(client, ("scores.csv", ROWS + ROWS.replace(",71,", ",171,")))
    page = page_of(client, perform().arguments["upload"])
    assert page.count("A score must be from 0 to 100.") == 4
    assert "They make a campaign" not in page
    assert not TestSet.objects.exists()


@pytest.mark.real_data
def test_annotations_of_pearmut_come_in_beside_their_campaign(client: Client) -> None:
    folder = real_case("genmt-wmt26-sample")
    members = [(name, (folder / name).read_bytes()) for name in ("pearmut-annotations.json", "pearmut-campaign.json")]
    send(client, "both.zip", zipped(*members))
    assert "Judgments (pearmut)" in page_of(client, perform().arguments["upload"])


@pytest.mark.real_data
def test_the_api_takes_judgments_and_another_protocol_for_them(client: Client) -> None:
    published = real_case("esa-wmt23-ende") / "240315rc5ESA.scores.csv.gz"
    file = SimpleUploadedFile("scores.csv", gzip.decompress(published.read_bytes()))
    body = {"name": "Judged", "file": file, "protocol": "direct_assessment", **LANGUAGES}
    answer = client.post("/api/v1/campaign-imports", body)
    assert answer.status_code == 202, answer.content
    run = perform()
    assert run.status == RunStatus.DONE, run.error
    assert Campaign.objects.get(slug="judged").protocol == "direct_assessment"
    assert (run.result or {})["report"]["judgments"] > 1000


def test_the_api_says_which_formats_were_tried(client: Client) -> None:
    file = SimpleUploadedFile("odd.json", b'{"annotation": []}')
    client.post("/api/v1/campaign-imports", {"name": "Judged", "file": file, **LANGUAGES})
    error = perform().error
    assert "pearmut: no `item`" in error
    assert "Pearmut: no `info`, `data`" in error
    assert not Campaign.objects.exists()
