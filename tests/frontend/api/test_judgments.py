"""Submitting by the contract: 201, 200, 409, 422."""

import uuid
from typing import Any

import pytest

from annotation.actions.status import set_status
from annotation.models import Judgment
from campaigns.models import Campaign
from tests.frontend.api.api_annotator import ApiAnnotator, submission
from tests.planned_campaign import make_planned_campaign, score_of
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)


def test_a_judgment_is_stored_and_receipted(anna: ApiAnnotator) -> None:
    taken = anna.take()
    item = anna.items(taken)["items"][0]["id"]
    response = anna.submit(taken, item, 62)
    assert response.status_code == 201
    assert response.json() == {"revision": 1, "done": 1, "total": 17, "completion_code": None}
    judgment = Judgment.objects.get()
    assert judgment.answer == score_of(62)
    assert (judgment.elapsed_ms, judgment.active_ms) == (9000, 8000)
    assert judgment.started_at is not None


def test_sent_twice_it_is_stored_once_with_the_same_body(anna: ApiAnnotator) -> None:
    taken = anna.take()
    item = anna.items(taken)["items"][0]["id"]
    client_id = str(uuid.uuid4())
    first, again = (anna.submit(taken, item, client_id=client_id) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert Judgment.objects.count() == 1


def test_another_tab_that_was_first_is_told(page: ApiAnnotator, taken: int, item: str) -> None:
    page.submit(taken, item, 10)
    response = page.submit(taken, item, 20)
    assert response.status_code == 409
    assert response.json() == {"revision": 1, "answer": score_of(10)}
    assert page.submit(taken, item, 20, base_revision=1).json()["revision"] == 2


def test_the_last_one_brings_the_code_and_so_does_its_repeat(page: ApiAnnotator, taken: int) -> None:
    last: dict[str, Any] = {}
    answer: Any = None
    while items := [item for item in page.items(taken)["items"] if item["answer"] is None]:
        for item in items:
            last = submission()
            answer = page.post(f"assignments/{taken}/items/{item['id']}/judgments", last)
            path = answer.wsgi_request.path
    code = answer.json()["completion_code"]
    assert code
    assert page.client.post(path, last, content_type="application/json").json()["completion_code"] == code
    left = page.items(taken)
    assert left["items"] == []
    assert (left["done"], left["total"], left["completion_code"]) == (17, 17, code)


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_what_was_entered_is_stored_whatever_became_of_the_campaign(
    page: ApiAnnotator, taken: int, item: str, planned: Campaign, status: str
) -> None:
    set_status(campaign=planned, status=status, by=None)
    assert page.submit(taken, item).status_code == 201
    assert page.submit(taken, item, 5, base_revision=1).status_code == 201
    assert Judgment.objects.count() == 2


def test_times_may_be_unknown(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.submit(taken, item, started=None, elapsed_ms=None, active_ms=None).status_code == 201
    assert Judgment.objects.get().started_at is None


def test_active_time_is_at_most_the_elapsed(page: ApiAnnotator, taken: int, item: str) -> None:
    page.submit(taken, item, elapsed_ms=100, active_ms=150)
    assert Judgment.objects.get().active_ms == 100


def test_a_tab_left_open_for_a_year_costs_no_judgment(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.submit(taken, item, elapsed_ms=365 * 86_400_000).status_code == 201


IMPOSSIBLE: dict[str, list[Any]] = {
    "client_id": [None, "", "x", 1, 2**200, True, ["a"], {"a": 1}],
    "base_revision": [None, -1, 2**31, 2**80, "x", [], {}, 0.5, True],
    "started": ["", "yesterday", 5, [], "2026-13-01T00:00:00Z", "9999-12-31T23:59:59-23:59"],
    "elapsed_ms": [-1, "x", 2**60, 1.5, [], True],
    "active_ms": [-1, "x", 2**60, 1.5, {}, False],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in IMPOSSIBLE for value in IMPOSSIBLE[field]])
def test_a_field_that_cannot_be_is_named(page: ApiAnnotator, taken: int, item: str, field: str, value: Any) -> None:
    given: dict[str, Any] = {field: value}
    response = page.submit(taken, item, **given)
    assert response.status_code == 422
    assert set(response.json()["errors"]) == {field}
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        (None, {"answer"}),
        ([], {"answer"}),
        ("x", {"answer"}),
        ({}, {"slots.A"}),
        ({"slots": {}}, {"slots.A"}),
        ({"slots": []}, {"slots"}),
        ({"slots": {"A": 5}}, {"slots.A", "slots.A.score"}),
        ({"slots": {"A": {}}}, {"slots.A.score"}),
        (score_of(101), {"slots.A.score"}),
        (score_of(-1), {"slots.A.score"}),
        ({"slots": {"A": {"score": 2**90}}}, {"slots.A.score"}),
        ({"slots": {"A": {"score": 5}, "B": {"score": 5}}}, {"slots.B"}),
        (score_of(5, comment=5), {"comment"}),
        (score_of(5, comment="x" * 5001), {"comment"}),
        (score_of(5, cannot_judge="lazy"), {"cannot_judge"}),
        (score_of(5, extra=1), {"extra"}),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_by_field(
    page: ApiAnnotator, taken: int, item: str, answer: object, fields: set[str]
) -> None:
    response = page.submit(taken, item, answer=answer)
    assert response.status_code == 422
    assert set(response.json()["errors"]) == fields
    assert not Judgment.objects.exists()


def test_everything_that_is_wrong_is_said_at_once(page: ApiAnnotator, taken: int, item: str) -> None:
    response = page.submit(taken, item, client_id="x", base_revision=-1, answer=score_of(500))
    assert set(response.json()["errors"]) == {"client_id", "base_revision", "slots.A.score"}


def test_what_is_missing_is_named(page: ApiAnnotator, taken: int, item: str) -> None:
    response = page.post(f"assignments/{taken}/items/{item}/judgments", {})
    assert set(response.json()["errors"]) == {"client_id", "base_revision", "answer"}


def test_an_id_used_for_another_item_is_refused(page: ApiAnnotator, taken: int) -> None:
    first, second = page.items(taken)["items"][:2]
    client_id = str(uuid.uuid4())
    page.submit(taken, first["id"], client_id=client_id)
    response = page.submit(taken, second["id"], client_id=client_id)
    assert (response.status_code, set(response.json()["errors"])) == (422, {"client_id"})


def test_words_of_every_script_are_kept_as_they_are(page: ApiAnnotator, taken: int, item: str) -> None:
    comment = "قطة 🐈‍⬛ naïve\u202e\u200f \u2028 <b>&amp;"
    assert page.submit(taken, item, answer=score_of(5, comment=comment)).status_code == 201
    assert page.items(taken)["items"][0]["answer"]["comment"] == comment


@pytest.mark.parametrize("started", ["0001-01-01T00:00:00Z", "1899-12-31T23:59:59Z", "9999-12-31T00:00:00Z"])
def test_a_start_that_no_time_zone_can_tell_costs_no_judgment(
    page: ApiAnnotator, taken: int, item: str, started: str
) -> None:
    assert page.submit(taken, item, started=started).status_code == 201
    assert Judgment.objects.get().started_at is None


def test_a_receipt_brings_the_next_texts_where_they_are_asked_for(page: ApiAnnotator, taken: int) -> None:
    """As the items after it are, when it is stored."""
    shown = page.items(taken)["items"]
    path = f"assignments/{taken}/items/{shown[0]['id']}/judgments?next_after={shown[0]['id']}"
    sent = submission()
    receipt = page.post(path, sent)
    assert receipt.status_code == 201
    assert receipt.json()["next"] == page.items(taken, after=shown[0]["id"])
    again = page.post(path, sent)
    assert (again.status_code, again.json()) == (200, receipt.json())


def test_a_judgment_is_stored_though_the_next_texts_cannot_be_had(page: ApiAnnotator, taken: int, item: str) -> None:
    receipt = page.post(f"assignments/{taken}/items/{item}/judgments?next_after={uuid.uuid4()}", submission())
    assert (receipt.status_code, receipt.json().get("next"), Judgment.objects.count()) == (201, None, 1)


def test_what_is_no_item_is_refused_before_anything_is_stored(page: ApiAnnotator, taken: int, item: str) -> None:
    refused = page.post(f"assignments/{taken}/items/{item}/judgments?next_after=first", submission())
    assert (refused.status_code, [*refused.json()["errors"]], Judgment.objects.count()) == (422, ["next_after"], 0)
