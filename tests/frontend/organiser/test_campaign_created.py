"""What a new campaign is checked for before it is made, and its page afterwards: links, made once and shown once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, Role, TestSet
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, drop, perform
from tests.sample_questions import ask_questions

ClientOf = Callable[[Account], Client]
CREATED = "/campaigns/fresh-news/created/"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


@pytest.fixture
def own_set(test_set: TestSet, cast: Cast) -> TestSet:
    TestSet.objects.update(created_by=cast.organiser)
    return test_set


def checks_of(client: Client, fields: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"missing": [], "doubt": [], "done": []}
    for check in client.get("/new-campaign/sums/", fields).context["checks"]:
        found[check.state].append(check.words)
    return found


def test_a_plan_that_its_people_cannot_finish_is_refused_with_how_many_it_takes(
    client: Client, own_set: TestSet
) -> None:
    fields = FORM | {"test_set": str(own_set.pk), "redundancy": "3", "annotators": "2"}
    words = "This plan takes at least 3 annotators, because nobody judges the same text twice."
    assert words in checks_of(client, fields)["missing"]
    response = client.post("/new-campaign/", fields)
    assert response.status_code == 422
    assert response.context["form"].errors == {"annotators": [words]}
    assert client.post("/new-campaign/", fields | {"annotators": "3"}).status_code == 302


def test_what_is_missing_and_what_is_doubtful_is_listed(client: Client, own_set: TestSet) -> None:
    assert checks_of(client, {"protocol": "direct_assessment"})["missing"] == [
        "Texts: drop files, or take a test set you have.",
        "The name.",
    ]
    fields = FORM | {"test_set": str(own_set.pk), "annotators": "40"}
    found = checks_of(client, fields | {"annotators": "0"})
    assert found["missing"] == []
    assert "No annotators yet: invite them once the campaign is created." in found["doubt"]
    assert any("too few to tell systems apart" in words for words in found["doubt"])
    assert any("some would have nothing to do" in words for words in checks_of(client, fields)["doubt"])


def test_tasks_are_as_small_as_gives_everybody_one(client: Client, own_set: TestSet) -> None:
    fields = FORM | {"test_set": str(own_set.pk), "items_per_assignment": "", "redundancy": "1"}
    alone, together = (
        client.get("/new-campaign/sums/", fields | {"annotators": number}).context["defaults"]["items_per_assignment"]
        for number in ("1", "2")
    )
    assert together == alone // 2 < alone
    pool = client.get("/new-campaign/sums/", fields | {"annotators": "2", "planning": "pool"}).context["defaults"]
    assert pool == {"items_per_assignment": 20}


def test_comprehension_does_not_fit_texts_without_questions(client: Client, own_set: TestSet) -> None:
    fields = FORM | {"test_set": str(own_set.pk)}
    unfit = client.get("/new-campaign/sums/", fields).context["unfit"]
    assert [name for name, why in unfit.items() if why] == ["gisting"]
    ask_questions(own_set)
    assert not any(client.get("/new-campaign/sums/", fields).context["unfit"].values())


def test_languages_and_name_are_suggested_from_the_files(client: Client) -> None:
    rows = "".join(
        f"d{n},1,The ferry is late and the harbour stays closed today.,Die Fähre hat heute leider Verspätung.\n"
        for n in range(4)
    )
    drop(client, ("harbour-notices.v2.csv", f"document,segment,source,system:Heron\n{rows}"))
    upload = perform().arguments["upload"]
    page = client.get(f"/new-campaign/uploads/{upload}/").content.decode()
    for field, value in (("source_language", "en"), ("target_language", "de"), ("name", "Harbour notices")):
        assert f'data-suggest="{field}" data-value="{value}"' in page
    guessed = FORM | {"upload": upload, "annotators": "1", "redundancy": "1"}
    question = "Are the texts in English and German? The languages are guessed."
    assert question in checks_of(client, guessed)["doubt"]
    assert question not in checks_of(client, guessed | {"target_language": "de-AT"})["doubt"]


def test_links_are_made_with_the_campaign_and_shown_once_each_with_its_message(
    client: Client, own_set: TestSet
) -> None:
    place = client.post("/new-campaign/", FORM | {"test_set": str(own_set.pk), "annotators": "2"})["Location"]
    perform()
    assert f'action="{CREATED}"' in client.get(place).content.decode()
    campaign = Campaign.objects.get()
    assert campaign.memberships.filter(role=Role.ANNOTATOR).count() == 2
    assert not campaign.invitations.exists()

    page = client.post(CREATED, {"access": "link"})
    (first, letter), (second, _other) = page.context["with_letters"]
    assert all(f">{each.link}</code>" in page.content.decode() for each in (first, second))
    assert first.link in letter
    assert second.link not in letter
    assert "please judge translations from" in letter
    assert "Campaign created" in page.content.decode()

    again = client.post(CREATED, {"access": "link"})
    assert "with_letters" not in again.context
    assert (campaign.invitations.count(), client.get(CREATED).status_code) == (2, 200)


def test_a_campaign_without_people_has_no_links(client: Client, own_set: TestSet) -> None:
    client.post("/new-campaign/", FORM | {"test_set": str(own_set.pk), "annotators": "0"})
    perform()
    assert "Invite people, or replace a link" in client.post(CREATED, {"access": "nonsense"}).content.decode()
