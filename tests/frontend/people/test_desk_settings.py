"""Keys and text size of the judging desk, which follow their person to each device."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest

from campaigns.models import Account
from tests.cast import Cast

ClientOf = Callable[[Account], Client]


def _send(client: Client, entered: Any) -> tuple[int, dict[str, list[str]]]:
    response = client.post("/settings/desk/", json.dumps(entered), content_type="application/json")
    return response.status_code, response.json()["errors"] if response.content else {}


def test_what_was_set_is_stored_whole(client_of: ClientOf, cast: Cast) -> None:
    client = client_of(cast.annotator)
    entered = {"keys": {"G": "L", "←": "A", "Del": "V", "[": "ß", "Enter": "E"}, "text_size": "large"}
    assert _send(client, entered) == (204, {})
    cast.annotator.refresh_from_db()
    assert cast.annotator.desk == entered
    assert _send(client, {}) == (204, {})
    cast.annotator.refresh_from_db()
    assert cast.annotator.desk == {"keys": {}, "text_size": "medium"}


@pytest.mark.parametrize(
    ("entered", "fields"),
    [
        ({"keys": {"G": "7"}}, {"keys"}),
        ({"keys": {"G": "F5"}}, {"keys"}),
        ({"keys": {"G": " "}}, {"keys"}),
        ({"keys": {"G": ["L"]}}, {"keys"}),
        ({"keys": {chr(0x4E00 + number): "L" for number in range(61)}}, {"keys"}),
        ({"keys": ["G"]}, {"keys"}),
        ({"keys": {"": "L"}, "text_size": "huge"}, {"keys", "text_size"}),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    client_of: ClientOf, cast: Cast, entered: Any, fields: set[str]
) -> None:
    status, errors = _send(client_of(cast.annotator), entered)
    assert (status, set(errors)) == (422, fields)
    cast.annotator.refresh_from_db()
    assert cast.annotator.desk is None


def test_no_json_is_no_error_of_the_server(client_of: ClientOf, cast: Cast) -> None:
    client = client_of(cast.annotator)
    for body in ("", "[]", "\xff"):
        assert client.post("/settings/desk/", body, content_type="application/json").status_code == 400
