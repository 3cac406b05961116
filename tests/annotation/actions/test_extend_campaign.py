"""More judgments of everything, while the campaign runs; nobody is handed what they judged."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from annotation.actions.claiming import claim_assignment
from annotation.actions.extending import extend_campaign
from annotation.actions.returning import return_assignment
from annotation.actions.status import set_status
from annotation.models import Assignment, AssignmentStatus, Item, ItemKind, ItemLevel, Slot
from annotation.queries.progress import progress_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, TestSet
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import ask_questions

PlanCampaign = Callable[..., Campaign]
WITH_CONTROLS: dict[str, Any] = {"repeats_share": 0.2, "degraded_share": 0.2, "items_per_assignment": 6}
COMPARED: dict[str, Any] = {"protocol": "ranking", "options": {"systems_per_item": 2}}
READ_ONCE: dict[str, Any] = {"protocol": "gisting", "items_per_assignment": 1}


def planned_judgments(campaign: Campaign) -> Counter[tuple[int | None, int | None]]:
    slots = Slot.objects.filter(item__assignment__campaign=campaign, item__kind=ItemKind.REGULAR)
    slots = slots.exclude(item__level=ItemLevel.CONTEXT).exclude(item__assignment__returned_at__isnull=False)
    return Counter(slots.values_list("item__segment", "system"))


@pytest.mark.parametrize(
    "parameters", [WITH_CONTROLS, WITH_CONTROLS | {"planning": "pool"}, {"systems_per_segment": 1}]
)
def test_each_output_gets_as_many_more(parameters: dict[str, Any], test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, redundancy=2, **parameters)
    before = planned_judgments(campaign)
    assert set(before.values()) == {2}
    total = progress_of(campaign).total
    extend_campaign(campaign=campaign, redundancy=5, by=cast.organiser)
    assert planned_judgments(campaign) == dict.fromkeys(before, 5)
    assert progress_of(campaign).total == pytest.approx(total * 5 / 2, rel=0.1)
    campaign.refresh_from_db()
    assert campaign.redundancy == 5
    entry = AuditEntry.objects.get(action="campaign_extended")
    assert (entry.actor, entry.detail) == (cast.organiser, {"before": 2, "after": 5})


def test_nobody_is_handed_what_they_judged(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, **WITH_CONTROLS)
    annotators = [*cast.annotators, make_person("third", "Third")]
    add_annotator(campaign, annotators[-1])
    while assignment := claim_assignment(campaign=campaign, annotator=cast.annotator):
        for item in items_to_judge(assignment):
            judge(item)
    extend_campaign(campaign=campaign, redundancy=3, by=cast.organiser)
    assert claim_assignment(campaign=campaign, annotator=cast.annotator) is None
    for annotator in annotators[1:]:
        contents = []
        while assignment := claim_assignment(campaign=campaign, annotator=annotator):
            contents.append(assignment.content)
            Assignment.objects.filter(pk=assignment.pk).update(status=AssignmentStatus.DONE)
        assert len(contents) == len(set(contents)) > 1
    assert not Assignment.objects.filter(campaign=campaign, status=AssignmentStatus.PLANNED).exists()


@pytest.mark.parametrize("parameters", [COMPARED, READ_ONCE])
def test_other_protocols_get_their_rounds_as_planned(parameters: dict[str, Any], test_set: TestSet, cast: Cast) -> None:
    ask_questions(test_set)
    once = make_planned_campaign(test_set, cast, name="Once", redundancy=1, **parameters)
    thrice = make_planned_campaign(test_set, cast, name="Thrice", redundancy=3, **parameters)
    extend_campaign(campaign=once, redundancy=3, by=None)
    facts = ("position", "round", "content", "total", "status")
    extended, planned = (list(each.assignments.values_list(*facts)) for each in (once, thrice))
    assert extended == planned


def test_work_goes_on_meanwhile(planned: Campaign, cast: Cast) -> None:
    begun = take(planned, cast.annotator)
    judge(items_to_judge(begun)[0])
    rest = return_assignment(assignment=begun, by=None)
    extend_campaign(campaign=planned, redundancy=2, by=None)
    positions = list(planned.assignments.values_list("position", flat=True))
    assert len(positions) == len(set(positions)) == 3
    assert take(planned, cast.second_annotator).pk == rest.pk


def test_extending_twice_is_idempotent(planned: Campaign, cast: Cast) -> None:
    for _ in range(2):
        extend_campaign(campaign=planned, redundancy=2, by=cast.organiser)
    assert set(planned_judgments(planned).values()) == {2}
    assert AuditEntry.objects.filter(action="campaign_extended").count() == 1


def test_what_a_killed_process_left_is_stored_anew(planned: Campaign, cast: Cast) -> None:
    first = planned.assignments.get()
    left = Assignment.objects.create(
        campaign=planned, position=2, round=1, content=first.content, status=AssignmentStatus.ARCHIVED
    )
    extend_campaign(campaign=planned, redundancy=2, by=None)
    assert not Assignment.objects.filter(pk=left.pk).exists()
    assert set(planned_judgments(planned).values()) == {2}


@pytest.mark.parametrize("redundancy", [0, 1_001])
def test_fewer_than_there_are_is_refused(redundancy: int, planned: Campaign) -> None:
    with pytest.raises(InvalidInput, match="Write a whole number from 1 to"):
        extend_campaign(campaign=planned, redundancy=redundancy, by=None)


def test_a_closed_campaign_is_opened_first(planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    with pytest.raises(InvalidInput, match="Open it again first"):
        extend_campaign(campaign=planned, redundancy=2, by=None)


def test_a_plan_of_another_hand_is_not_continued(planned: Campaign) -> None:
    Item.objects.filter(assignment__campaign=planned).first().delete()  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match="cannot be extended"):
        extend_campaign(campaign=planned, redundancy=2, by=None)
    assert planned.assignments.count() == 1
