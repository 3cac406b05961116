"""A segment's sheet: whoever marks errors, they are beside the output."""

import pytest

from campaigns.models import TestSet
from metrics.segments.sheet import segment_sheet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db
MARK = {"side": "target", "start": 0, "end": 3, "severity": "minor"}


def test_errors_are_shown_where_no_adjudicator_decides_on_them(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="cesa")
    item = items_to_judge(take(campaign, cast.annotator))[0]
    assert item.segment is not None
    cells = {slot.label: {"spans": [MARK], "tags": [], "score": 60} for slot in item.slots.all()}
    judge(item, payload={"slots": cells, "comment": "", "cannot_judge": None})
    outputs = segment_sheet(campaign, item.segment, None).outputs
    answers = [answered for output in outputs for answered in output.answers]
    assert answers
    assert {(error.span.start, error.span.end) for answered in answers for error in answered.errors} == {(0, 3)}
