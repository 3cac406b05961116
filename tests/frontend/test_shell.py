"""What every page has in common."""

import re
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.actions.links import invite_account
from campaigns.models import Account, Campaign, Role
from tests.cast import Cast

PUBLIC = ["/sign-in/", "/invitations/unknown/", "/there-is-no-such-page/"]
SIGNED_IN = ["/settings/", "/campaigns/harbour-campaign/guidelines/", "/there-is-no-such-page/"]


@pytest.fixture
def pages(client: Client, client_of: Callable[[Account], Client], campaign: Campaign, cast: Cast) -> dict[str, str]:
    anna = client_of(cast.annotator)
    issued = invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    public = {path: client.get(path).text for path in [*PUBLIC, f"/invitations/{issued.secret}/"]}
    return public | {f"{path} signed in": anna.get(path).text for path in SIGNED_IN}


def test_each_page_names_its_language_its_direction_and_itself(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        assert re.search(r'<html lang="en"\s+dir="ltr"', text), path
        assert re.search(r"<title>\w[^<]* · Assay</title>", text), path


def test_each_page_can_be_skipped_into_and_has_one_heading_of_the_first_order(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        assert 'class="skip" href="#main"' in text, path
        assert 'id="main"' in text, path
        assert text.count("<h1") == 1, path


def test_no_page_is_for_search_engines(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        assert '<meta name="robots" content="noindex, nofollow">' in text, path


def test_nothing_is_written_in_line_that_the_policy_would_refuse(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        assert not re.search(r"\sstyle=", text), path
        assert not re.search(r"\son\w+=", text), path
        assert not re.search(r"<style", text), path
        assert not re.search(r"<script(?![^>]*\b(src=|type=\"application/json\"))", text), path
        assert not re.search(r"(src|href)=\"(https?:)?//", text), path


def test_the_policy_is_strict(client: Client, db: None) -> None:
    policy = client.get("/sign-in/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_a_name_is_shown_as_text(client_of: Callable[[Account], Client], cast: Cast) -> None:
    Account.objects.filter(pk=cast.annotator.pk).update(name="<img src=x onerror=alert(1)>")
    text = client_of(Account.objects.get(pk=cast.annotator.pk)).get("/settings/").text
    assert "<img" not in text
    assert "<bdi>&lt;img" in text


def test_the_page_for_a_failing_server_asks_the_database_for_nothing(client: Client) -> None:
    from django.test import RequestFactory

    from frontend.errors import server_error

    response = server_error(RequestFactory().get("/"))  # without the db fixture, a query would raise
    assert response.status_code == 500
    assert "This page could not be loaded" in response.text
    assert "Your judgments are saved." in response.text
