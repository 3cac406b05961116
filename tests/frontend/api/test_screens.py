"""A whole screen is submitted as one: all or nothing, once, in few queries."""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.status import set_status
from annotation.models import ActionLog, Assignment, Draft, ErrorSpan, Item, Judgment, Score
from campaigns.models import Campaign, Document, Segment, TestSet, Translation
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, submission
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once
from tests.sample_test_set import QUOKKA, WOMBAT

TAG = {"tag": "missing", "severity": "major"}
MARK = {"side": "target", "start": 0, "end": 3, "severity": "minor"}


def answer_to(item: dict[str, Any], score: int = 60) -> dict[str, Any]:
    cell = {"spans": [MARK], "tags": [TAG], "score": score, "comment": ""}
    return {"slots": {slot["slot"]: cell for slot in item["slots"]}, "comment": "", "cannot_judge": None}


def row(item: dict[str, Any], score: int = 60, **values: Any) -> dict[str, Any]:
    return {"item": item["id"], **submission(answer=answer_to(item, score)), **values}


def send(page: ApiAnnotator, taken: int, rows: Sequence[object], **more: object) -> Any:
    return page.post(f"assignments/{taken}/screens", {"judgments": rows, **more})


def screen_of(page: ApiAnnotator, taken: int, place: str = "") -> list[dict[str, Any]]:
    """The items of the first screen shown."""
    items = page.get(f"assignments/{taken}/items{place}").json()["items"]
    return [item for item in items if item["document"] == items[0]["document"]]


stored, cast, test_set, planned = made_once(partial(make_planned_campaign, protocol="cesa"))


@pytest.fixture
def page(planned: Campaign, cast: Cast) -> ApiAnnotator:
    return by_session(cast.annotator)


@pytest.fixture
def taken(page: ApiAnnotator) -> int:
    return page.take()


@pytest.fixture
def screen(page: ApiAnnotator, taken: int) -> list[dict[str, Any]]:
    return screen_of(page, taken)


def test_a_document_is_a_screen_in_one_order_of_columns(page: ApiAnnotator, taken: int) -> None:
    """The second segment of one document is the same in two systems: one cell for both."""
    items = page.items(taken)["items"]
    assert len(items) == 6
    shared = [item for item in items if len(item["slots"]) == 2]
    assert [sorted(column for slot in item["slots"] for column in slot["columns"]) for item in items] == [[1, 2, 3]] * 6
    assert [sorted(len(slot["columns"]) for slot in item["slots"]) for item in shared] == [[1, 2]]
    system_of: dict[tuple[str, int], set[str]] = {}
    for item in items:
        for slot in item["slots"]:
            known = Translation.objects.filter(segment__items__public_id=item["id"], text=slot["text"])
            for column in slot["columns"]:
                names = set(known.values_list("system__name", flat=True))
                system_of[item["document"], column] = system_of.get((item["document"], column), names) & names
    assert [len(names) for names in system_of.values()] == [1] * 6


def test_a_screen_is_stored_and_receipted(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]) -> None:
    response = send(page, taken, [row(item) for item in screen])
    assert response.status_code == 201, response.content
    revisions = {item["id"]: 1 for item in screen}
    assert response.json() == {"revisions": revisions, "done": 3, "total": 6, "completion_code": None}
    assert Judgment.objects.filter(is_current=True, surplus=False, elapsed_ms=9000).count() == 3
    assert Score.objects.count() == 9  # of each system, also where two share a cell
    assert ErrorSpan.objects.filter(category="missing", start=0, end=0, severity="major").count() == 9
    assert ErrorSpan.objects.filter(category="", start=0, end=3, severity="minor").count() == 9


def test_what_was_done_on_a_screen_is_stored_with_it_and_continued_by_a_change(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    first, later = (
        [[1_780_000_000_000, "load"], [1_780_000_003_000, "score", 2, "A", 60]],
        [[1_780_000_009_000, "undo"]],
    )
    rows = [row(item) for item in screen]
    assert send(page, taken, rows, actions=first).status_code == 201
    assert send(page, taken, rows, actions=first).status_code == 200
    assert send(page, taken, [row(screen[1], 40, base_revision=1)], actions=later).status_code == 201
    assert list(ActionLog.objects.order_by("judgment").values_list("actions", flat=True)) == [first, first + later]


@pytest.mark.parametrize(
    "wrong",
    [
        7, [1.5, "load"], [-1, "load"], [1], [1, "Load"], [1, "load", 3], [1, "load", True], [1, "score", 0, "Z"],
        [1, "score", None, "A"], [1, "score", 0, "A", [1]], [1, "score", 0, "A", "x" * 101], [1, "a", 0, "A", 1, 1],
        [10**15, "load"],
    ],
)  # fmt: skip
def test_an_action_that_is_none_is_named_and_nothing_is_stored(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]], wrong: object
) -> None:
    response = send(page, taken, [row(item) for item in screen], actions=[[1, "load"], wrong])
    assert (response.status_code, list(response.json()["errors"]["body"])) == (422, ["actions.1"])
    assert not Judgment.objects.exists()


