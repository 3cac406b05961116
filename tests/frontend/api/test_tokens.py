"""Keys of programs: what they open, how long, and what they may make."""

from datetime import timedelta

from django.utils import timezone

import pytest

from campaigns.actions.tokens import make_api_token
from campaigns.models import ApiToken, Campaign, Scope
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, by_token
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)

SLUG = "campaigns/planned-campaign"
NEEDS = {
    ("GET", "campaigns"): Scope.READ,
    ("GET", SLUG): Scope.READ,
    ("PATCH", SLUG): Scope.WRITE,
    ("POST", f"{SLUG}/runs"): Scope.WRITE,
    ("GET", "assignments"): Scope.JUDGE,
    ("POST", f"{SLUG}/assignments"): Scope.JUDGE,
}


@pytest.mark.parametrize(("method", "path"), NEEDS)
def test_a_token_opens_what_its_scopes_name(planned: Campaign, cast: Cast, method: str, path: str) -> None:
    for scope in Scope.values:
        answer = by_token(cast.organiser, scope).send(method, path)
        if scope == NEEDS[method, path]:
            assert answer.status_code != 403, scope
        else:
            assert answer.status_code == 403, scope
            assert f"“{NEEDS[method, path]}”" in answer.json()["detail"]


def test_a_token_that_expired_opens_nothing_and_says_so(planned: Campaign, cast: Cast) -> None:
    robot = by_token(cast.organiser)
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(minutes=1))
    assert robot.get("campaigns").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now())
    answer = robot.get("campaigns")
    assert answer.status_code == 401
    assert "expired" in answer.json()["detail"]


def test_a_token_made_by_the_api_works_and_is_shown_once(olive: ApiAnnotator) -> None:
    made = olive.post("tokens", {"name": "notebook", "scopes": ["read"]})
    assert made.status_code == 201
    notebook = ApiAnnotator(olive.client, {"Authorization": f"Token {made.json()['secret']}"})
    assert notebook.get("campaigns").status_code == 200
    assert notebook.patch(SLUG, {}).status_code == 403
    listed = olive.get("tokens").json()["results"]
    assert [token["scopes"] for token in listed] == [["read", "write", "judge"], ["read"]]
    assert made.json()["secret"] not in str(listed)


def test_a_token_ends_with_the_one_it_was_made_with(olive: ApiAnnotator) -> None:
    def program(secret: str) -> ApiAnnotator:
        return ApiAnnotator(olive.client, {"Authorization": f"Token {secret}"})

    leaked = olive.post("tokens", {"name": "leaked", "scopes": ["read", "write"]}).json()
    made = program(leaked["secret"]).post("tokens", {"name": "made with it", "scopes": ["read"]}).json()
    assert (leaked["made_with"] is None, made["made_with"]) == (False, leaked["id"])  # olive is a token herself
    assert program(made["secret"]).get("campaigns").status_code == 200
    assert olive.delete(f"tokens/{leaked['id']}").status_code == 204
    for secret in (leaked["secret"], made["secret"]):
        ended = program(secret).get("campaigns")
        assert (ended.status_code, ended.json()["code"]) == (401, "token_ended")
    assert olive.get("campaigns").status_code == 200


def test_a_token_makes_none_that_may_more_or_lasts_longer(planned: Campaign, cast: Cast) -> None:
    soon = timezone.now() + timedelta(days=1)
    _token, secret = make_api_token(
        account=cast.organiser, name="narrow", scopes=["read", "write"], expires_at=soon, by=None
    )
    narrow = ApiAnnotator(by_session(cast.stranger).client, {"Authorization": f"Token {secret}"})
    answer = narrow.post("tokens", {"name": "wide", "scopes": ["read", "judge"]})
    assert answer.status_code == 422
    assert set(answer.json()["errors"]) == {"scopes", "expires_at"}
    fitting = {"name": "fits", "scopes": ["read"], "expires_at": (soon - timedelta(hours=1)).isoformat()}
    assert narrow.post("tokens", fitting).status_code == 201


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"name": "x", "scopes": []}, "scopes"),
        ({"name": "x", "scopes": ["everything"]}, "scopes.0"),
        ({"name": "x", "scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"scopes": ["read"]}, "name"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_in_words(olive: ApiAnnotator, wish: object, field: str) -> None:
    answer = olive.post("tokens", wish)
    assert answer.status_code == 422
    assert field in answer.json()["errors"]


def test_only_ones_own_token_is_revoked(olive: ApiAnnotator, rhea: ApiAnnotator) -> None:
    (token,) = rhea.get("tokens").json()["results"]
    assert olive.delete(f"tokens/{token['id']}").status_code == 404
    assert rhea.delete(f"tokens/{token['id']}").status_code == 204
    assert rhea.get("tokens").status_code == 401
