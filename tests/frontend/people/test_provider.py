"""Signing in by a provider: who is let in as whom, and every answer that is not believed."""

import time
from collections.abc import Callable
from typing import Any

from django.test import Client

import jwt
import pytest
from pytest_django import Settings

from campaigns.actions.links import revoke_invitation
from campaigns.actions.second_factors import begin_factor, confirm_factor, key_of
from campaigns.models import Account, AuditEntry, Campaign, Identity, SecondFactor
from campaigns.one_time_codes import code_at, step_of
from config.checks import sign_in_is_complete
from tests.cast import PASSWORD, Cast, invite_annotators
from tests.frontend.people.lying_provider import (
    BACK,
    BEGIN,
    CLIENT_ID,
    ISSUER,
    OTHER_KEY,
    SECRET,
    LyingProvider,
    provider,
)

__all__ = ["provider"]
CONNECT, CONFIRM = "/settings/provider/begin/", "/settings/provider/"


def _is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def _refused(client: Client, response: Any, words: str, status: int) -> None:
    assert response.status_code == status
    assert words in response.text
    assert not _is_in(client)


# --- there and back ---------------------------------------------------------------------------------------------------
def test_the_request_has_state_nonce_and_pkce_and_comes_back_here(
    client: Client, provider: LyingProvider, db: None
) -> None:
    provider.begun(client)
    asked = provider.asked
    assert (asked["response_type"], asked["client_id"], asked["code_challenge_method"]) == ("code", CLIENT_ID, "S256")
    assert asked["redirect_uri"] == f"http://testserver{BACK}"
    assert min(len(asked["state"]), len(asked["nonce"])) >= 32
    assert asked["scope"] == "openid profile email"


def test_a_new_person_gets_an_account_without_rights_and_goes_on_where_they_were(
    client: Client, provider: LyingProvider, db: None
) -> None:
    provider.userinfo = {"name": "Ada\x00 Byron", "preferred_username": "ada byron", "email": "a@x.example"}
    response = provider.came_back(client, f"{BEGIN}?next=/settings/data/")
    assert response["Location"] == "/settings/data/"
    assert provider.challenge_fits()
    assert provider.exchanged["client_secret"] == SECRET
    [identity] = Identity.objects.all()
    account = identity.account
    assert (identity.issuer, identity.subject) == (ISSUER, "ada-1")
    assert (account.username, account.name, account.email) == ("ada-byron", "Ada Byron", "")
    assert not account.may_create_campaigns
    assert not account.has_usable_password()
    assert client.session["_auth_user_id"] == str(account.pk)
    assert "Connected since" in client.get("/settings/").text


def test_the_same_person_comes_back_to_the_same_account_whatever_they_are_called_now(
    provider: LyingProvider, db: None
) -> None:
    for name in ("ada", "countess"):
        provider.userinfo = {"preferred_username": name}
        client = Client()
        provider.came_back(client)
        assert _is_in(client)
    assert [account.username for account in Account.objects.all()] == ["ada"]


def test_nobody_gets_an_account_by_its_name_or_address(client: Client, provider: LyingProvider, cast: Cast) -> None:
    cast.organiser.email = "olive@x.example"
    cast.organiser.save()
    provider.token = {"preferred_username": "Olive", "email": "olive@x.example", "email_verified": True}
    provider.came_back(client)
    account = Account.objects.get(pk=client.session["_auth_user_id"])
    assert (account.username, account.email) == ("Olive-2", "olive@x.example")


