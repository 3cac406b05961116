"""Drafts by the contract."""

import pytest

from annotation.actions.status import set_status
from annotation.models import Draft
from campaigns.models import Campaign
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import make_planned_campaign, score_of
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)


def test_a_draft_is_kept(anna: ApiAnnotator) -> None:
    taken = anna.take()
    item = anna.items(taken)["items"][0]["id"]
    response = anna.draft(taken, item, {"slots": {}, "comment": "later", "cannot_judge": None})
    assert (response.status_code, response.content) == (204, b"")
    assert anna.items(taken)["items"][0]["draft"]["comment"] == "later"


def test_a_half_filled_one_is_filled_up(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.draft(taken, item, {"slots": {"A": {}}}).status_code == 204
    assert Draft.objects.get().answer == {"slots": {"A": {}}, "comment": "", "cannot_judge": None}


def test_one_that_comes_late_is_taken_and_forgotten(page: ApiAnnotator, taken: int, item: str) -> None:
    page.submit(taken, item)
    assert page.draft(taken, item, score_of(5)).status_code == 204
    assert page.items(taken)["items"][0]["draft"] is None


def test_a_closed_campaign_keeps_drafts(page: ApiAnnotator, taken: int, item: str, planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    assert page.draft(taken, item, score_of(5)).status_code == 204
    assert Draft.objects.exists()


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (None, "answer"),
        ([], "answer"),
        (5, "answer"),
        ({"slots": 5}, "answer.slots"),
        ({"slots": {"A": 5}}, "answer.slots.A"),
        ({"comment": {}}, "answer.comment"),
        ({"comment": "x" * 5001}, "answer.comment"),
        ({"cannot_judge": []}, "answer.cannot_judge"),
    ],
)
def test_what_is_no_answer_is_refused(page: ApiAnnotator, taken: int, item: str, answer: object, field: str) -> None:
    response = page.draft(taken, item, answer)
    assert (response.status_code, set(response.json()["errors"])) == (422, {field})
    assert not Draft.objects.exists()


@pytest.mark.parametrize("base_revision", [None, -1, "x", 1, 2**40])
def test_a_revision_that_cannot_be_is_refused(page: ApiAnnotator, taken: int, item: str, base_revision: object) -> None:
    response = page.draft(taken, item, score_of(5), base_revision)
    assert (response.status_code, set(response.json()["errors"])) == (422, {"base_revision"})
