"""The page on which judging happens."""

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment, Item, ItemKind
from annotation.protocols.direct_assessment import DirectAssessment
from campaigns.models import Account, Campaign, Membership
from tests.cast import Cast
from tests.sample_test_set import SYSTEMS


@pytest.fixture
def assignment(campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]) -> Assignment:
    return make_assignment(campaign, cast.annotator)


def _data(text: str) -> dict[str, Any]:
    match = re.search(r'<script id="workbench-data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


def test_the_script_gets_what_it_needs(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast
) -> None:
    data = _data(client_of(cast.annotator).get(f"/assignments/{assignment.pk}/").text)
    assert data["assignment"] == assignment.pk
    assert data["account"] == cast.annotator.pk
    assert data["campaign"]["slug"] == "harbour-campaign"
    assert data["campaign"]["protocol"] == "direct_assessment"
    assert data["campaign"]["options"]["judge_against"] == "source"
    assert data["target"] == {"language": "de", "name": "German", "direction": "ltr"}
    assert data["guidelines"].startswith("<p>Ask <strong>how much</strong>")
    assert data["single_keys"] is True
    assert data["desk_settings"] == {"keys": {}, "text_size": "medium"}
    assert data["pauses"] == [60, 100]
    texts = assignment.items.order_by("-block")[0].block
    assert data["pace"] == {"items": 0, "ms": 0, "expected": DirectAssessment.seconds_per_item, "texts": texts}
    assert (data["reading"]["changes"], data["reading"]["practice"]) == ([], None)
    guidelines = f"/campaigns/{data['campaign']['slug']}/guidelines/"
    pages = {"home": "/", "sign_in": "/sign-in/", "settings": "/settings/", "guidelines": guidelines}
    pages["desk"] = "/settings/desk/"
    done = f"/assignments/{assignment.pk}/done/"
    assert data["urls"] == {"api": "/api/v1/", "done": done, "media": None, **pages}
    assert data["reasons"]["cannot_judge"]["wrong_language"] == "The translation is in another language"
    assert "other" in data["reasons"]["report"]


def test_nothing_tells_which_system_or_which_control_is_shown(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast
) -> None:
    Item.objects.filter(assignment=assignment).update(kind=ItemKind.DEGRADED)
    text = client_of(cast.annotator).get(f"/assignments/{assignment.pk}/").text
    for secret in (*SYSTEMS, "degraded"):
        assert secret not in repr(_data(text))
    assert not any(system in text for system in SYSTEMS)


def test_guidelines_cannot_end_the_script(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast
) -> None:
    Campaign.objects.update(guidelines="`</script><script>alert(1)</script>`")
    text = client_of(cast.annotator).get(f"/assignments/{assignment.pk}/").text
    assert "<script>alert" not in text
    assert "alert(1)" in _data(text)["guidelines"]


def test_who_has_not_agreed_comes_to_the_guidelines_first(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast
) -> None:
    Membership.objects.update(consented_at=None)
    response = client_of(cast.annotator).get(f"/assignments/{assignment.pk}/")
    assert response["Location"] == "/campaigns/harbour-campaign/guidelines/"


@pytest.mark.parametrize("who", ["second_annotator", "organiser", "researcher", "stranger"])
def test_an_assignment_is_its_annotators_alone(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast, who: str
) -> None:
    assert client_of(getattr(cast, who)).get(f"/assignments/{assignment.pk}/").status_code == 404


def test_strangers_must_sign_in(client: Client, assignment: Assignment) -> None:
    assert client.get(f"/assignments/{assignment.pk}/").status_code == 302


def test_an_assignment_that_cannot_exist_is_not_found(
    client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast
) -> None:
    assert client_of(cast.annotator).get(f"/assignments/{10**30}/").status_code == 404


def test_it_is_only_read(client_of: Callable[[Account], Client], assignment: Assignment, cast: Cast) -> None:
    assert client_of(cast.annotator).post(f"/assignments/{assignment.pk}/").status_code == 405


def test_the_page_asks_the_database_little(
    client_of: Callable[[Account], Client],
    assignment: Assignment,
    cast: Cast,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_of(cast.annotator)
    with django_assert_max_num_queries(20):
        assert client.get(f"/assignments/{assignment.pk}/").status_code == 200
