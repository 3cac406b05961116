"""How often somebody may guess, through the whole stack of middleware."""

from collections.abc import Callable
from typing import Any

from django.test import Client, RequestFactory

import pytest
from axes.models import AccessAttempt
from pytest_django import Settings

from campaigns.models import Account
from frontend.people.attempts import client_address
from tests.cast import PASSWORD, Cast

PROXY = "10.0.0.5"
WRONG = "not the password"


def _try(name: str, password: str, forwarded: str) -> int:
    form = {"username": name, "password": password}
    return Client(REMOTE_ADDR=PROXY).post("/sign-in/", form, headers={"X-Forwarded-For": forwarded}).status_code


@pytest.fixture
def behind_proxy(settings: Settings) -> Settings:
    settings.BEHIND_PROXY = True
    return settings


def test_behind_a_proxy_nobody_locks_another_out(cast: Cast, behind_proxy: Settings) -> None:
    for _attempt in range(behind_proxy.AXES_FAILURE_LIMIT):
        status = _try("anna", WRONG, "203.0.113.7")
    assert status == 429
    assert _try("anna", PASSWORD, "198.51.100.9") == 302
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"203.0.113.7"}


def test_what_the_guesser_writes_into_the_header_is_not_believed(cast: Cast, behind_proxy: Settings) -> None:
    for attempt in range(behind_proxy.AXES_FAILURE_LIMIT):
        status = _try("anna", WRONG, f"192.0.2.{attempt}, 203.0.113.7")
    assert status == 429


def test_without_a_proxy_the_header_is_nothing(cast: Cast, settings: Settings) -> None:
    for attempt in range(settings.AXES_FAILURE_LIMIT):
        status = _try("anna", WRONG, f"192.0.2.{attempt}")
    assert status == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (1, "192.0.2.1, 203.0.113.7", "203.0.113.7"),
        (2, "192.0.2.1, 203.0.113.7, 10.0.0.9", "203.0.113.7"),
        (2, "203.0.113.7", PROXY),
        (1, "", PROXY),
        (1, "unknown", PROXY),
        (1, "203.0.113.7:4711", "203.0.113.7"),
        (1, "[2001:db8:1:2:3::4]:4711", "2001:db8:1:2::"),
        (1, "2001:db8:1:2:ffff::5", "2001:db8:1:2::"),
        (1, "::ffff:203.0.113.7", "203.0.113.7"),
    ],
)
def test_the_address_is_what_our_own_proxies_say(
    behind_proxy: Settings, proxies: int, forwarded: str, address: str
) -> None:
    behind_proxy.PROXIES = proxies
    request = RequestFactory(REMOTE_ADDR=PROXY).get("/", headers={"X-Forwarded-For": forwarded})
    assert client_address(request) == address


def test_many_names_from_one_address_wait(cast: Cast, behind_proxy: Settings) -> None:
    behind_proxy.SIGN_IN_ATTEMPTS_PER_ADDRESS = 8
    statuses = [_try(f"name{number}", WRONG, "203.0.113.7") for number in range(9)]
    assert statuses == [200] * 8 + [429]
    assert _try("anna", PASSWORD, "203.0.113.7") == 429
    assert _try("anna", PASSWORD, "198.51.100.9") == 302


def test_the_current_password_is_not_guessed_in_settings(
    client_of: Callable[[Account], Client], cast: Cast, settings: Settings
) -> None:
    anna = client_of(cast.annotator)

    def change(old: str) -> Any:
        new = {"new_password1": "eleven loud storks", "new_password2": "eleven loud storks"}
        return anna.post("/settings/password/", {"old_password": old} | new)

    statuses = [change(WRONG).status_code for _attempt in range(settings.AXES_FAILURE_LIMIT)]
    assert statuses == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    answer = change(PASSWORD)
    assert (answer.status_code, "You can try again in" in answer.text) == (429, True)
    cast.annotator.refresh_from_db()
    assert cast.annotator.check_password(PASSWORD)
    assert PASSWORD not in repr(AccessAttempt.objects.values_list("post_data", "get_data"))
    assert "loud storks" not in repr(AccessAttempt.objects.values_list("post_data"))


def test_a_right_password_in_settings_is_forgiven_what_came_before(
    client_of: Callable[[Account], Client], cast: Cast, settings: Settings
) -> None:
    anna = client_of(cast.annotator)
    new = {"new_password1": "eleven loud storks", "new_password2": "eleven loud storks"}
    for old in (WRONG, WRONG, PASSWORD):
        anna.post("/settings/password/", {"old_password": old} | new)
    assert not AccessAttempt.objects.exists()