def test_a_name_that_is_taken_in_this_moment_is_no_obstacle(
    client: Client, provider: LyingProvider, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(["olive", "olive-2"])
    monkeypatch.setattr("campaigns.actions.identities._free_username", lambda _person: next(names))
    provider.came_back(client)
    assert Account.objects.get(pk=client.session["_auth_user_id"]).username == "olive-2"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_it_never_leads_to_another_host(client: Client, provider: LyingProvider, db: None, elsewhere: str) -> None:
    assert provider.came_back(client, f"{BEGIN}?next={elsewhere}")["Location"] == "/"


# --- what is not believed ---------------------------------------------------------------------------------------------
LIES: dict[str, dict[str, Any]] = {
    "nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "issuer": {"iss": "https://evil.example"},
    "audience": {"aud": "another client"},
    "no audience": {"aud": None},
    "several audiences and no azp": {"aud": [CLIENT_ID, "another"]},
    "azp": {"aud": [CLIENT_ID, "another"], "azp": "another"},
    "time": {"exp": int(time.time()) - 10},
    "no time": {"exp": None},
    "no subject": {"sub": None},
}


@pytest.mark.parametrize("claims", LIES.values(), ids=LIES)
def test_a_token_with_a_wrong_claim_is_refused(
    client: Client, provider: LyingProvider, db: None, claims: dict[str, Any]
) -> None:
    provider.token = claims
    _refused(client, provider.came_back(client), "could not be verified", 400)
    assert not Account.objects.exists()


@pytest.mark.parametrize(
    ("algorithm", "key"), [("RS256", OTHER_KEY), ("RS384", None), ("HS256", SECRET), ("none", None)]
)
def test_a_token_with_a_wrong_signature_is_refused(
    client: Client, provider: LyingProvider, db: None, algorithm: str, key: Any
) -> None:
    provider.algorithm, provider.signed_with = algorithm, key or provider.signed_with
    _refused(client, provider.came_back(client), "could not be verified", 400)


def test_the_key_is_the_one_that_the_token_names_or_the_only_one(provider: LyingProvider, db: None) -> None:
    provider.kid = None
    provider.came_back(client := Client())
    assert _is_in(client)
    other = jwt.algorithms.RSAAlgorithm.to_jwk(OTHER_KEY.public_key(), as_dict=True)
    provider.more_keys = [{**other, "kid": "2"}, {**other, "kid": "3", "use": "enc"}]
    _refused(client := Client(), provider.came_back(client), "could not be verified", 400)
    provider.kid = "unknown"
    _refused(client := Client(), provider.came_back(client), "could not be verified", 400)
    provider.kid, provider.signed_with = "2", OTHER_KEY
    provider.came_back(client)
    assert _is_in(client)


def test_userinfo_of_somebody_else_is_refused(client: Client, provider: LyingProvider, db: None) -> None:
    provider.userinfo = {"sub": "eve-1"}
    _refused(client, provider.came_back(client), "could not be verified", 400)


def test_an_answer_of_another_issuer_is_refused(client: Client, provider: LyingProvider, db: None) -> None:
    _refused(client, provider.came_back(client, iss="https://evil.example"), "could not be verified", 400)


def test_a_state_is_needed_and_works_once_in_the_browser_that_began(provider: LyingProvider, db: None) -> None:
    client, other = Client(), Client()
    state = provider.begun(client)
    _refused(other, other.get(BACK, {"code": "c", "state": state}), "has expired", 400)
    _refused(client, client.get(BACK, {"code": "c", "state": "guessed"}), "has expired", 400)
    assert client.get(BACK, {"code": "c", "state": state}).status_code == 302
    assert "has expired" in client.get(BACK, {"code": "c", "state": state}).text


def test_a_description_of_another_issuer_or_without_https_is_refused(
    client: Client, provider: LyingProvider, db: None
) -> None:
    for described in ({"issuer": "https://evil.example"}, {"token_endpoint": "http://id.example/token"}):
        provider.described = described
        _refused(client, client.get(BEGIN), "could not be verified", 400)


def test_a_provider_that_is_away_or_refuses_is_said_in_words(client: Client, provider: LyingProvider, db: None) -> None:
    provider.is_away = True
    _refused(client, client.get(BEGIN), "Example University does not answer", 503)
    provider.is_away = False
    _refused(client, provider.came_back(client, error="access_denied"), "You were not signed in", 403)


# --- who may ----------------------------------------------------------------------------------------------------------
def test_only_verified_addresses_of_the_allowed_domains_come_in(
    provider: LyingProvider, db: None, settings: Settings
) -> None:
    settings.PROVIDER_DOMAINS = ["x.example"]
    for address, is_verified, comes_in in [
        ("ada@x.example", False, False),
        ("ada@x.example.evil", True, False),
        ("ada@sub.x.example", True, False),
        ("ada@X.example", True, True),
    ]:
        client = Client()
        provider.token = {"email": address, "email_verified": is_verified}
        response = provider.came_back(client)
        assert _is_in(client) == comes_in
        assert comes_in or "Only verified addresses of x.example" in response.text
    provider.token, provider.userinfo = {"email": "ada@x.example"}, {"email": "a@e.example", "email_verified": True}
    client = Client()
    provider.came_back(client)
    assert not _is_in(client)  # one says the address, the other that another one is verified


def test_a_group_makes_organisers_and_takes_away_what_it_gave(
    provider: LyingProvider, cast: Cast, settings: Settings
) -> None:
    settings.PROVIDER_ORGANISER_CLAIM, settings.PROVIDER_ORGANISER_VALUES = "realm_access.roles", ["runs-assay"]
    for roles in (["runs-assay", "other"], ["other"], "runs-assay", []):
        provider.userinfo = {"realm_access": {"roles": roles}}
        provider.came_back(Client())
        account = Identity.objects.get().account
        assert account.may_create_campaigns == ("runs-assay" in roles)
    assert AuditEntry.objects.filter(action="organising_allowed").count() == 2
    Identity.objects.update(account=cast.organiser)  # an organiser of before
    provider.came_back(Client())
    cast.organiser.refresh_from_db()
    assert cast.organiser.may_create_campaigns


def test_where_accounts_are_made_by_hand_strangers_are_told_what_to_do(
    client: Client, provider: LyingProvider, db: None, settings: Settings
) -> None:
    settings.PROVIDER_NEW_ACCOUNTS = False
    _refused(client, provider.came_back(client), "You have no account here", 403)


def test_a_closed_account_stays_closed(client: Client, provider: LyingProvider, db: None) -> None:
    provider.came_back(Client())
    Account.objects.update(is_active=False)
    _refused(client, provider.came_back(client), "has been closed", 403)


def test_a_second_factor_is_asked_for_unless_the_provider_counts_as_one(
    provider: LyingProvider, cast: Cast, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "required"
    Identity.objects.create(account=cast.organiser, issuer=ISSUER, subject="ada-1")
    factor = begin_factor(cast.organiser)
    confirm_factor(account=cast.organiser, code=code_at(key_of(factor), step_of(time.time())), session="")
    client = Client()
    assert provider.came_back(client)["Location"] == "/sign-in/code/"
    assert not _is_in(client)
    settings.PROVIDER_IS_SECOND_FACTOR = True
    assert provider.came_back(client)["Location"] == "/"
    assert client.get("/settings/").status_code == 200
    SecondFactor.objects.all().delete()
    client = Client()
    provider.came_back(client)
    assert client.get("/settings/").status_code == 200


# --- pages ------------------------------------------------------------------------------------------------------------
def test_the_page_of_sign_in_links_there_and_passwords_may_be_off(
    client: Client, provider: LyingProvider, cast: Cast, settings: Settings, client_of: Callable[[Account], Client]
) -> None:
    page = client.get("/sign-in/?next=/settings/").text
    assert f'href="{BEGIN}?next=/settings/"' in page
    assert "Sign in with Example University" in page
    assert 'name="password"' in page
    settings.PASSWORDS = False
    assert 'name="password"' not in client.get("/sign-in/").text
    assert client.post("/sign-in/", {"username": "anna", "password": PASSWORD}).status_code == 200
    assert not _is_in(client)
    olive = client_of(cast.organiser)
    assert "new_password1" not in olive.get("/settings/").text
    assert olive.post("/settings/password/", {}).status_code == 404


def test_signing_out_offers_to_sign_out_there(client: Client, provider: LyingProvider, cast: Cast) -> None:
    provider.came_back(client)
    page = client.post("/sign-out/").text
    assert f'href="{ISSUER}/end?client_id=assay&amp;post_logout_redirect_uri=http' in page
    assert not _is_in(client)
    client.post("/sign-in/", {"username": "anna", "password": PASSWORD})
    assert client.post("/sign-out/")["Location"] == "/sign-in/"


def test_pages_send_forms_to_this_site_alone(client: Client, provider: LyingProvider, db: None) -> None:
    assert "form-action 'self';" in client.get("/sign-in/")["Content-Security-Policy"] + ";"


def test_without_the_setting_nothing_is_there(
    client: Client, cast: Cast, client_of: Callable[[Account], Client], settings: Settings
) -> None:
    settings.PROVIDER_ISSUER = ""
    olive = client_of(cast.organiser)
    assert [client.get(BEGIN).status_code, client.get(BACK).status_code] == [404, 404]
    assert [olive.get(CONNECT).status_code, olive.get(CONFIRM).status_code] == [404, 404]
    assert BEGIN not in client.get("/sign-in/").text
    assert CONNECT not in olive.get("/settings/").text


# --- connecting -------------------------------------------------------------------------------------------------------
def test_an_account_is_connected_by_its_password_and_then_signed_in(
    provider: LyingProvider, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    olive = client_of(cast.organiser)
    provider.token = {"email": "o@x.example", "email_verified": True}
    assert provider.came_back(olive, CONNECT)["Location"] == CONFIRM
    assert not Identity.objects.exists()
    assert "o@x.example" in olive.get(CONFIRM).text
    assert "This is not your password." in olive.post(CONFIRM, {"password": "guessed"}).text
    assert olive.post(CONFIRM, {"password": PASSWORD})["Location"] == "/settings/"
    client = Client()
    provider.came_back(client)
    assert client.session["_auth_user_id"] == str(cast.organiser.pk)
    olive.post("/settings/provider/end/")
    assert not Identity.objects.exists()


def test_somebody_elses_identity_is_not_taken_over_unless_its_account_is_bare(
    provider: LyingProvider, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    identity = Identity.objects.create(account=cast.annotator, issuer=ISSUER, subject="ada-1")
    olive = client_of(cast.organiser)
    provider.came_back(olive, CONNECT)
    assert "Connected with another account" in olive.post(CONFIRM, {"password": PASSWORD}).text
    identity.delete()
    provider.came_back(Client())
    bare = Identity.objects.get().account
    provider.came_back(olive, CONNECT)
    olive.post(CONFIRM, {"password": PASSWORD})
    assert Identity.objects.get().account == cast.organiser
    assert not Account.objects.filter(pk=bare.pk).exists()


def test_who_came_by_a_link_shows_it_and_the_connection_ends_with_it(
    client: Client, provider: LyingProvider, campaign: Campaign
) -> None:
    [issued] = invite_annotators(campaign=campaign, count=1, by=None)
    client.post(f"/invitations/{issued.secret}/")
    provider.came_back(client, CONNECT)
    assert "not the link of your account" in client.post(CONFIRM, {"link": "https://x/invitations/other/"}).text
    assert client.post(CONFIRM, {"link": issued.link})["Location"] == "/settings/"
    client.post("/settings/provider/end/")
    assert Identity.objects.get().account == issued.invitation.account  # no other way in would be left
    revoke_invitation(invitation=issued.invitation, by=None)
    assert not Identity.objects.exists()


def test_another_account_that_signed_in_meanwhile_is_not_connected(
    provider: LyingProvider, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    olive = client_of(cast.organiser)
    state = provider.begun(olive, CONNECT)
    session = olive.session
    session["_auth_user_id"] = str(cast.annotator.pk)
    session["_auth_user_hash"] = cast.annotator.get_session_auth_hash()
    session.save()
    assert "has expired" in olive.get(BACK, {"code": "c", "state": state}).text
    assert not Identity.objects.exists()


# --- settings ---------------------------------------------------------------------------------------------------------
def test_settings_that_contradict_each_other_stop_the_start(settings: Settings) -> None:
    settings.PASSWORDS = False
    assert [error.id for error in sign_in_is_complete(None)] == ["assay.E010"]
    settings.PROVIDER_ISSUER, settings.PROVIDER_ORGANISER_CLAIM = "http://id.example", "groups"
    settings.PROVIDER_SCOPES = "profile"
    found = [error.id for error in sign_in_is_complete(None)]
    assert found == ["assay.E011", "assay.E012", "assay.E013", "assay.E014"]