def test_more_actions_than_a_screen_has_are_refused(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    rows = [row(item) for item in screen]
    response = send(page, taken, rows, actions=[[1, "load"]] * 5001)
    assert (response.status_code, list(response.json()["errors"]["body"])) == (422, ["actions"])


def test_the_last_screen_brings_the_completion_code(page: ApiAnnotator, taken: int) -> None:
    codes = []
    while page.items(taken)["items"]:
        rows = [row(item) for item in screen_of(page, taken)]
        codes.append(send(page, taken, rows).json()["completion_code"])
    assert codes[0] is None
    assert codes[1]
    assert send(page, taken, rows).json()["completion_code"] == codes[1]


def test_sent_twice_it_is_stored_once_with_the_same_body(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    rows = [row(item) for item in screen]
    first, again = (send(page, taken, rows) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert Judgment.objects.count() == 3


def test_what_is_wrong_in_any_row_is_said_and_nothing_is_stored(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    first, second, third = screen
    wrong = row(second)
    wrong["answer"]["slots"][second["slots"][0]["slot"]] = {"spans": [], "tags": [], "score": 80, "comment": ""}
    response = send(page, taken, [row(first), wrong, row(third, client_id="7", score=61)])
    assert response.status_code == 422
    errors = response.json()["errors"]
    assert set(errors) == {second["id"], third["id"]}
    assert list(errors[second["id"]]) == [f"slots.{second['slots'][0]['slot']}.score"]
    assert set(errors[third["id"]]) == {"client_id", *(f"slots.{slot['slot']}.score" for slot in third["slots"])}
    assert not Judgment.objects.exists()


def test_rows_that_are_missing_twice_there_or_elsewhere_are_named(page: ApiAnnotator, taken: int) -> None:
    items = page.items(taken)["items"]
    (first, second, missing), elsewhere = items[:3], items[3]
    twice = str(uuid.uuid4())
    rows = [row(first, client_id=twice), row(second, client_id=twice), row(second), row(elsewhere)]
    response = send(page, taken, rows)
    assert response.status_code == 422
    errors = response.json()["errors"]
    assert {item: list(by_field) for item, by_field in errors.items()} == {
        first["id"]: ["client_id"],
        second["id"]: ["item", "client_id"],
        missing["id"]: ["answer"],
        elsewhere["id"]: ["item"],
    }
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ([], "judgments"),
        ({}, "judgments"),
        ({"judgments": {}}, "judgments"),
        ({"judgments": []}, "judgments"),
        ({"judgments": [7]}, "judgments.0.item"),
        ({"judgments": [{"item": 7}]}, "judgments.0.item"),
        ({"judgments": [{"item": "x"}, {}]}, "judgments.1.item"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(page: ApiAnnotator, taken: int, payload: object, field: str) -> None:
    response = page.post(f"assignments/{taken}/screens", payload)
    assert response.status_code == 422
    assert field in response.json()["errors"]["body"]


def test_items_of_others_do_not_exist(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]], cast: Cast) -> None:
    other = by_session(cast.second_annotator)
    assert send(other, taken, [row(item) for item in screen]).status_code == 404
    assert send(page, taken, [row(screen[0]) | {"item": str(uuid.uuid4())}]).status_code == 404
    assert send(page, 2**70, [row(screen[0])]).status_code == 404


def test_what_was_judged_meanwhile_is_told_and_nothing_is_stored(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    first = screen[0]
    assert page.submit(taken, first["id"], answer=answer_to(first, 40)).status_code == 201
    response = send(page, taken, [row(item) for item in screen])
    assert response.status_code == 409
    assert response.json() == {"newer": {first["id"]: {"revision": 1, "answer": answer_to(first, 40)}}}
    assert Judgment.objects.count() == 1
    rest = [row(first, base_revision=1), *(row(item) for item in screen[1:])]
    assert send(page, taken, rest).json()["revisions"] == {item["id"]: 1 + (item is first) for item in screen}
    assert send(page, taken, [row(first, base_revision=3)]).status_code == 409


def test_some_rows_are_changed_later_alone(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]) -> None:
    send(page, taken, [row(item) for item in screen])
    page.draft(taken, screen[1]["id"], answer_to(screen[1], 30), base_revision=1)
    response = send(page, taken, [row(screen[1], 30, base_revision=1)])
    assert response.status_code == 201
    assert response.json() == {"revisions": {screen[1]["id"]: 2}, "done": 3, "total": 6, "completion_code": None}
    assert list(Judgment.objects.order_by("pk").values_list("is_current", flat=True)) == [True, False, True, True]
    shown = screen_of(page, taken, "?from=start")[1]
    assert (shown["draft"], shown["answer"], shown["revision"]) == (None, answer_to(screen[1], 30), 2)
    assert Draft.objects.count() == 1


def test_a_closed_campaign_stores_changes_beside_what_counts(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]], planned: Campaign, cast: Cast
) -> None:
    send(page, taken, [row(item) for item in screen])
    set_status(campaign=planned, status="closed", by=cast.organiser)
    changed = send(page, taken, [row(screen[0], 30, base_revision=1)])
    assert changed.status_code == 201
    assert list(Judgment.objects.filter(revision=2).values_list("is_current", "surplus")) == [(False, True)]
    assert Judgment.objects.filter(is_current=True).count() == 3


def test_an_id_of_another_judgment_is_refused(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]) -> None:
    known = row(screen[0])
    page.post(f"assignments/{taken}/items/{screen[0]['id']}/judgments", known)
    rows = [row(screen[0], base_revision=1), row(screen[1], client_id=known["client_id"]), row(screen[2])]
    response = send(page, taken, rows)
    assert response.status_code == 422
    assert list(response.json()["errors"]) == [screen[1]["id"]]
    assert Judgment.objects.count() == 1


