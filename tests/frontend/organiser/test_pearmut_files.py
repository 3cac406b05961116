"""A campaign of Pearmut, dropped on the new-campaign page or sent to the API: described first, then made whole."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, TestSet
from jobs.models import RunStatus
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, drop, perform

ClientOf = Callable[[Account], Client]


def campaign_file(**info: Any) -> str:
    item = {"item_id": "news_###_quay_###_0", "src": "Late.", "tgt": {"Heron": "Spät.", "Rook": "Zu spät."}}
    check = item | {"item_id": "attention_check_0", "validation": {"Heron": {"score_greaterthan": "Rook"}}}
    about = {"assignment": "single-stream", "protocol": "cESA", "users": ["ash", "birch"], "shuffle": True}
    content = {"info": about | info, "campaign_id": "c", "data": [[item]], "data_random": [[check]]}
    content["data_welcome"] = [[{"text": "Since when do you translate?", "form": "number"}]]
    return json.dumps(content)


@pytest.fixture
def client(cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    return client_of(cast.organiser)


def test_the_page_says_what_is_in_it_and_makes_the_campaign(client: Client) -> None:
    drop(client, ("pearmut.json", campaign_file()))
    run = perform()
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    assert "Annotators: 2. Documents: 1. Systems: 2. Practice: 0. Attention checks: 1." in page
    assert "`shuffle` has no equal here and is left out." in page
    assert "Questions of forms, asked in questionnaires now: 1." in page
    assert "cannot be used" not in page
    created = client.post("/new-campaign/", FORM | {"upload": run.arguments["upload"], "annotators": "1"})
    assert created.status_code == 302
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get(name=FORM["name"])
    assert (campaign.protocol, campaign.test_set.format) == ("cesa", "pearmut")
    assert sorted(campaign.memberships.values_list("account__username", flat=True)) == ["ash", "birch", "olive"]
    assert campaign.attention_checks.count() == 1
    assert client.get(created["Location"]).status_code == 200
    assert (
        "Questions of forms, asked in questionnaires now: 1."
        in client.get(f"/campaigns/{campaign.slug}/created/").content.decode()
    )


def test_what_is_wrong_stands_on_the_page_with_its_place(client: Client) -> None:
    drop(client, ("pearmut.json", campaign_file(protocol="rank", users=["ash", "ash"])))
    run = perform()
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    for place in ("info.protocol", "info.users[1]"):
        assert place in page
    assert not TestSet.objects.filter(format="pearmut").exists()


def zipped(*members: tuple[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def send(client: Client, name: str, content: bytes) -> Any:
    return client.post("/new-campaign/uploads/", {"files": [SimpleUploadedFile(name, content)]})


def test_files_in_a_zip_count_as_dropped_and_a_manifest_goes_with_its_batches(client: Client) -> None:
    task = {"sourceLanguage": "eng", "targetLanguage": "deu", "requiredAnnotations": 1}
    about = {"documentID": "d", "itemID": 1, "isCompleteDocument": False, "sourceText": "It.", "targetID": "Heron"}
    items = [about | {"itemType": "TGT", "targetText": "Es."}, about | {"itemType": "BAD", "targetText": "Eis."}]
    manifest = {"CAMPAIGN_NAME": "c", "REDUNDANCY": 1, "TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 3, 1]]}
    members: list[tuple[str, str | bytes]] = [
        ("work/batches.json", json.dumps([{"task": task, "items": items}])),
        ("work/manifest.json", json.dumps(manifest)),
        ("__MACOSX/._batches.json", b"\0\5\x16\7"),
    ]
    assert send(client, "campaign.zip", zipped(*members)).status_code == 200
    run = perform()
    assert [file["name"] for file in run.arguments["files"]] == ["batches.json", "manifest.json"]
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    assert "Appraise campaign, Direct assessment. Annotators: 3. Documents: 1. Systems: 1." in page
    assert "Control items: 1." in page
    client.post("/new-campaign/", FORM | {"upload": run.arguments["upload"], "annotators": "1"})
    assert perform().status == RunStatus.DONE
    assert Campaign.objects.get(name=FORM["name"]).test_set.format == "appraise-json"


def test_zips_that_cannot_be_are_refused_with_every_reason_and_nothing_stays(
    client: Client, settings: Settings
) -> None:
    inner = zipped(("a.csv", "x"))
    refused = send(client, "a.zip", zipped(("b/inner.zip", inner), ("c.csv.gz", b"\x1f\x8b\x08")))
    assert refused.status_code == 422
    page = refused.content.decode()
    assert page.count("archive within an archive") == 2
    assert "b/inner.zip" in page
    assert "without “..”" in send(client, "a.zip", zipped(("../a.csv", "x"))).content.decode()
    settings.UPLOAD_MEGABYTES = 1
    assert "more than 1 MB" in send(client, "bomb.zip", zipped(("a.csv", b"0" * 2_000_000))).content.decode()
    damaged = zipped(("a.csv", "x" * 500))
    assert "it is damaged" in send(client, "a.zip", damaged[: len(damaged) // 2]).content.decode()
    assert not list((Path(settings.UPLOAD_DIR) / "incoming").iterdir())
