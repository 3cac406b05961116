"""The whole way by a real provider of OpenID Connect in a process of its own, as a browser goes it."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from django.core.cache import cache
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Identity
from tests.processes import free_port, started, wait_for

pytestmark = pytest.mark.servers

ADA = {
    "sub": "ada-1", "name": "Ada Byron", "preferred_username": "ada", "email": "ada@x.example",
    "email_verified": True, "groups": ["assay-organisers"],
}  # fmt: skip


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log: Path = tmp_path_factory.mktemp("provider") / "log"
    port = free_port()
    users = ["--user-claims", json.dumps(ADA), "--user-claims", json.dumps({"sub": "eve-1", "email": "eve@e.example"})]
    command = ["-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), "--require-nonce", "true", *users]
    address = f"http://127.0.0.1:{port}"
    with started(command, environment={**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}, log=log):
        wait_for(lambda: _answers(f"{address}/.well-known/openid-configuration"), what="the provider", seconds=60)
        yield address


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object) -> None:
        return None


def _sign_in_there(address: str, **entered: str) -> str:
    """What the form of the provider's page does; the address of ours that it leads back to."""
    browser = urllib.request.build_opener(_Stay)
    with pytest.raises(urllib.error.HTTPError) as answer:
        browser.open(address, data=urllib.parse.urlencode(entered).encode(), timeout=10)
    back: str = answer.value.headers["Location"]
    answer.value.close()
    assert back.startswith("http://testserver/sign-in/provider/back/?")
    return back.removeprefix("http://testserver")


@pytest.fixture
def site(settings: Settings, issuer: str, db: None) -> Client:
    cache.clear()
    settings.PROVIDER_ISSUER, settings.PROVIDER_CLIENT_ID, settings.PROVIDER_CLIENT_SECRET = issuer, "assay", "secret"
    settings.PROVIDER_ORGANISER_CLAIM, settings.PROVIDER_ORGANISER_VALUES = "groups", ["assay-organisers"]
    settings.PROVIDER_DOMAINS = ["x.example"]
    return Client()


def test_an_organiser_comes_in_makes_a_campaign_possible_and_goes_out(site: Client, issuer: str) -> None:
    there = site.get("/sign-in/provider/?next=/settings/")["Location"]
    assert there.startswith(f"{issuer}/oauth2/authorize?")
    back = _sign_in_there(there, sub="ada-1")
    assert site.get(back)["Location"] == "/settings/"
    account = Account.objects.get()
    assert (account.username, account.name, account.email) == ("ada", "Ada Byron", "ada@x.example")
    assert account.may_create_campaigns
    assert Identity.objects.get().issuer == issuer
    assert "Ada Byron" in site.get("/settings/").text
    assert "has expired" in site.get(back).text  # the answer works once
    assert f'href="{issuer}/oauth2/end_session?' in site.post("/sign-out/").text


def test_who_is_not_of_the_domain_or_says_no_there_stays_out(site: Client) -> None:
    back = _sign_in_there(site.get("/sign-in/provider/")["Location"], sub="eve-1")
    assert "Only verified addresses" in site.get(back).text
    back = _sign_in_there(site.get("/sign-in/provider/")["Location"], action="deny")
    assert "You were not signed in" in site.get(back).text
    assert not Account.objects.exists()


def test_a_code_that_was_not_given_is_not_exchanged(site: Client) -> None:
    back = _sign_in_there(site.get("/sign-in/provider/")["Location"], sub="ada-1")
    state = urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["state"][0]
    response = site.get("/sign-in/provider/back/", {"state": state, "code": "guessed"})
    assert (response.status_code, "could not be verified" in response.text) == (400, True)
    assert not Account.objects.exists()
