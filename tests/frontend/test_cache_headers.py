"""What names people or shows results is kept by no browser and no proxy; what is the same for everybody may be."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from django.contrib.staticfiles import finders
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, TestSet
from frontend.cache_headers import STORED_BY_WHO_MAY_SEE, THE_SAME_FOR_EVERYBODY
from tests.cast import Cast
from tests.frontend.access_rules import NOBODY, PEOPLE
from tests.frontend.places import QUERIES, make_people, make_places, placed
from tests.frontend.site_map import site_map

SITE = site_map()


@pytest.fixture
def addresses(
    test_set: TestSet, cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, str], dict[str, Account]]:
    settings.UPLOAD_DIR = tmp_path
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    monkeypatch.setattr(import_module("metrics.analyses.ranking"), "FEWEST_PER_SYSTEM", 1)
    campaign, people = make_people(test_set, cast)
    places = make_places(campaign, cast)
    return {name: placed(route, places) + QUERIES.get(name, "") for name, route in SITE.items()}, people


def test_only_pages_that_are_the_same_for_everybody_may_be_cached(
    addresses: tuple[dict[str, str], dict[str, Account]], client_of: Callable[[Account], Client]
) -> None:
    cacheable, answered = set(), set()
    placed_addresses, people = addresses
    for person in PEOPLE:
        client = Client() if person == NOBODY else client_of(people[person])
        for name, address in placed_addresses.items():
            # what OPTIONS is answered comes from Django and DRF, to everybody alike
            for response in (client.get(address), *([client.options(address)] if person == NOBODY else [])):
                answered.add(response.status_code)
                if name in STORED_BY_WHO_MAY_SEE and response.status_code == 200:
                    assert response["Cache-Control"].startswith("private, ")
                elif "no-store" not in response.headers.get("Cache-Control", ""):
                    cacheable.add(name)
    assert cacheable == THE_SAME_FOR_EVERYBODY
    assert {200, 302, 401, 403, 404, 405} <= answered


def test_a_missing_page_may_not_be_cached(client: Client, db: None) -> None:
    assert client.get("/nowhere/")["Cache-Control"] == "no-store"
    assert client.get("/api/v1/nowhere/")["Cache-Control"] == "no-store"


def test_style_sheets_keep_their_time(client: Client, db: None, settings: Settings) -> None:
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_MAX_AGE = 60
    assert finders.find("css/assay.css")
    response = client.get("/static/css/assay.css")
    assert list(response.streaming_content)  # type: ignore[attr-defined]  # and the file is closed
    assert response["Cache-Control"] == "max-age=60, public"
