"""In with name and password."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.models import Account
from tests.cast import PASSWORD, Cast

URL = "/sign-in/"


def _enter(client: Client, username: str, password: str, **more: str) -> Any:
    return client.post(URL, {"username": username, "password": password, **more})


def test_it_shows_a_form_that_password_managers_understand(client: Client, db: None) -> None:
    response = client.get(URL)
    assert response.status_code == 200
    assert 'autocomplete="username"' in response.text
    assert 'autocomplete="current-password"' in response.text
    assert "no-store" in response["Cache-Control"]


def test_the_right_password_opens_the_start_page(client: Client, cast: Cast) -> None:
    response = _enter(client, "anna", PASSWORD)
    assert response.status_code == 302
    assert response["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(cast.annotator.pk)


def test_it_goes_on_where_one_was_stopped(client: Client, cast: Cast) -> None:
    assert client.get("/settings/")["Location"] == "/sign-in/?next=/settings/"
    assert 'name="next" value="/settings/"' in client.get("/sign-in/?next=/settings/").text
    assert _enter(client, "anna", PASSWORD, next="/settings/")["Location"] == "/settings/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil"])
def test_it_never_leads_to_another_host(client: Client, cast: Cast, elsewhere: str) -> None:
    assert _enter(client, "anna", PASSWORD, next=elsewhere)["Location"] == reverse("home")


@pytest.mark.parametrize("username", ["anna", "nobody"])
def test_a_wrong_password_and_an_unknown_name_get_the_same_words(client: Client, cast: Cast, username: str) -> None:
    response = _enter(client, username, "not the password")
    assert "That name and password do not match." in response.text
    assert 'aria-invalid="true"' in response.text
    assert 'aria-describedby="sign-in-error"' in response.text
    assert "not the password" not in response.text
    assert "_auth_user_id" not in client.session


def test_empty_fields_are_reported(client: Client, db: None) -> None:
    assert "Enter both your name and your password." in _enter(client, "", "").text


def test_a_closed_account_looks_like_a_wrong_password(client: Client, cast: Cast) -> None:
    Account.objects.filter(username="anna").update(is_active=False)
    assert "do not match" in _enter(client, "anna", PASSWORD).text
    assert "_auth_user_id" not in client.session


def test_an_account_without_a_password_cannot_be_guessed_open(client: Client, db: None) -> None:
    Account.objects.create_user(username="invited", password=None)
    assert "do not match" in _enter(client, "invited", "").text or "Enter both" in _enter(client, "invited", "").text
    assert "_auth_user_id" not in client.session


def test_after_too_many_attempts_even_the_right_password_waits(client: Client, cast: Cast, settings: Settings) -> None:
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        response = _enter(client, "anna", "not the password")
    assert response.status_code == 429
    assert "You can try again in 15 minutes." in response.text
    assert _enter(client, "anna", PASSWORD).status_code == 429
    assert "_auth_user_id" not in client.session


def test_one_persons_failures_do_not_lock_another_out(client: Client, cast: Cast, settings: Settings) -> None:
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        _enter(client, "anna", "not the password")
    assert _enter(client, "ben", PASSWORD).status_code == 302


def test_the_wait_ends(client: Client, cast: Cast, settings: Settings) -> None:
    from axes.models import AccessAttempt

    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        _enter(client, "anna", "not the password")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert _enter(client, "anna", PASSWORD).status_code == 302


def test_whoever_is_in_is_sent_on(client_of: Callable[[Account], Client], cast: Cast) -> None:
    assert client_of(cast.annotator).get(URL)["Location"] == reverse("home")


def test_other_methods_are_refused(client: Client, db: None) -> None:
    assert client.put(URL).status_code == 405


def test_a_form_from_elsewhere_is_refused(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    response = _enter(client, "anna", PASSWORD)
    assert response.status_code == 403
    assert "This form has expired" in response.text
