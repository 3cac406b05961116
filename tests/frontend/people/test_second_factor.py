"""One-time codes of organisers: set up, asked for at sign-in, required, lost."""

import re
import time
from collections.abc import Callable
from datetime import timedelta

from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.actions.second_factors import LONGEST_WAIT, begin_factor, confirm_factor, key_of, opens_again_at
from campaigns.models import Account, ApiToken, AuditEntry, Campaign, Role, SecondFactor
from campaigns.one_time_codes import code_at, step_of
from tests.cast import PASSWORD, Cast, invite_annotators

PAGE, CODE = "/settings/second-factor/", "/sign-in/code/"


@pytest.fixture(autouse=True)
def _allowed(settings: Settings) -> None:
    settings.SECOND_FACTOR = "allowed"


@pytest.fixture
def olive(cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def _code(account: Account, steps: int = 0) -> str:
    return code_at(key_of(SecondFactor.objects.get(account=account)), step_of(time.time()) + steps)


def _with_codes(account: Account) -> list[str]:
    """The recovery codes. The step before the present one is used up."""
    begin_factor(account)
    return confirm_factor(account=account, code=_code(account, -1), session="")


def _enter(client: Client, username: str = "olive", after: str = "") -> str:
    response = client.post("/sign-in/", {"username": username, "password": PASSWORD, "next": after})
    return str(response["Location"])


def _is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_it_is_set_up_with_a_picture_a_key_and_a_first_code(olive: Client, cast: Cast) -> None:
    olive.get("/settings/")
    assert olive.post(PAGE, {"do": "begin", "password": PASSWORD})["Location"] == PAGE
    page = olive.get(PAGE).text
    assert "<svg" in page
    assert re.search(r"([A-Z2-7]{4} ){7}[A-Z2-7]{4}", page)
    response = olive.post(PAGE, {"do": "confirm", "code": _code(cast.organiser)})
    codes = re.findall(r"<code>([0-9A-Z-]{14})</code>", response.text)
    assert len(set(codes)) == 10
    stored = SecondFactor.objects.get(account=cast.organiser)
    assert stored.confirmed_at
    assert not any(code in str(vars(stored)) for code in codes)
    assert AuditEntry.objects.filter(action="second_factor_on", actor=cast.organiser).exists()
    assert olive.get("/settings/").status_code == 200


def test_other_devices_are_signed_out_when_it_is_turned_on(
    olive: Client, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    elsewhere = client_of(cast.organiser)
    olive.post(PAGE, {"do": "begin", "password": PASSWORD})
    olive.post(PAGE, {"do": "confirm", "code": _code(cast.organiser)})
    assert elsewhere.get("/settings/")["Location"].startswith("/sign-in/?")


def test_a_wrong_password_or_first_code_turns_nothing_on(olive: Client, cast: Cast) -> None:
    assert "This is not your password." in olive.post(PAGE, {"do": "begin", "password": "guessed"}).text
    assert not SecondFactor.objects.exists()
    olive.post(PAGE, {"do": "begin", "password": PASSWORD})
    response = olive.post(PAGE, {"do": "confirm", "code": "000000"})
    assert response.status_code == 422
    assert "check the phone" in response.text
    assert SecondFactor.objects.get().confirmed_at is None
    assert _enter(Client()) == "/"


def test_sign_in_asks_for_the_code_and_then_goes_on(client: Client, cast: Cast) -> None:
    _with_codes(cast.organiser)
    assert _enter(client, after="/settings/data/") == CODE
    assert not _is_in(client)
    assert client.get("/settings/").status_code == 302
    assert 'autocomplete="one-time-code"' in client.get(CODE).text
    response = client.post(CODE, {"code": _code(cast.organiser)})
    assert response["Location"] == "/settings/data/"
    assert _is_in(client)
    assert client.get("/settings/").status_code == 200


def test_people_without_codes_sign_in_as_before(client: Client, cast: Cast) -> None:
    _with_codes(cast.organiser)
    assert _enter(client, "anna") == "/"
    assert _is_in(client)
    assert client.get(PAGE).status_code == 404  # it is for organisers


def test_a_code_is_taken_once(cast: Cast) -> None:
    _with_codes(cast.organiser)
    code = _code(cast.organiser)
    for expected in (302, 422):
        client = Client()
        _enter(client)
        response = client.post(CODE, {"code": code})
        assert response.status_code == expected
    assert "used before" in response.text
    assert not _is_in(client)


def test_a_recovery_code_lets_in_once_however_it_is_typed(cast: Cast) -> None:
    first, *others = _with_codes(cast.organiser)
    for expected in (302, 422):
        client = Client()
        _enter(client)
        assert client.post(CODE, {"code": f" {first.lower()} "}).status_code == expected
    assert len(SecondFactor.objects.get().recovery_hashes) == len(others)


def test_wrong_codes_are_counted_over_all_devices_and_waits_grow(cast: Cast, settings: Settings) -> None:
    _with_codes(cast.organiser)
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        client = Client()
        _enter(client)
        response = client.post(CODE, {"code": "wrong"})
    assert response.status_code == 429
    assert "You can try again in 15 minutes." in response.text
    assert client.post(CODE, {"code": _code(cast.organiser)}).status_code == 429
    later = timezone.now() - timedelta(minutes=16)
    SecondFactor.objects.update(wrong_at=later)
    assert client.post(CODE, {"code": _code(cast.organiser)}).status_code == 302
    factor = SecondFactor(wrong_codes=2 * settings.AXES_FAILURE_LIMIT, wrong_at=later)
    assert opens_again_at(factor) == later + timedelta(minutes=30)
    factor.wrong_codes = 1000 * settings.AXES_FAILURE_LIMIT
    assert opens_again_at(factor) == later + LONGEST_WAIT


def test_what_was_shown_before_the_code_may_end_meanwhile(client: Client, cast: Cast) -> None:
    _with_codes(cast.organiser)
    _enter(client)
    cast.organiser.set_password("eleven loud storks")
    cast.organiser.save()
    assert client.post(CODE, {"code": _code(cast.organiser)})["Location"] == "/sign-in/"
    assert not _is_in(client)


def test_an_hour_later_the_password_is_asked_for_again(client: Client, cast: Cast) -> None:
    _with_codes(cast.organiser)
    _enter(client)
    session = client.session
    session["half_signed_in"] = {**session["half_signed_in"], "at": time.time() - 3600}
    session.save()
    assert client.get(CODE)["Location"] == "/sign-in/"


def test_a_link_asks_too_and_an_annotators_link_does_not(client: Client, cast: Cast, campaign: Campaign) -> None:
    [issued] = invite_annotators(campaign=campaign, count=1, by=None, role=Role.ORGANISER)
    _with_codes(issued.invitation.account)
    assert client.post(f"/invitations/{issued.secret}/")["Location"] == CODE
    assert not _is_in(client)
    client.post(CODE, {"code": _code(issued.invitation.account)})
    assert _is_in(client)
    [annotators] = invite_annotators(campaign=campaign, count=1, by=None)
    other = Client()
    assert other.post(f"/invitations/{annotators.secret}/")["Location"] != CODE
    assert _is_in(other)


def test_whoever_must_set_it_up_is_led_there_first(
    client: Client, olive: Client, cast: Cast, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "required"
    assert olive.get("/settings/")["Location"] == PAGE
    assert "This site requires one-time codes" in olive.get(PAGE).text
    answer = olive.get("/api/v1/campaigns")
    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")
    olive.post(PAGE, {"do": "begin", "password": PASSWORD})
    olive.post(PAGE, {"do": "confirm", "code": _code(cast.organiser)})
    assert olive.get("/settings/").status_code == 200
    assert olive.post(PAGE, {"do": "off", "code": "000000"}).status_code == 404
    _enter(client, "anna")
    assert client.get("/settings/").status_code == 200


def test_a_session_from_before_the_setting_enters_a_code_and_stays(cast: Cast, settings: Settings) -> None:
    _with_codes(cast.organiser)
    olive = Client()
    settings.SECOND_FACTOR = "off"
    assert _enter(olive) == "/"
    settings.SECOND_FACTOR = "allowed"
    assert olive.get("/settings/")["Location"] == CODE
    assert olive.post(CODE, {"code": _code(cast.organiser)})["Location"] == "/"
    assert olive.get("/settings/").status_code == 200


def test_new_recovery_codes_replace_the_old_and_turning_off_needs_a_code(cast: Cast) -> None:
    client, old = Client(), _with_codes(cast.organiser)
    _enter(client)
    client.post(CODE, {"code": old[0]})
    assert client.post(PAGE, {"do": "renew", "code": "wrong"}).status_code == 422
    new = re.findall(r"<code>([0-9A-Z-]{14})</code>", client.post(PAGE, {"do": "renew", "code": old[1]}).text)
    assert not set(new) & set(old)
    assert client.post(PAGE, {"do": "off", "code": old[2]}).status_code == 422
    assert client.post(PAGE, {"do": "off", "code": new[0]})["Location"] == "/settings/"
    assert not SecondFactor.objects.exists()
    actions = AuditEntry.objects.filter(actor=cast.organiser).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["second_factor_on", "recovery_codes_renewed", "second_factor_off"]


def test_tokens_of_programs_keep_working(client: Client, cast: Cast, settings: Settings) -> None:
    from campaigns.actions.tokens import make_api_token

    _token, secret = make_api_token(account=cast.organiser, name="script", by=cast.organiser)
    settings.SECOND_FACTOR = "required"
    assert client.get("/api/v1/account", headers={"Authorization": f"Token {secret}"}).status_code == 200
    assert ApiToken.objects.filter(revoked_at=None).count() == 1


def test_a_lost_one_is_reset_by_command_and_recorded(client: Client, cast: Cast) -> None:
    _with_codes(cast.organiser)
    call_command("reset_second_factor", "olive")
    assert _enter(client) == "/"
    assert AuditEntry.objects.get(action="second_factor_reset").detail == {"account": "olive"}
    for name in ("olive", "nobody"):
        with pytest.raises(CommandError, match="no "):
            call_command("reset_second_factor", name)


def test_while_the_setting_is_off_there_is_no_page_and_no_question(
    client: Client, cast: Cast, settings: Settings
) -> None:
    _with_codes(cast.organiser)
    settings.SECOND_FACTOR = "off"
    assert _enter(client) == "/"
    assert client.get(PAGE).status_code == 404
    assert PAGE not in client.get("/settings/").text
