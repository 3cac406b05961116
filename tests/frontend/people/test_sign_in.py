"""In with name and password."""

from django.test import Client
from django.urls import reverse

import pytest

from campaigns.models import Account
from tests.cast import PASSWORD, Cast

URL = "/sign-in/"


def _enter(client: Client, username: str, password: str, **more: str):  # type: ignore[no-untyped-def]
    return client.post(URL, {"username": username, "password": password, **more})


def test_it_shows_the_form(client: Client, db: None) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    assert b'autocomplete="current-password"' in response.content
    assert "no-store" in response["Cache-Control"]


def test_the_right_password_opens_the_start_page(client: Client, cast: Cast) -> None:
    response = _enter(client, "anna", PASSWORD)
    assert response.status_code == 302
    assert response["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(cast.annotator.pk)
