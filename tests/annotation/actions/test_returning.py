"""What an organiser does with work that does not come on; nothing that was judged is ever lost."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.actions.claiming import claim_assignment
from annotation.actions.returning import reassign_assignment, reset_assignment, return_assignment
from annotation.actions.status import set_status
from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Judgment
from annotation.protocols import protocol_for
from annotation.queries.items_page import Place, items_page
from annotation.queries.progress import progress_of
from annotation.queries.task_list import takers_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, AuditEntry, Campaign, CampaignStatus, TestSet
from metrics.matrices import read_scores
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import ask_questions

PlanCampaign = Callable[..., Campaign]
Act = Callable[..., Assignment]


@pytest.fixture
def begun(planned: Campaign, cast: Cast) -> Assignment:
    """Two of its items are judged."""
    assignment = take(planned, cast.annotator)
    for item in items_to_judge(assignment)[:2]:
        judge(item, 80)
    return Assignment.objects.get(pk=assignment.pk)


def counted(campaign: Campaign) -> int:
    score = protocol_for(campaign.protocol, campaign.options).measures[0]
    table = read_scores(campaign, score)
    return int((~table.surplus).sum())


def test_returned_items_go_to_the_next_annotator(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    total = progress_of(planned).total
    rest = return_assignment(assignment=begun, by=cast.organiser)
    assert (rest.status, rest.annotator, rest.done) == (AssignmentStatus.PLANNED, None, 0)
    assert rest.total == begun.total - 2
    assert progress_of(planned).total == total
    assert claim_assignment(campaign=planned, annotator=cast.annotator) is None, "they were already had these items"
    assert take(planned, cast.second_annotator).pk == rest.pk
    entry = AuditEntry.objects.get(action="assignment_returned")
    assert (entry.actor, entry.campaign, entry.detail["rest"]) == (cast.organiser, planned, rest.position)


def test_what_was_judged_stays_judged(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    before = counted(planned)
    reassign_assignment(assignment=begun, to=cast.second_annotator, by=cast.organiser)
    assert counted(planned) == before > 0
    begun.refresh_from_db()
    assert (begun.status, begun.done, begun.total) == (AssignmentStatus.CLOSED, 2, 2)


def test_it_can_be_handed_to_somebody_at_once(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    rest = reassign_assignment(assignment=begun, to=cast.second_annotator, by=cast.organiser)
    assert (rest.status, rest.annotator) == (AssignmentStatus.OPEN, cast.second_annotator)
    assert take(planned, cast.second_annotator).pk == rest.pk
    assert AuditEntry.objects.get(action="assignment_reassigned").detail["to"] == cast.second_annotator.username


def test_so_can_one_that_nobody_has_begun(planned: Campaign, cast: Cast) -> None:
    waiting = planned.assignments.get()
    handed = reassign_assignment(assignment=waiting, to=cast.annotator, by=cast.organiser)
    assert (handed.pk, handed.annotator, handed.status) == (waiting.pk, cast.annotator, AssignmentStatus.OPEN)


def test_exactly_the_unjudged_outputs_are_handed_out_again(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    def outputs(assignment: Assignment, **of: Any) -> list[Any]:
        items = assignment.items.filter(level=ItemLevel.SEGMENT, **of)
        return sorted(items.values_list("segment", "slots__translation", "slots__credits__system"), key=repr)

    unjudged = outputs(begun, revision=0)
    rest = return_assignment(assignment=begun, by=None)
    assert outputs(rest) == unjudged


def test_the_annotator_who_lost_it_has_nothing_to_judge_and_can_still_read(begun: Assignment, cast: Cast) -> None:
    return_assignment(assignment=begun, by=None)
    page = items_page(cast.annotator, begun.pk)
    assert page is not None
    assert (page.items, page.is_withdrawn, page.done, page.total) == ([], True, 2, 2)
    read = items_page(cast.annotator, begun.pk, Place(from_start=True))
    assert read is not None
    assert read.items[0].answer is not None


def test_a_late_answer_is_stored_as_surplus(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    late = items_to_judge(begun)[2]
    return_assignment(assignment=begun, by=None)
    before = counted(planned)
    judge(late, 10)
    assert Judgment.objects.get(item=late).surplus
    assert counted(planned) == before


def test_a_later_revision_is_stored_beside_the_one_that_counts(begun: Assignment) -> None:
    item = items_to_judge(begun)[0]
    return_assignment(assignment=begun, by=None)
    judge(item, 20, base_revision=1)
    first, second = Judgment.objects.filter(item=item).order_by("revision")
    assert (first.is_current, first.surplus) == (True, False)
    assert (second.is_current, second.surplus) == (False, True)


def test_a_reset_archives_the_judgments_and_asks_everything_anew(
    planned: Campaign, begun: Assignment, cast: Cast
) -> None:
    total = progress_of(planned).total
    anew = reset_assignment(assignment=begun, by=cast.organiser)
    begun.refresh_from_db()
    assert begun.status == AssignmentStatus.ARCHIVED
    assert Judgment.objects.filter(item__assignment=begun).count() == 2
    assert counted(planned) == 0
    assert (anew.annotator, anew.status, anew.done, anew.total) == (cast.annotator, "open", 0, begun.total)
    assert (progress_of(planned).done, progress_of(planned).total) == (0, total)
    judge(items_to_judge(anew)[0])
    assert counted(planned) > 0
    assert AuditEntry.objects.get(action="assignment_reset").actor == cast.organiser


def test_an_answer_to_an_archived_assignment_is_stored_and_does_not_count(
    planned: Campaign, begun: Assignment, cast: Cast
) -> None:
    new, old = items_to_judge(begun)[2], items_to_judge(begun)[0]
    reset_assignment(assignment=begun, by=cast.organiser)
    judge(new, 10)
    judge(old, 10, base_revision=1)
    assert Judgment.objects.filter(item__assignment=begun).count() == 4
    assert counted(planned) == 0


def test_a_reset_of_reassigned_work_repeats_only_judged_items(begun: Assignment, cast: Cast) -> None:
    return_assignment(assignment=begun, by=None)
    judge(items_to_judge(begun)[3])
    anew = reset_assignment(assignment=Assignment.objects.get(pk=begun.pk), by=None)
    assert anew.total == 2


def test_repeats_are_paired_anew(plan_campaign: PlanCampaign, cast: Cast) -> None:
    assignment = take(plan_campaign(repeats_share=0.3), cast.annotator)
    anew = reset_assignment(assignment=assignment, by=None)
    pairs = Item.objects.filter(assignment=anew, kind="repeat")
    assert pairs.count() == Item.objects.filter(assignment=assignment, kind="repeat").count() > 0
    for repeat in pairs:
        assert repeat.original is not None
        assert (repeat.original.assignment, repeat.original.segment) == (anew, repeat.segment)


def test_documents_keep_their_question(plan_campaign: PlanCampaign, cast: Cast) -> None:
    assignment = take(plan_campaign(options={"document_scores": True}), cast.annotator)
    first = items_to_judge(assignment)[0]
    judge(first)
    rest = return_assignment(assignment=assignment, by=None)
    questions = Item.objects.filter(assignment=rest, level=ItemLevel.DOCUMENT)
    assert questions.count() == Item.objects.filter(assignment=assignment, level=ItemLevel.DOCUMENT).count()


@pytest.mark.parametrize("act", [return_assignment, reset_assignment])
def test_there_must_be_something_to_give(planned: Campaign, act: Act) -> None:
    with pytest.raises(InvalidInput) as refused:
        act(assignment=planned.assignments.get(), by=None)
    assert list(refused.value.errors) == ["assignment"]


def test_finished_work_cannot_be_reassigned(planned: Campaign, cast: Cast) -> None:
    assignment = take(planned, cast.annotator)
    for item in items_to_judge(assignment):
        judge(item)
    with pytest.raises(InvalidInput):
        return_assignment(assignment=assignment, by=None)
    assert Assignment.objects.get(pk=assignment.pk).status == AssignmentStatus.DONE


def test_nothing_is_reset_twice(begun: Assignment) -> None:
    reset_assignment(assignment=begun, by=None)
    with pytest.raises(InvalidInput):
        reset_assignment(assignment=begun, by=None)


@pytest.fixture
def bystander(cast: Cast) -> Account:
    return make_person("bystander", "By Stander")


def test_it_is_handed_only_to_who_may_judge_it(planned: Campaign, begun: Assignment, bystander: Account) -> None:
    with pytest.raises(InvalidInput, match="is not an annotator"):
        reassign_assignment(assignment=begun, to=bystander, by=None)
    begun.refresh_from_db()
    assert begun.status == AssignmentStatus.OPEN
    add_annotator(planned, bystander)
    assert reassign_assignment(assignment=begun, to=bystander, by=None).annotator == bystander


def test_nobody_judges_the_same_item_twice(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(redundancy=2)
    first = take(campaign, cast.annotator)
    take(campaign, cast.second_annotator)
    with pytest.raises(InvalidInput, match="already had these items"):
        reassign_assignment(assignment=first, to=cast.second_annotator, by=None)


def test_whoever_returned_a_document_that_is_read_once_is_not_offered_for_it(test_set: TestSet, cast: Cast) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", items_per_assignment=1)
    rest = return_assignment(assignment=take(campaign, cast.annotator), by=None)
    assert list(takers_of(rest)) == [cast.second_annotator]
    with pytest.raises(InvalidInput, match="already had these items"):
        reassign_assignment(assignment=rest, to=cast.annotator, by=None)


def test_whoever_returned_work_before_the_first_judgment_is_offered_for_it(planned: Campaign, cast: Cast) -> None:
    rest = return_assignment(assignment=take(planned, cast.annotator), by=None)
    assert set(takers_of(rest)) == {cast.annotator, cast.second_annotator}


def test_a_closed_campaign_is_opened_first(planned: Campaign, begun: Assignment, cast: Cast) -> None:
    set_status(campaign=planned, status=CampaignStatus.CLOSED, by=None)
    closed = Assignment.objects.get(pk=begun.pk)
    with pytest.raises(InvalidInput, match="closed"):
        reset_assignment(assignment=closed, by=None)
    with pytest.raises(InvalidInput, match="closed"):
        reassign_assignment(assignment=closed, to=cast.second_annotator, by=None)
