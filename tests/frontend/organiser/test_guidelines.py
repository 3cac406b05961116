"""The page on which an organiser writes what annotators read."""

from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign
from tests.cast import Cast

ClientOf = Callable[[Account], Client]


@pytest.fixture
def address(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/texts/"


def test_what_is_saved_is_what_annotators_read(
    address: str, campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    texts = {"guidelines": "Judge the *meaning*.\n\n    not the style", "consent": "I agree."}
    assert client_of(cast.organiser).post(address, texts).status_code == 302
    campaign.refresh_from_db()
    assert campaign.guidelines == "Judge the *meaning*.\n\n    not the style"
    page = client_of(cast.annotator).get(f"/campaigns/{campaign.slug}/guidelines/").content.decode()
    assert "<em>meaning</em>" in page


def test_a_preview_saves_nothing(address: str, campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    fields = {"guidelines": "# Mind **this**", "consent": "", "preview": "1"}
    page = client_of(cast.organiser).post(address, fields).content.decode()
    assert "<strong>this</strong>" in page
    assert "# Mind **this**" in page
    before = campaign.guidelines
    campaign.refresh_from_db()
    assert campaign.guidelines == before


def test_too_long_a_text_is_refused_and_stays_in_the_form(address: str, cast: Cast, client_of: ClientOf) -> None:
    answer = client_of(cast.organiser).post(address, {"guidelines": "x" * 100_001, "consent": "kept"})
    assert answer.status_code == 422
    assert b"kept" in answer.content


@pytest.mark.parametrize("who", ["researcher", "annotator", "stranger"])
def test_only_organisers_write(address: str, cast: Cast, client_of: ClientOf, who: str) -> None:
    assert client_of(getattr(cast, who)).get(address).status_code == 404
