"""A campaign of Pearmut, dropped on the new-campaign page or sent to the API: described first, then made whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    assert "cannot be used" not in page
    created = client.post("/new-campaign/", FORM | {"upload": run.arguments["upload"], "annotators": "1"})
    assert created.status_code == 302
    assert perform().status == RunStatus.DONE
    campaign = Campaign.objects.get(name=FORM["name"])
    assert (campaign.protocol, campaign.test_set.format) == ("cesa", "pearmut")
    assert sorted(campaign.memberships.values_list("account__username", flat=True)) == ["ash", "birch", "olive"]
    assert campaign.attention_checks.count() == 1
    assert client.get(created["Location"]).status_code == 200


def test_what_is_wrong_stands_on_the_page_with_its_place(client: Client) -> None:
    drop(client, ("pearmut.json", campaign_file(protocol="rank", users=["ash", "ash"])))
    run = perform()
    page = client.get(f"/new-campaign/uploads/{run.arguments['upload']}/").content.decode()
    for place in ("info.protocol", "info.users[1]"):
        assert place in page
    assert not TestSet.objects.filter(format="pearmut").exists()
