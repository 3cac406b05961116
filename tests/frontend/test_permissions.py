"""Every address of the site, tried by everybody: as `access_rules.py` says, and nobody else; and what may be cached."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from importlib import import_module
from pathlib import Path
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

import pytest
from pytest_django import Settings

from campaigns.models import TestSet
from frontend.cache_headers import STORED_BY_WHO_MAY_SEE, THE_SAME_FOR_EVERYBODY
from tests.cast import Cast
from tests.frontend.access_rules import ANYBODY, NOBODY, NONE, PEOPLE, RULES, Group
from tests.frontend.places import QUERIES, make_people, make_places, placed
from tests.frontend.site_map import site_map

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
REFUSED = (401, 403, 404)
NO_SUCH_METHOD = 405
HOW = """
{missing}: no rule says who is let in. Add a line for each to tests/frontend/access_rules.py, such as
    "{first}": READS,
where RUNS is the campaign's organiser, READS the organiser and the researcher, JUDGES its annotator; copy the line of
the address that is most like it. What makes the line true is that its page fetches through frontend/access.py.
"""
PLACE = """
{route}: nothing stands for “{parameter}”. Add it to `make_places` in tests/frontend/places.py: something of the
campaign that the address may name.
"""


SITE = site_map()


def test_every_address_has_a_rule_and_every_rule_an_address() -> None:
    missing = sorted(set(SITE) - set(RULES))
    assert not missing, HOW.format(missing=", ".join(missing), first=missing[0])
    assert sorted(set(RULES) - set(SITE)) == [], "these rules are of no address"


def test_everybody_is_let_in_where_the_rules_say_and_only_what_is_the_same_for_everybody_may_be_cached(
    test_set: TestSet, cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.UPLOAD_DIR = tmp_path
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    campaign, people = make_people(test_set, cast)
    monkeypatch.setattr(import_module("metrics.analyses.ranking"), "FEWEST_PER_SYSTEM", 1)
    places = make_places(campaign, cast)
    addresses = {name: _placed(route, places) + QUERIES.get(name, "") for name, route in SITE.items()}
    wrong, cached = [], Cached()
    for person in PEOPLE:
        client = Client(raise_request_exception=False)
        if person != NOBODY:
            client.force_login(people[person], backend="django.contrib.auth.backends.ModelBackend")
        for name, address in addresses.items():
            wrong += list(_errors_of(client, person, name, address, cached))
            if person == NOBODY:  # what OPTIONS is answered comes from Django and DRF, to everybody alike
                cached.note(name, client.options(address))
    assert wrong == [], "\n".join(wrong)
    assert cached.names == THE_SAME_FOR_EVERYBODY
    assert {200, 302, 401, 403, 404, 405} <= cached.statuses


@dataclass
class Cached:
    """The addresses that let an answer be stored, and all statuses there were. What names people is stored nowhere."""

    names: set[str] = field(default_factory=set)
    statuses: set[int] = field(default_factory=set)

    def note(self, name: str, answer: Any) -> None:
        self.statuses.add(answer.status_code)
        if name in STORED_BY_WHO_MAY_SEE and answer.status_code == 200:
            assert answer["Cache-Control"].startswith("private, ")
        elif "no-store" not in answer.headers.get("Cache-Control", ""):
            self.names.add(name)


def _placed(route: str, places: Mapping[str, Any]) -> str:
    try:
        return placed(route, places)
    except KeyError as error:
        pytest.fail(PLACE.format(route=route, parameter=error.args[0]))


def _errors_of(client: Client, person: str, name: str, address: str, cached: Cached) -> Iterator[str]:
    """An address without a rule is another test's business; a method that there is not, nobody's."""
    rule = RULES.get(name, ANYBODY)
    answered = False
    for method in _methods(address):
        answer = _answer(client, method, address)
        status, is_in = answer.status_code, answer.status_code not in REFUSED and not _asks_to_sign_in(answer)
        if method == "GET":
            cached.note(name, answer)
        if status == NO_SUCH_METHOD:
            continue
        answered = True
        wanted: Group = rule.get(method, NONE) if isinstance(rule, dict) else rule
        if status >= 500:
            yield f"{method} {address} ({name}) fails for {person}: {status}"
        elif is_in != (person in wanted):
            yield f"{method} {address} ({name}) {'lets in' if is_in else 'refuses'} {person}: {status}"
    if not answered:
        yield f"{address} ({name}) answers no method"


def _methods(address: str) -> tuple[str, ...]:
    """Of the API all there are; pages are read and sent forms."""
    view = getattr(resolve(address.partition("?")[0]).func, "cls", None)
    return tuple(method for method in METHODS if hasattr(view, method.lower())) if view else METHODS[:2]


def _answer(client: Client, method: str, address: str) -> Any:
    """What it changed is undone."""
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    with transaction.atomic():
        answer: Any = client.generic(method, address, *_body(method, address))
        if answer.streaming:
            list(answer.streaming_content)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    return answer


def _body(method: str, address: str) -> tuple[str, str]:
    if method == "GET":
        return "", "application/octet-stream"
    if address.startswith("/api/"):
        return "{}", "application/json"
    return "", "application/x-www-form-urlencoded"


def _asks_to_sign_in(answer: HttpResponse) -> bool:
    return bool(re.match(r"/sign-in/\?next=", answer.headers.get("Location", "")))
