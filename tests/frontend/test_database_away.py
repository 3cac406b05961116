"""While the database is away every address says so: 503 and a sentence, never an error of the server's own."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NoReturn
from unittest import mock

from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, TestSet
from tests.cast import Cast
from tests.frontend.places import QUERIES, make_people, make_places, placed
from tests.frontend.site_map import site_map

SITE = site_map()
# They ask the database nothing: forms to come in by, the schema, a sample, and words in another language.
NEED_NO_DATABASE = {
    *(
        "api-docs",
        "app-manifest",
        "api-docs-resource",
        "api-schema",
        "language",
        "organiser-sample",
        "service-worker",
        "sign-in",
        "sign-out",
        "metrics",
    )
}
AWAY = OperationalError('connection to server at "10.0.0.3", port 5432 failed: Connection refused')


def database_away(error: Exception = AWAY) -> AbstractContextManager[object]:
    """Every question fails as it does when the server behind an open connection is gone."""

    def fail(*_arguments: object) -> NoReturn:
        raise error.with_traceback(None)  # else its traceback grows with every question, and the log writes all of it

    return mock.patch.object(BaseDatabaseWrapper, "cursor", side_effect=fail)


@pytest.fixture
def addresses(test_set: TestSet, cast: Cast, settings: Settings, tmp_path: Path) -> dict[str, str]:
    settings.UPLOAD_DIR = tmp_path
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    campaign, _people = make_people(test_set, cast)
    places = make_places(campaign, cast)
    cache.clear()
    return {name: placed(route, places) + QUERIES.get(name, "") for name, route in SITE.items()}


@pytest.mark.drawn(2)
@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_address_says_that_the_database_is_away(
    addresses: dict[str, str], cast: Cast, client_of: Callable[[Account], Client], method: str, signed_in: bool
) -> None:
    client = client_of(cast.organiser) if signed_in else Client()
    client.raise_request_exception = False
    statuses, silent = {}, []
    with database_away():
        for name, address in addresses.items():
            response = client.generic(method, address, "", "application/x-www-form-urlencoded")
            statuses[name] = response.status_code
            if response.status_code == 503 and b"database" not in response.content and name != "health":
                silent.append(name)
    failed = {name: status for name, status in statuses.items() if status == 500}
    assert failed == {}
    assert silent == []
    needing = {"invitation", "shared-results", "shared-texts", "health"} if method == "GET" else {"invitation"}
    if signed_in:
        answered = {name for name, status in statuses.items() if status not in (503, 405)}
        assert answered - NEED_NO_DATABASE == set()
        needing |= {"home", "settings", "organiser-people", "researcher-results", "researcher-export", "api-archive"}
    assert all(statuses[name] in (503, 405) for name in needing), statuses


@pytest.mark.parametrize("error", [AWAY, InterfaceError("connection already closed")])
def test_a_link_says_it_in_a_sentence_without_the_insides(client: Client, db: None, error: Exception) -> None:
    client.raise_request_exception = False
    with database_away(error):
        page = client.get("/invitations/whatever/")
        shared = client.get("/shared/whatever/")
        program = client.get("/api/v1/account", headers={"Authorization": "Token x"})
    for response in (page, shared):
        assert response.status_code == 503
        assert "The database does not answer" in response.content.decode()
        assert "10.0.0.3" not in response.content.decode()
        assert response["Cache-Control"] == "no-store"
    assert (program.status_code, program.json()["detail"]) == (503, "The database is busy. Try again.")


def test_another_error_stays_an_error(client: Client, db: None) -> None:
    client.raise_request_exception = False
    with mock.patch("frontend.people.invitation.open_invitation", side_effect=ZeroDivisionError):
        response = client.get("/invitations/whatever/")
    assert response.status_code == 500
