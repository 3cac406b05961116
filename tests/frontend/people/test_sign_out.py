"""Out again."""

from collections.abc import Callable

from django.test import Client

from campaigns.models import Account
from tests.cast import Cast


def test_the_session_ends(client_of: Callable[[Account], Client], cast: Cast) -> None:
    client = client_of(cast.annotator)
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/settings/").status_code == 302


def test_a_link_signs_nobody_out(client_of: Callable[[Account], Client], cast: Cast) -> None:
    client = client_of(cast.annotator)
    assert client.get("/sign-out/").status_code == 405
    assert client.get("/settings/").status_code == 200


def test_whoever_is_out_already_stays_out(client: Client, db: None) -> None:
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
