"""The page of items as the contract has it."""

import uuid

import pytest

from annotation.actions.returning import return_assignment
from annotation.actions.status import set_status
from annotation.models import Assignment, Item
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import make_planned_campaign, score_of
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)

FIELDS = {
    *("id", "document", "title", "level", "position", "source", "reference", "slots"),
    *("questions", "suggested", "draft", "answer", "revision"),
}


def test_a_page_holds_what_the_contract_names(anna: ApiAnnotator) -> None:
    page = anna.items(anna.take())
    assert set(page) == {"items", "context", "done", "total", "completion_code", "is_withdrawn", "has_more"}
    assert (page["done"], page["total"], page["completion_code"]) == (0, 17, None)
    for item in page["items"]:
        assert set(item) == FIELDS
        assert uuid.UUID(item["id"])
        assert item["slots"][0].keys() == {"slot", "text", "columns"}
        assert (item["draft"], item["answer"], item["revision"]) == (None, None, 0)
        assert (item["level"], item["questions"], item["suggested"]) == ("segment", [], [])


def test_positions_order_items_and_context(anna: ApiAnnotator) -> None:
    page = anna.items(anna.take())
    positions = [item["position"] for item in page["items"]]
    assert positions == sorted(set(positions))
    assert len(set(positions) | {segment["position"] for segment in page["context"]}) == 9


def test_after_an_item_the_texts_behind_it_come(anna: ApiAnnotator) -> None:
    taken = anna.take()
    first = anna.items(taken)["items"]
    held_back = anna.items(taken, after=first[-1]["id"])
    assert (held_back["items"], held_back["has_more"]) == ([], True)
    for item in first:
        anna.submit(taken, item["id"])
    following = anna.items(taken, after=first[-1]["id"])["items"]
    assert following
    assert not {item["id"] for item in first} & {item["id"] for item in following}


def test_what_was_entered_comes_back(page: ApiAnnotator, taken: int) -> None:
    first, second = page.items(taken)["items"][:2]
    page.submit(taken, first["id"], 33)
    page.draft(taken, second["id"], {"slots": {"A": {"score": 12}}, "comment": "hm", "cannot_judge": None})
    judged, drafted = page.items(taken)["items"][:2]
    assert (judged["answer"], judged["revision"]) == (score_of(33), 1)
    assert drafted["draft"] == {"slots": {"A": {"score": 12}}, "comment": "hm", "cannot_judge": None}


def test_a_paused_campaign_can_be_read(page: ApiAnnotator, taken: int, planned: Campaign) -> None:
    set_status(campaign=planned, status="paused", by=None)
    assert page.items(taken)["items"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("from=end", {"from"}),
        ("before=x", {"before"}),
        ("before=00000000-0000-0000-0000-000000000000", {"before"}),
        ("from=start&after=x", {"from", "after"}),
    ],
)
def test_a_place_that_cannot_be_is_named(page: ApiAnnotator, taken: int, query: str, named: set[str]) -> None:
    response = page.get(f"assignments/{taken}/items?{query}")
    assert response.status_code == 422
    assert set(response.json()["errors"]) == named


def test_a_receipt_tells_when_the_rest_went_to_others(anna: ApiAnnotator) -> None:
    taken = anna.take()
    first, second = anna.items(taken)["items"][:2]
    assert "is_withdrawn" not in anna.submit(taken, first["id"]).json()
    return_assignment(assignment=Assignment.objects.get(pk=taken), by=None)
    late = anna.submit(taken, second["id"])
    assert (late.status_code, late.json()["is_withdrawn"]) == (201, True)
    assert anna.items(taken)["is_withdrawn"]


@pytest.mark.parametrize("after", ["x", "1", "00000000-0000-0000-0000-000000000000", "%00", "9" * 5000])
def test_after_nonsense_there_is_a_message(page: ApiAnnotator, taken: int, after: str) -> None:
    response = page.get(f"assignments/{taken}/items?after={after}")
    assert response.status_code == 422
    assert set(response.json()["errors"]) == {"after"}


@pytest.mark.parametrize("pk", ["0", "999999", str(2**63), str(2**70)])
def test_assignments_that_do_not_exist_are_not_found(page: ApiAnnotator, taken: int, pk: str) -> None:
    assert page.get(f"assignments/{pk}/items").status_code == 404


def test_an_assignment_nobody_took_is_not_found(page: ApiAnnotator, planned: Campaign) -> None:
    assert page.get(f"assignments/{planned.assignments.get().pk}/items").status_code == 404


@pytest.mark.parametrize("item", ["x", "1", str(uuid.UUID(int=0)), "%00", "é"])
def test_items_that_do_not_exist_are_not_found(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.submit(taken, item).status_code == 404
    assert page.draft(taken, item, score_of(1)).status_code == 404


def test_an_item_is_found_in_its_own_assignment_alone(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.submit(taken + 1, item).status_code == 404


def test_context_is_not_asked(page: ApiAnnotator, taken: int, cast: Cast) -> None:
    context = Item.objects.get(assignment=taken, level="context")
    assert page.submit(taken, str(context.public_id)).status_code == 404
