"""The methods paragraph of a campaign to which a system was added while it ran."""

from datetime import UTC, datetime

import pytest

from annotation.actions.adding import add_late_work
from annotation.models import Assignment
from campaigns.late_additions import LateAddition, additions_of
from campaigns.models import TestSet
from jobs.actions import perform_now
from metrics.methods.facts import facts_of
from metrics.methods.sentences import sentences
from tests.annotation.actions.test_adding import add_outputs
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

QUICK = {"resamples": 40, "interval_resamples": 40}


@pytest.mark.django_db
def test_the_paragraph_says_what_was_added_and_who_judged_it(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 60 + item.position)
    add_outputs(test_set, "Late")
    add_late_work(campaign=campaign, systems=["Late"], documents=[], by=None)
    campaign.refresh_from_db()
    task = take(campaign, cast.annotator)
    for item in items_to_judge(task)[:4]:
        judge(item, 40 + item.position)
    rest = items_to_judge(task)[4:]
    Assignment.objects.filter(pk=task.pk).update(annotator=cast.second_annotator)  # who judged nothing before
    for item in rest:
        judge(item, 40)
    run = perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    facts = facts_of(run)
    assert facts is not None
    on = additions_of(campaign)[0].at.date().isoformat()
    assert (
        f"On {on}, the system Late was added to the running evaluation; 4 of the 6 judgments of what was added came "
        "from annotators who also judged the earlier translations of the same documents."
    ) in sentences(facts)


def test_what_no_assay_wrote_is_ignored() -> None:
    at = datetime(2026, 11, 24, tzinfo=UTC)
    addition = LateAddition(at, ("Late",), ("annex",), 4)
    assert LateAddition.from_json(addition.as_json()) == addition
    for wrong in (None, {}, {"at": "2026-13-01T00:00:00Z", "first_content": 1}, {"at": at.isoformat()}, ["at"]):
        assert LateAddition.from_json(wrong) is None
