"""The page on which an organiser sets what is practised."""

import json
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest

from annotation.models import PracticeAnswer, PracticeItem
from campaigns.models import Account, Campaign
from tests.cast import Cast

LINE = {
    "source": "Talks resume.",
    "translations": {"A": "=Gespräche enden."},
    "expected": {"A": {"score": [0, 40]}},
    "feedback": "<b>Resume</b> is not end.",
}


@pytest.fixture
def address(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/practise/"


@pytest.fixture
def client(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def send(client: Client, address: str, *lines: object, **fields: str) -> Any:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file = SimpleUploadedFile("practice.jsonl", text.encode())
    return client.post(address, {"file": file, "pass_mark": "70", "attempts": "2"} | fields)


def test_items_and_mark_are_taken(address: str, client: Client, campaign: Campaign) -> None:
    assert b"No practice items yet" in client.get(address).content
    assert send(client, address, LINE, LINE).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.pass_mark, campaign.practice_attempts, campaign.practice_items.count()) == (0.7, 2, 2)
    page = client.get(address).content.decode()
    assert "&lt;b&gt;Resume&lt;/b&gt;" in page
    assert 'value="70"' in page


def test_without_a_mark_practice_is_offered(address: str, client: Client, campaign: Campaign) -> None:
    send(client, address, LINE, pass_mark="")
    campaign.refresh_from_db()
    assert campaign.pass_mark is None


def test_what_is_wrong_is_shown_by_line_and_nothing_is_changed(address: str, client: Client) -> None:
    send(client, address, LINE)
    refused = send(client, address, LINE, "{", LINE | {"expected": {"A": {"rank": [1, 1]}}})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "This JSON cannot be stored" in page
    assert "expected.A.rank" in page
    assert PracticeItem.objects.count() == 1


@pytest.mark.parametrize("fields", [{"pass_mark": "101"}, {"attempts": "0"}])
def test_a_mark_that_cannot_be_is_refused(address: str, client: Client, fields: dict[str, str]) -> None:
    assert send(client, address, LINE, **fields).status_code == 422
    assert not PracticeItem.objects.exists()


def test_first_answers_come_as_a_table(address: str, client: Client, cast: Cast) -> None:
    send(client, address, LINE)
    item = PracticeItem.objects.get()
    PracticeAnswer.objects.create(
        item=item, annotator=cast.annotator, attempt=1, client_id=item.public_id, answer={}, is_right=True
    )
    header, row = client.get(f"{address}answers.csv").content.decode().splitlines()
    assert header == "annotator,attempt,item,screen,right,skipped,tries,right_at_try,submitted"
    assert row.startswith(f"{cast.annotator.username},1,1,1,True,False,1,")


@pytest.mark.parametrize("who", ["researcher", "annotator", "stranger"])
def test_only_organisers_see_it(address: str, cast: Cast, client_of: Callable[[Account], Client], who: str) -> None:
    client = client_of(getattr(cast, who))
    assert client.get(address).status_code == 404
    assert client.get(f"{address}answers.csv").status_code == 404
