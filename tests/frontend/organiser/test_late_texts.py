"""The page on which an organiser adds systems and documents to a campaign that runs."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, CampaignStatus, Segment, System, TestSet
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take

ADDRESS = "/campaigns/planned-campaign/late-texts/"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Any) -> None:
    settings.UPLOAD_DIR = tmp_path


@pytest.fixture
def running(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def lines(campaign: Campaign, *systems: str) -> str:
    segments = Segment.objects.filter(document__test_set=campaign.test_set).select_related("document")
    return "".join(
        json.dumps(
            {
                "document": each.document.name,
                "segment": each.name,
                "source": each.source,
                "translations": dict.fromkeys(systems, "Spät."),
            }
        )
        + "\n"
        for each in segments
    )


def send(client: Client, text: str) -> Any:
    return client.post(ADDRESS, {"file": SimpleUploadedFile("late.jsonl", text.encode())})


def upload_in(answer: Any) -> str:
    named = re.search(r'name="upload" value="([^"]+)"', answer.content.decode())
    assert named
    return named.group(1)


def test_the_file_is_shown_then_added_and_the_people_who_know_the_texts_get_a_task(
    running: Campaign, client: Client, cast: Cast
) -> None:
    take(running, cast.annotator)
    shown = send(client, lines(running, "Late", "Later"))
    page = shown.content.decode()
    assert shown.status_code == 200
    assert "6 outputs for segments that are there" in page
    assert not System.objects.filter(name="Late").exists()
    answer = client.post(ADDRESS, {"upload": upload_in(shown), "systems": ["Late"]}, follow=True)
    page = answer.content.decode()
    assert "6 judgments are planned. 1 annotator who knows the texts has a further task." in page
    assert "Added so far" in page
    assert running.systems.filter(name="Late").exists()
    assert not System.objects.filter(name="Later").exists()


def test_problems_are_listed_and_nothing_can_be_added(running: Campaign, client: Client) -> None:
    answer = send(client, lines(running, "Late").replace("ferry", "train"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "another source" in page
    assert "Add and plan" not in page
    [upload] = client.session["late_uploads"]
    again = client.post(ADDRESS, {"upload": upload, "systems": ["Late"]})
    assert again.status_code == 422
    assert not System.objects.filter(name="Late").exists()


def test_without_a_chosen_system_nothing_is_added_and_one_can_be_chosen(running: Campaign, client: Client) -> None:
    upload = upload_in(send(client, lines(running, "Late")))
    refused = client.post(ADDRESS, {"upload": upload})
    assert refused.status_code == 422
    assert "The file adds nothing" in refused.content.decode()
    assert "Add and plan" in refused.content.decode()
    assert client.post(ADDRESS, {"upload": upload, "systems": ["Late"]}).status_code == 302


def test_an_upload_of_somebody_else_is_not_found(
    running: Campaign, client: Client, client_of: Callable[[Account], Client], cast: Cast
) -> None:
    upload = upload_in(send(client, lines(running, "Late")))
    other = make_planned_campaign(running.test_set, cast, name="Other")
    assert client_of(cast.organiser).post(ADDRESS, {"upload": upload}).status_code == 404
    assert client.post(f"/campaigns/{other.slug}/late-texts/", {"upload": "no-uuid"}).status_code == 404


def test_a_closed_campaign_takes_nothing(running: Campaign, client: Client) -> None:
    shown = send(client, lines(running, "Late"))
    Campaign.objects.filter(pk=running.pk).update(status=CampaignStatus.CLOSED)
    answer = client.post(ADDRESS, {"upload": upload_in(shown), "systems": ["Late"]})
    assert answer.status_code == 422
    assert "Open it again first" in answer.content.decode()


def test_adding_asks_no_more_of_the_database_for_longer_texts(
    running: Campaign, client: Client, test_set: TestSet
) -> None:
    def queries(name: str) -> int:
        shown = send(client, lines(running, name))
        with CaptureQueriesContext(
            connection,
        ) as made:
            assert client.post(ADDRESS, {"upload": upload_in(shown), "systems": [name]}).status_code == 302
        return len(made)

    few = queries("Late")
    document = test_set.documents.get(name="harbour")
    Segment.objects.bulk_create(
        Segment(document=document, name=f"further {at}", position=9 + at, source=f"Further {at}.") for at in range(60)
    )
    assert queries("Later") <= few + 1


def test_programs_check_a_file_before_they_add_it(running: Campaign, client: Client) -> None:
    def post(**values: Any) -> Any:
        file = SimpleUploadedFile("late.jsonl", lines(running, "Late").encode())
        return client.post("/api/v1/campaigns/planned-campaign/late-texts", {"file": file, **values})

    checked = post(dry_run="true")
    assert (checked.status_code, checked.json()["systems"], checked.json()["tasks"]) == (200, ["Late"], None)
    added = post()
    assert (added.status_code, added.json()["judgments"]) == (201, 6)
    refused = post()
    assert (refused.status_code, "adds nothing" in refused.content.decode()) == (422, True)
    listed = client.get("/api/v1/campaigns/planned-campaign/late-texts").json()["results"]
    assert [(each["systems"], each["documents"]) for each in listed] == [(["Late"], [])]


def test_the_command_adds_a_file_or_says_what_is_wrong(
    running: Campaign, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "late.jsonl"
    path.write_text(lines(running, "Late"), encoding="utf-8")
    call_command("add_late_texts", "Planned campaign", str(path), dry_run=True)
    assert "would be added. Systems: 1" in capsys.readouterr().out
    call_command("add_late_texts", "planned-campaign", str(path), json=True)
    assert json.loads(capsys.readouterr().out)["judgments"] == 6
    with pytest.raises(CommandError, match="adds nothing"):
        call_command("add_late_texts", "planned-campaign", str(path))
