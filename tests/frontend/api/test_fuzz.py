"""Random requests: by hypothesis within the shapes, by schemathesis from the schema. None ends in a 500."""

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from annotation.models import Judgment
from campaigns.actions.campaign_drafts import keep_campaign_draft
from campaigns.actions.links import make_share_link
from campaigns.actions.tokens import make_api_token
from campaigns.models import Campaign, TestSet
from config.wsgi import application
from jobs.actions import perform_now
from tests.cast import Cast, invite_annotators
from tests.frontend.api.api_annotator import JSON, ApiAnnotator, by_token
from tests.planned_campaign import items_to_judge, make_planned_campaign, take
from tests.plugins.drawing import Draw

# each of two databases has examples of its own, drawn anew at every run;
# the database is rolled back once for all examples: they must not care what others left
SHARED = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["A", "B", "score", "other"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.sampled_from(["A", "slots", "score"]), inner, max_size=4)
    ),
    max_leaves=12,
)
SCORES = ANYTHING | st.integers(-5, 105) | st.floats(0, 100)
ANSWERS = ANYTHING | st.fixed_dictionaries(
    {},
    optional={
        "slots": ANYTHING | st.dictionaries(st.sampled_from("AB"), ANYTHING | st.fixed_dictionaries({"score": SCORES})),
        "comment": ANYTHING | st.text(),
        "cannot_judge": ANYTHING | st.sampled_from(["other", "broken_text"]),
    },
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "client_id": ANYTHING | st.uuids().map(str),
    "base_revision": ANYTHING | st.integers(0, 3),
    "answer": ANSWERS,
    "started": ANYTHING | st.datetimes().map(str),
    "elapsed_ms": ANYTHING | st.integers(0, 2**54),
    "active_ms": ANYTHING | st.integers(0, 2**54),
}


@given(payload=st.fixed_dictionaries({}, optional=FIELDS) | ANYTHING)
@settings(max_examples=12, **SHARED)  # type: ignore[arg-type]
def test_a_random_judgment_is_stored_or_refused_in_words(
    page: ApiAnnotator, taken: int, item: str, payload: object
) -> None:
    path = f"/api/v1/assignments/{taken}/items/{item}/judgments"
    response: Any = page.client.generic("POST", path, json.dumps(payload), content_type=JSON)
    assert response.status_code in (200, 201, 409, 422)
    if response.status_code == 422:
        assert response.json()["errors"]


@given(payload=st.fixed_dictionaries({"answer": ANSWERS, "base_revision": st.just(0) | ANYTHING}))
@settings(max_examples=10, **SHARED)  # type: ignore[arg-type]
def test_a_random_draft_comes_back_as_it_was_or_was_refused(
    page: ApiAnnotator, taken: int, item: str, payload: dict[str, Any]
) -> None:
    path = f"/api/v1/assignments/{taken}/items/{item}/draft"
    response: Any = page.client.generic("PUT", path, json.dumps(payload), content_type=JSON)
    assert response.status_code in (204, 422)
    kept = page.items(taken)["items"][0]["draft"]
    if response.status_code == 204:
        assert as_a_page_reads(kept["slots"]) == as_a_page_reads(payload["answer"].get("slots", {}))


def as_a_page_reads(value: Any) -> Any:
    """A page has one kind of number: PostgreSQL writes 3.2e16 in full, which is the same there."""
    return json.loads(json.dumps(value), parse_int=float)


@pytest.fixture
def _connection_kept() -> Iterator[None]:
    """A request by WSGI would close the connection that holds the test's transaction; Django's client does the same."""
    kept = (request_started, request_finished)
    for signal in kept:
        signal.disconnect(close_old_connections)
    yield
    for signal in kept:
        signal.connect(close_old_connections)


@pytest.fixture
def _no_limit(settings: Settings, tmp_path: Path) -> None:
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    settings.UPLOAD_DIR = tmp_path


@pytest.mark.usefixtures("_connection_kept", "_no_limit")
def test_requests_made_from_the_schema_are_answered_as_it_says(test_set: TestSet, cast: Cast, drawn: Draw) -> None:
    """Status codes, bodies and content types of every answer are those of the schema; real ids are put in.

    Where annotators judge, on both databases; of the other operations a fourth on each, in turns.
    """
    campaign = make_planned_campaign(test_set, cast)
    known = ids_in(campaign, cast)
    people = {True: by_token(cast.annotator), False: by_token(cast.organiser)}
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    judging: list[Any] = []
    others: list[Any] = []
    for made in schema.get_all_operations():
        assert isinstance(made, Ok)
        (judging if _is_judging(made.ok()) else others).append(made.ok())
    assert len(judging) > 5
    begin = 2 * int(connection.vendor == "sqlite")
    for operation in [*judging, *drawn([*others[begin:], *others[:begin]], 4)]:
        _try(operation, known, people[_is_judging(operation)])
    assert Judgment.objects.count() <= 1


def ids_in(campaign: Campaign, cast: Cast) -> dict[str, Any]:
    """What stands for each name in an address; a number is one of the things of its kind by chance at most."""
    assignment = take(campaign, cast.annotator)
    first = items_to_judge(assignment)[0]
    return {
        "slug": {"campaigns": campaign.slug, "test-sets": campaign.test_set.slug},
        "id": {
            "assignments": assignment.pk,
            "work": assignment.pk,
            "runs": perform_now(kind="analysis", campaign=campaign, arguments={}, created_by=cast.organiser).pk,
            "segments": first.segment_id,
            "campaign-drafts": keep_campaign_draft(account=cast.organiser, values={}).pk,
            "imports": 1,
            "invitations": invite_annotators(campaign=campaign, count=1, by=None)[0].invitation.pk,
            "adjudications": 1,
            "shares": make_share_link(campaign=campaign, name="to go", days=1, by=None)[0].pk,
            "sessions": 1,
            "mail": 1,
            "webhooks": 1,
            "deliveries": 1,
            "tokens": make_api_token(account=cast.organiser, name="to go", by=None)[0].pk,
        },
        "item": {"items": str(first.public_id)},
        "username": {
            "annotators": cast.second_annotator.username,
            "adjudicators": cast.researcher.username,
            "accounts": invite_annotators(campaign=campaign, count=1, by=None)[0].invitation.account.username,
            "members": cast.second_annotator.username,
        },
        "role": {"roles": "annotator"},
        "moment": {"questionnaires": "entry"},
        "file_hash": {"media": "0" * 64},
        "format": {"exports": "csv"},
        "name": {"parts": "ranking", "tables": "systems", "figures": "systems-score"},
        "upload": {"uploads": str(uuid.uuid4())},
    }


def _is_judging(operation: Any) -> bool:
    return "Judging" in (operation.tags or ())


def _try(operation: Any, known: dict[str, Any], robot: ApiAnnotator) -> None:
    collections = dict(re.findall(r"([\w-]+)/\{(\w+)\}", operation.path))
    place = {name: known[name][collection] for collection, name in collections.items()}

    @given(case=operation.as_strategy())
    @settings(max_examples=6 if _is_judging(operation) else 2, **SHARED)  # type: ignore[arg-type]
    def send(case: Any) -> None:
        case.path_parameters = place
        # what fits the schema may still not fit the item: the protocol decides; who is let in is another test's matter
        case.call_and_validate(headers=robot.headers, excluded_checks=[positive_data_acceptance, ignored_auth])

    send()
