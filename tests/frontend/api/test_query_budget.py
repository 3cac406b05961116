"""What a judgment costs does not grow with the campaign: at most 12 statements for next + submit, 4 for a draft."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Judgment
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, by_token, submission
from tests.planned_campaign import score_of

JUDGED_AT = datetime(2026, 11, 5, tzinfo=UTC)


def fill(campaign: Campaign, cast: Cast) -> int:
    """Everybody else has judged already."""
    others = campaign.assignments.exclude(annotator=cast.annotator)
    others.update(status=AssignmentStatus.DONE, annotator=cast.second_annotator)
    items = Item.objects.filter(assignment__in=others).exclude(level=ItemLevel.CONTEXT)
    made = Judgment.objects.bulk_create(
        Judgment(
            item=item,
            annotator=cast.second_annotator,
            revision=1,
            client_id=uuid.uuid4(),
            answer=score_of(50),
            submitted_at=JUDGED_AT,
        )
        for item in items
    )
    items.update(revision=1)
    Assignment.objects.filter(pk__in=others).update(done=1)
    return len(made)


# `test_cost_at_size.py` counts again beside 100,000 judgments
@pytest.fixture(params=[1, 15], ids=["small", "large"])
def sized(request: pytest.FixtureRequest, plan_campaign: Callable[..., Campaign]) -> Campaign:
    return plan_campaign(name="Sized", redundancy=request.param)


@pytest.fixture(params=[by_session, by_token])
def anna(request: pytest.FixtureRequest, cast: Cast) -> ApiAnnotator:
    known: ApiAnnotator = request.param(cast.annotator)
    known.get("assignments")  # a token's use is noted now and then, not every time
    return known


def test_next_and_submit_are_at_most_twelve_statements(sized: Campaign, anna: ApiAnnotator, cast: Cast) -> None:
    taken = anna.take("sized")
    fill(sized, cast)
    first = anna.items(taken)["items"][0]["id"]
    anna.draft(taken, first, score_of(3))
    with CaptureQueriesContext(connection) as statements:
        assert submit_for_next(anna, taken, first) == 201
    assert len(statements) <= 12, statements.captured_queries


def test_a_revision_costs_one_more_at_most(sized: Campaign, anna: ApiAnnotator, cast: Cast) -> None:
    taken = anna.take("sized")
    first = anna.items(taken)["items"][0]["id"]
    anna.submit(taken, first)
    with CaptureQueriesContext(connection) as statements:
        assert submit_for_next(anna, taken, first, base_revision=1) == 201
    assert len(statements) <= 12, statements.captured_queries


def submit_for_next(anna: ApiAnnotator, assignment: int, item: str, **given: Any) -> int:
    """As the page does: the receipt brings the next texts."""
    path = f"assignments/{assignment}/items/{item}/judgments?next_after={item}"
    return int(anna.post(path, submission(**given)).status_code)


def test_a_draft_is_at_most_four(sized: Campaign, anna: ApiAnnotator, cast: Cast) -> None:
    taken = anna.take("sized")
    fill(sized, cast)
    first = anna.items(taken)["items"][0]["id"]
    for _ in range(2):
        with CaptureQueriesContext(connection) as statements:
            assert anna.draft(taken, first, score_of(3)).status_code == 204
        assert len(statements) <= 4, statements.captured_queries


def test_a_hand_out_costs_the_same_at_any_size(
    sized: Campaign, anna: ApiAnnotator, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(11):  # one asks whether the entry questionnaire is due
        anna.take("sized")


def test_the_last_judgment_costs_no_more(sized: Campaign, anna: ApiAnnotator) -> None:
    taken = anna.take("sized")
    Assignment.objects.filter(pk=taken).update(total=1)
    first = anna.items(taken)["items"][0]["id"]
    with CaptureQueriesContext(connection) as statements:
        assert anna.submit(taken, first).json()["completion_code"]
    assert len(statements) <= 11, statements.captured_queries  # one asks who is told that the assignment is done