def test_other_protocols_submit_each_item_by_itself(test_set: TestSet, cast: Cast) -> None:
    make_planned_campaign(test_set, cast, protocol="esa", name="Alone")
    page = by_session(cast.annotator)
    taken = page.take("alone")
    item = page.items(taken)["items"][0]
    response = send(page, taken, [row(item)])
    assert response.status_code == 422
    assert list(response.json()["errors"]) == ["body"]


def test_a_screen_costs_few_queries_however_long_it_is(test_set: TestSet, cast: Cast) -> None:
    counts = []
    for length in (3, 30):
        longer = _with_segments(test_set, length)
        make_planned_campaign(test_set, cast, protocol="cesa", name=f"Of {length}")
        page = by_session(cast.annotator)
        taken = page.take(f"of-{length}")
        screen: list[dict[str, Any]] = []
        while not any(Item.objects.filter(public_id=item["id"], document=longer).exists() for item in screen):
            screen = screen_of(page, taken)
            with CaptureQueriesContext(connection) as statements:
                assert send(page, taken, [row(item) for item in screen]).status_code == 201
        assert len(screen) == length
        counts.append(len(statements))
    assert counts[0] <= 14  # one keeps the counts of work, one asks for webhooks when the assignment is done
    assert counts[1] <= counts[0] + 1  # SQLite stores many rows in two statements


def _with_segments(test_set: TestSet, length: int) -> Document:
    document = test_set.documents.order_by("pk").first()
    assert document is not None
    for number in range(document.segments.count(), length):
        segment = Segment.objects.create(
            document=document, name=f"more-{number}", position=number + 100, source="More of it."
        )
        for system in test_set.systems.all():
            Translation.objects.create(segment=segment, system=system, text=f"Mehr davon, {number} {system.pk}.")
    return document


def test_marks_are_stored_at_the_places_of_each_text_that_shares_a_cell(test_set: TestSet, cast: Cast) -> None:
    """Outputs that differ only in the white space around them are one cell."""
    Translation.objects.filter(system__name=QUOKKA, segment__source__startswith="Nobody").update(
        text="  Niemand am Kai wusste, warum.\n"
    )
    make_planned_campaign(test_set, cast, name="Shared", protocol="cesa")
    page = by_session(cast.annotator)
    taken = page.take("shared")
    for _ in range(2):
        assert send(page, taken, [row(item) for item in screen_of(page, taken)]).status_code == 201
    marked = ErrorSpan.objects.filter(translation__segment__source__startswith="Nobody", category="")
    quoted = {
        span.translation.system.name: (span.translation.text or "")[span.start : span.end].strip()
        for span in marked.select_related("translation__system")
    }
    assert len(quoted) == 3
    assert quoted[WOMBAT] == quoted[QUOKKA]
    tags = ErrorSpan.objects.filter(category="missing").values_list("start", "end").distinct()
    assert list(tags) == [(0, 0)]


def test_a_withdrawn_screen_is_stored_as_surplus(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]) -> None:
    Assignment.objects.filter(pk=taken).update(status="archived")
    response = send(page, taken, [row(item) for item in screen])
    assert response.json()["is_withdrawn"] is True
    assert response.json()["done"] == 0
    assert Judgment.objects.filter(surplus=True).count() == 3


def test_the_screens_that_are_done_are_counted(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]], planned: Campaign
) -> None:
    total = Item.objects.filter(assignment=taken).values("block").distinct().count()
    before = page.get(f"assignments/{taken}/items?from=start").json()
    assert (before["screens_done"], before["screens_total"]) == (0, total)
    send(page, taken, [row(item) for item in screen])
    after = page.get(f"assignments/{taken}/items?from=start").json()
    assert (after["screens_done"], after["screens_total"]) == (1, total)
    assert total > 1
    assert planned.protocol == "cesa"


def test_a_screen_brings_the_next_ones_where_they_are_asked_for(
    page: ApiAnnotator, taken: int, screen: list[dict[str, Any]]
) -> None:
    after, rows = screen[-1]["id"], {"judgments": [row(item) for item in screen]}
    receipt = page.post(f"assignments/{taken}/screens?next_after={after}", rows)
    assert (receipt.status_code, receipt.json()["next"]) == (201, page.items(taken, after=after))
