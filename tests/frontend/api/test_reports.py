"""Saying that something is wrong with an item."""

import pytest

from annotation.models import ProblemReport
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)


def test_a_report_is_stored(anna: ApiAnnotator, cast: Cast) -> None:
    taken = anna.take()
    item = anna.items(taken)["items"][0]["id"]
    response = anna.report(taken, item, {"reason": "mixed_up", "note": "belongs to the next one"})
    assert response.status_code == 201
    report = ProblemReport.objects.get()
    assert (report.annotator, report.reason, report.note) == (cast.annotator, "mixed_up", "belongs to the next one")
    assert str(report.item.public_id) == item


def test_a_note_is_not_needed(page: ApiAnnotator, taken: int, item: str) -> None:
    assert page.report(taken, item, {"reason": "display"}).status_code == 201


@pytest.mark.parametrize(
    ("payload", "fields"),
    [
        ({}, {"reason"}),
        ({"reason": "boring"}, {"reason"}),
        ({"reason": []}, {"reason"}),
        ({"reason": None}, {"reason"}),
        ({"reason": "other", "note": float("inf")}, {"body"}),
        ({"reason": "other", "note": []}, {"note"}),
        ({"reason": "other", "note": "x" * 5001}, {"note"}),
        ({"reason": "other", "note": "a\x00b"}, {"body"}),
        ([], {"body"}),
    ],
)
def test_what_is_no_report_is_refused(
    page: ApiAnnotator, taken: int, item: str, payload: object, fields: set[str]
) -> None:
    response = page.report(taken, item, payload)
    assert (response.status_code, set(response.json()["errors"])) == (422, fields)
    assert not ProblemReport.objects.exists()
