"""Who may ask, and how strangers are answered."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

import pytest

from campaigns.actions.tokens import make_api_token, revoke_api_token
from campaigns.models import ApiToken, Campaign, Membership
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, anonymous, by_session, by_token
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)


def addresses(assignment: int, item: str) -> list[tuple[str, str]]:
    return [
        ("GET", "assignments"),
        ("POST", "campaigns/planned-campaign/assignments"),
        ("GET", f"assignments/{assignment}/items"),
        ("PUT", f"assignments/{assignment}/items/{item}/draft"),
        ("POST", f"assignments/{assignment}/items/{item}/judgments"),
        ("POST", f"assignments/{assignment}/items/{item}/reports"),
        ("POST", f"assignments/{assignment}/screens"),
    ]


def test_whoever_is_not_known_is_told_401_everywhere(taken: int, item: str) -> None:
    for method, path in addresses(taken, item):
        response = anonymous().send(method, path)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Token"), path


@pytest.mark.parametrize(
    "header", ["Token", "Token ", "Token wrong", "Token a b", "token \xff\xfe", "Token " + "x" * 9999]
)
def test_a_token_that_is_none_is_told_401(planned: Campaign, header: str) -> None:
    assert ApiAnnotator(Client(), {"Authorization": header}).get("assignments").status_code == 401


@pytest.mark.parametrize("header", ["Bearer abc", "Basic YTpi", ""])
def test_other_schemes_are_nobodys(planned: Campaign, header: str) -> None:
    assert ApiAnnotator(Client(), {"Authorization": header}).get("assignments").status_code == 401


def test_a_revoked_token_opens_nothing(planned: Campaign, cast: Cast) -> None:
    token, secret = make_api_token(account=cast.annotator, name="robot", by=None)
    robot = ApiAnnotator(Client(), {"Authorization": f"Token {secret}"})
    assert robot.get("assignments").status_code == 200
    revoke_api_token(token=token, by=None)
    assert robot.get("assignments").status_code == 401


def test_the_account_of_a_token_must_be_active(planned: Campaign, cast: Cast) -> None:
    robot = by_token(cast.annotator)
    cast.annotator.is_active = False
    cast.annotator.save(update_fields=["is_active"])
    answer = robot.get("assignments")
    assert (answer.status_code, answer.json()["code"]) == (403, "access_ended")


def test_the_use_of_a_token_is_noted_now_and_then(planned: Campaign, cast: Cast) -> None:
    robot = by_token(cast.annotator)
    robot.get("assignments")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    robot.get("assignments")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=11))
    robot.get("assignments")
    assert ApiToken.objects.get().last_used_at > first  # type: ignore[operator]


def test_a_page_needs_its_csrf_token_to_change_anything(planned: Campaign, cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.annotator, backend="django.contrib.auth.backends.ModelBackend")
    annotator = ApiAnnotator(client)
    assert annotator.get("assignments").status_code == 200
    assert annotator.post("campaigns/planned-campaign/assignments").status_code == 403


def test_a_program_needs_none(planned: Campaign, cast: Cast) -> None:
    robot = by_token(cast.annotator)
    robot.client = Client(enforce_csrf_checks=True)
    assert robot.take()


def test_whoever_has_not_agreed_reads_and_writes_nothing(taken: int, item: str, cast: Cast) -> None:
    Membership.objects.filter(account=cast.annotator).update(consented_at=None)
    page = by_session(cast.annotator)
    for method, path in addresses(taken, item)[1:]:
        response: Any = page.send(method, path)
        assert response.status_code == 403, path
        assert "agree to take part" in response.json()["detail"]


def test_a_token_agrees_to_nothing_that_its_maker_has_not_agreed_to(taken: int, item: str, cast: Cast) -> None:
    Membership.objects.filter(account=cast.annotator).update(consented_at=None)
    made = by_session(cast.annotator).post("tokens", {"name": "mine", "scopes": ["judge"]})
    robot = ApiAnnotator(Client(), {"Authorization": f"Token {made.json()['secret']}"})
    for method, path in addresses(taken, item)[1:]:
        response: Any = robot.send(method, path)
        assert (response.status_code, response.json().get("code")) == (403, "consent_needed"), path


def test_nobody_finds_what_is_anothers(taken: int, item: str, cast: Cast) -> None:
    people = [cast.second_annotator, cast.organiser, cast.researcher, cast.stranger]
    for person in people:
        for way in (by_session, by_token):
            for method, path in addresses(taken, item)[2:]:
                assert way(person).send(method, path).status_code == 404, (person, path)


def test_only_annotators_are_handed_anything(planned: Campaign, cast: Cast) -> None:
    for person in (cast.organiser, cast.researcher, cast.stranger):
        assert by_session(person).post("campaigns/planned-campaign/assignments").status_code == 404


def test_other_methods_are_refused(taken: int, item: str, page: ApiAnnotator) -> None:
    for method, path in addresses(taken, item):
        for other in {"GET", "POST", "PUT", "PATCH", "DELETE"} - {method}:
            assert page.send(other, path).status_code == 405, (other, path)


def test_nothing_is_kept_by_a_cache_in_between(taken: int, page: ApiAnnotator) -> None:
    assert page.get(f"assignments/{taken}/items")["Cache-Control"] == "no-store"
