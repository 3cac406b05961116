"""Every address of the site, tried by everybody: as `access_rules.py` says, and nobody else."""

import re
from collections.abc import Iterator, Mapping
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


def test_everybody_is_let_in_where_the_rules_say_and_nowhere_else(
    test_set: TestSet, cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.UPLOAD_DIR = tmp_path
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    campaign, people = make_people(test_set, cast)
    monkeypatch.setattr(import_module("metrics.analyses.ranking"), "FEWEST_PER_SYSTEM", 1)
    places = make_places(campaign, cast)
    addresses = {name: _placed(route, places) + QUERIES.get(name, "") for name, route in SITE.items()}
    wrong = []
    for person in PEOPLE:
        client = Client(raise_request_exception=False)
        if person != NOBODY:
            client.force_login(people[person], backend="django.contrib.auth.backends.ModelBackend")
        for name, address in addresses.items():
            wrong += list(_errors_of(client, person, name, address))
    assert wrong == [], "\n".join(wrong)


def _placed(route: str, places: Mapping[str, Any]) -> str:
    try:
        return placed(route, places)
    except KeyError as error:
        pytest.fail(PLACE.format(route=route, parameter=error.args[0]))


def _errors_of(client: Client, person: str, name: str, address: str) -> Iterator[str]:
    """An address without a rule is another test's business; a method that there is not, nobody's."""
    rule = RULES.get(name, ANYBODY)
    answered = False
    for method in _methods(address):
        status, is_in = _try(client, method, address)
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


def _try(client: Client, method: str, address: str) -> tuple[int, bool]:
    """Its status, and whether one was let in; what it changed is undone."""
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    with transaction.atomic():
        answer: Any = client.generic(method, address, *_body(method, address))
        if answer.streaming:
            list(answer.streaming_content)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    return answer.status_code, answer.status_code not in REFUSED and not _asks_to_sign_in(answer)


def _body(method: str, address: str) -> tuple[str, str]:
    if method == "GET":
        return "", "application/octet-stream"
    if address.startswith("/api/"):
        return "{}", "application/json"
    return "", "application/x-www-form-urlencoded"


def _asks_to_sign_in(answer: HttpResponse) -> bool:
    return bool(re.match(r"/sign-in/\?next=", answer.headers.get("Location", "")))
