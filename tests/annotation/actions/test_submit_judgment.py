"""Judgments are added, never changed, and never refused for being late."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from annotation.actions.status import set_status
from annotation.actions.submitting import RevisionConflict, save_draft
from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Judgment, Score, Slot
from annotation.queries.item_to_judge import item_to_judge
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign
from tests.cast import Cast
from tests.planned_campaign import fetched, items_to_judge, judge, score_of, take

PlanCampaign = Callable[..., Campaign]


@pytest.fixture
def assignment(planned: Campaign, cast: Cast) -> Assignment:
    return take(planned, cast.annotator)


@pytest.fixture
def item(assignment: Assignment) -> Item:
    return items_to_judge(assignment)[0]


def test_an_answer_becomes_a_judgment_and_its_score(item: Item, cast: Cast) -> None:
    started = datetime(2026, 11, 5, 10, 0, tzinfo=UTC)
    receipt = judge(item, 73, started_at=started, elapsed_ms=9000, active_ms=8000)
    assert (receipt.revision, receipt.done, receipt.completion_code, receipt.is_repeat) == (1, 1, None, False)
    judgment = Judgment.objects.get()
    assert (judgment.item, judgment.annotator, judgment.revision) == (item, cast.annotator, 1)
    assert judgment.answer == {"slots": {"A": {"score": 73}}, "comment": "", "cannot_judge": None}
    assert (judgment.started_at, judgment.elapsed_ms, judgment.active_ms) == (started, 9000, 8000)
    assert (judgment.is_current, judgment.surplus, judgment.cannot_judge) == (True, False, "")
    score = Score.objects.get()
    slot = Slot.objects.get(item=item)
    assert (score.measure, score.value, score.translation) == ("score", 73.0, slot.translation)


def test_a_score_counts_for_every_system_with_that_output(assignment: Assignment) -> None:
    shared = assignment.items.get(slots__credits__isnull=False)
    judge(shared, 40)
    slot = shared.slots.get()
    credited = {slot.translation_id, slot.credits.get().translation_id}
    assert {score.translation_id for score in Score.objects.all()} == credited
    assert set(Score.objects.values_list("value", "slot")) == {(40.0, "A")}


def test_a_documents_score_counts_for_document_and_system(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(options={"document_scores": True})
    item = take(campaign, cast.annotator).items.filter(level=ItemLevel.DOCUMENT)[0]
    judge(item, 55)
    score = Score.objects.get()
    assert (score.measure, score.translation) == ("document_score", None)
    assert (score.document, score.system) == (item.document, item.slots.get().system)


def test_what_cannot_be_judged_has_a_reason_and_no_number(item: Item) -> None:
    payload = {"slots": {}, "comment": "all of it Dutch", "cannot_judge": "wrong_language"}
    assert judge(item, payload=payload).done == 1
    judgment = Judgment.objects.get()
    assert (judgment.cannot_judge, judgment.answer["comment"]) == ("wrong_language", "all of it Dutch")
    assert not Score.objects.exists()


def test_the_same_judgment_sent_twice_is_one(item: Item) -> None:
    client_id = uuid.uuid4()
    first = judge(item, 50, client_id=client_id)
    again = judge(item, 50, client_id=client_id)
    assert again.is_repeat
    assert (again.revision, again.done, again.total) == (first.revision, first.done, first.total)
    assert Judgment.objects.count() == Score.objects.count() == 1


def test_a_repeat_of_an_earlier_revision_tells_of_that_one(item: Item) -> None:
    client_id = uuid.uuid4()
    judge(item, 50, client_id=client_id)
    judge(item, 60, base_revision=1)
    assert judge(item, 50, client_id=client_id).revision == 1
    assert Judgment.objects.count() == 2


def test_an_id_that_another_judgment_has_is_refused(assignment: Assignment) -> None:
    first, second, *_ = items_to_judge(assignment)
    client_id = uuid.uuid4()
    judge(first, client_id=client_id)
    with pytest.raises(InvalidInput) as caught:
        judge(second, client_id=client_id)
    assert set(caught.value.errors) == {"client_id"}
    second.refresh_from_db()
    assert second.revision == 0
    assert Judgment.objects.count() == 1


def test_a_revision_takes_the_place_of_the_one_before(item: Item) -> None:
    judge(item, 50)
    receipt = judge(item, 60, base_revision=1)
    assert (receipt.revision, receipt.done) == (2, 1)
    assert list(Judgment.objects.order_by("revision").values_list("is_current", "base_revision")) == [
        (False, 0),
        (True, 1),
    ]
    assert list(Score.objects.filter(judgment__is_current=True).values_list("value", flat=True)) == [60.0]


@pytest.mark.parametrize("base_revision", [0, 2, 9])
def test_of_two_tabs_the_second_gets_the_answer_of_the_first(item: Item, base_revision: int) -> None:
    judge(item, 50)
    with pytest.raises(RevisionConflict) as caught:
        judge(item, 60, base_revision=base_revision)
    assert (caught.value.revision, caught.value.answer) == (1, score_of(50))
    assert Judgment.objects.count() == 1


def test_a_revision_of_nothing_is_a_conflict_too(item: Item) -> None:
    with pytest.raises(RevisionConflict) as caught:
        judge(item, 60, base_revision=1)
    assert (caught.value.revision, caught.value.answer) == (0, None)


def test_the_last_judgment_finishes_the_assignment(assignment: Assignment) -> None:
    *others, last = items_to_judge(assignment)
    for item in others:
        assert judge(item).completion_code is None
    receipt = judge(last)
    assignment.refresh_from_db()
    assert receipt.done == receipt.total == assignment.done
    assert assignment.status == AssignmentStatus.DONE
    assert assignment.finished_at is not None
    assert receipt.completion_code == assignment.completion_code
    assert len(assignment.completion_code) == 14


def test_a_finished_assignment_can_be_revised_and_keeps_its_code(assignment: Assignment) -> None:
    items = items_to_judge(assignment)
    codes = {judge(item).completion_code for item in items} - {None}
    assert {judge(items[0], 10, base_revision=1).completion_code} == codes
    assignment.refresh_from_db()
    assert assignment.done == assignment.total


def test_no_two_assignments_have_the_same_code(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(items_per_assignment=3)
    codes = set()
    for _ in range(3):
        assignment = take(campaign, cast.annotator)
        codes |= {judge(item).completion_code for item in items_to_judge(assignment)}
    assert len(codes) == 4  # None among them


def test_a_late_first_judgment_counts(item: Item, planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    assert judge(item).done == 1
    judgment = Judgment.objects.get()
    assert (judgment.is_current, judgment.surplus) == (True, False)


def test_the_receipt_tells_of_a_pause(assignment: Assignment, planned: Campaign) -> None:
    first, second = items_to_judge(assignment)[:2]
    assert not judge(first).is_paused
    set_status(campaign=planned, status="paused", by=None)
    assert judge(second).is_paused


def test_a_late_revision_is_stored_beside_the_one_that_counts(item: Item, planned: Campaign) -> None:
    judge(item, 50)
    set_status(campaign=planned, status="closed", by=None)
    assert judge(item, 60, base_revision=1).revision == 2
    revisions = Judgment.objects.order_by("revision").values_list("is_current", "surplus", "scores__value")
    assert list(revisions) == [(True, False, 50.0), (False, True, 60.0)]


def test_who_finishes_late_still_gets_a_code(assignment: Assignment, planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    receipts = [judge(item) for item in items_to_judge(assignment)]
    assignment.refresh_from_db()
    assert receipts[-1].completion_code
    assert assignment.status == AssignmentStatus.DONE


def test_what_arrives_for_an_archived_assignment_is_surplus(assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(status=AssignmentStatus.ARCHIVED)
    for item in items_to_judge(assignment):
        judge(item)
    assert set(Judgment.objects.values_list("surplus", flat=True)) == {True}
    assignment.refresh_from_db()
    assert assignment.status == AssignmentStatus.ARCHIVED


def test_a_judgment_leaves_its_draft_void(item: Item) -> None:
    save_draft(item=item, answer=score_of(10), base_revision=0)
    judge(item, 50)
    item.refresh_from_db()
    assert item.draft.base_revision < item.revision


def test_times_beyond_the_column_are_cut_not_refused(item: Item) -> None:
    judge(item, elapsed_ms=2**40, active_ms=2**40)
    assert Judgment.objects.get().elapsed_ms == 2**31 - 1


def test_an_answer_that_does_not_fit_is_refused_by_its_protocol(item: Item) -> None:
    with pytest.raises(InvalidInput) as caught:
        judge(item, payload=score_of(101))
    assert set(caught.value.errors) == {"slots.A.score"}
    assert not Judgment.objects.exists()


def test_somebody_elses_item_is_not_found(item: Item, cast: Cast) -> None:
    assert item_to_judge(cast.annotator, item.assignment_id, item.public_id) is not None
    assert item_to_judge(cast.second_annotator, item.assignment_id, item.public_id) is None
    assert item_to_judge(cast.annotator, item.assignment_id + 1, item.public_id) is None


def test_a_context_segment_cannot_be_judged(assignment: Assignment, cast: Cast) -> None:
    context = assignment.items.filter(level=ItemLevel.CONTEXT)[0]
    assert item_to_judge(cast.annotator, assignment.pk, context.public_id) is None


def test_a_degraded_item_is_judged_as_it_was_shown(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(degraded_share=0.1)
    item = take(campaign, cast.annotator).items.filter(kind="degraded")[0]
    slot = item.slots.get()
    assert fetched(item).shown.slots[0].text == slot.damaged
    judge(item, 5)
    assert list(Score.objects.values_list("translation", flat=True)) == [slot.translation_id]


def test_only_what_the_protocol_shows_reaches_it(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(options={"judge_against": "reference"})
    shown = fetched(items_to_judge(take(campaign, cast.annotator))[0]).shown
    assert shown.source is None
    assert shown.reference
