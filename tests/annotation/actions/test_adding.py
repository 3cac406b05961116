"""Systems and documents that are added to a campaign that runs: who gets the work on them."""

from collections import Counter
from typing import Any

import pytest

from annotation.actions.adding import Added, add_late_work
from annotation.actions.claiming import claim_assignment
from annotation.actions.extending import extend_campaign
from annotation.models import Assignment, AssignmentStatus, Exclusion, Item, ItemLevel, Slot
from campaigns.actions.late_texts import LateOutput, LateTexts, store_late_texts
from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from campaigns.invalid_input import InvalidInput
from campaigns.late_additions import additions_of
from campaigns.models import AuditEntry, Campaign, CampaignStatus, Segment, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_questions import ask_questions

pytestmark = pytest.mark.django_db


def add_outputs(test_set: TestSet, *systems: str) -> None:
    outputs = [
        LateOutput(segment.pk, system, f"{system} über {segment.source}")
        for segment in Segment.objects.filter(document__test_set=test_set)
        for system in systems
    ]
    store_late_texts(test_set, LateTexts(systems, outputs, (), ()))


def add_document(test_set: TestSet, name: str, systems: list[str], *, segments: int = 3) -> None:
    records = [
        SegmentRecord(name, str(place), f"Source {place}", translations={each: f"{each} {place}" for each in systems})
        for place in range(segments)
    ]
    questions = [QuestionRecord(name, "1", "What?", accepted=["this"])]
    store_late_texts(test_set, LateTexts((), (), records, questions))


def add(campaign: Campaign, *, systems: tuple[str, ...] = (), documents: tuple[str, ...] = ()) -> Added:
    added = add_late_work(campaign=campaign, systems=systems, documents=documents, by=None)
    campaign.refresh_from_db()
    return added


def late_tasks(campaign: Campaign) -> list[Assignment]:
    first = additions_of(campaign)[-1].first_content
    return list(campaign.assignments.filter(content__gte=first).select_related("annotator").order_by("position"))


def systems_judged(assignment: Assignment) -> Counter[str]:
    slots = Slot.objects.filter(item__assignment=assignment).exclude(item__level=ItemLevel.CONTEXT)
    return Counter(slots.values_list("system__name", flat=True))


def finished(campaign: Campaign, annotator: Any) -> Assignment:
    assignment = take(campaign, annotator)
    for item in items_to_judge(assignment):
        judge(item)
    assignment.refresh_from_db()
    return assignment


def test_who_judged_the_documents_gets_the_further_system_as_a_further_task(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    assert finished(campaign, cast.annotator).status == AssignmentStatus.DONE
    add_outputs(test_set, "Late")
    added = add(campaign, systems=("Late",))
    [task] = late_tasks(campaign)
    assert (task.annotator, task.status, task.total) == (cast.annotator, AssignmentStatus.OPEN, 6)
    assert systems_judged(task) == {"Late": 6}
    assert claim_assignment(campaign=campaign, annotator=cast.annotator) == task
    assert (added.tasks, added.given, added.annotators, added.judgments) == (1, 1, 1, 6)
    assert AuditEntry.objects.get(action="late_texts_added").detail["systems"] == ["Late"]
    assert campaign.systems.filter(name="Late").exists()


def test_each_round_goes_to_another_of_those_who_judged_and_the_rest_waits(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, redundancy=3)
    for annotator in cast.annotators:
        take(campaign, annotator)
    add_outputs(test_set, "Late")
    added = add(campaign, systems=("Late",))
    tasks = late_tasks(campaign)
    assert {task.annotator for task in tasks} == {*cast.annotators, None}
    assert [task.status for task in tasks if task.annotator is None] == [AssignmentStatus.PLANNED]
    assert (added.tasks, added.given) == (3, 2)
    assert len({task.content for task in tasks}) == 1


def test_people_who_left_or_were_excluded_get_nothing(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    for annotator in cast.annotators:
        finished(campaign, annotator)
    Exclusion.objects.create(campaign=campaign, annotator=cast.annotator, reason="too fast")
    campaign.memberships.get(account=cast.second_annotator).delete()
    add_outputs(test_set, "Late")
    assert add(campaign, systems=("Late",)).given == 0
    assert {task.status for task in late_tasks(campaign)} == {AssignmentStatus.PLANNED}


def test_further_documents_are_judged_with_every_system_by_people_who_know_the_campaign(
    test_set: TestSet, cast: Cast
) -> None:
    campaign = make_planned_campaign(test_set, cast)
    finished(campaign, cast.second_annotator)
    names = list(campaign.systems.values_list("name", flat=True))
    add_document(test_set, "annex", names)
    add(campaign, documents=("annex",))
    [task] = late_tasks(campaign)
    assert task.annotator == cast.second_annotator
    assert systems_judged(task) == dict.fromkeys(names, 3)


def test_a_shared_pool_hands_the_work_out_itself(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, planning="pool")
    take(campaign, cast.annotator)
    add_outputs(test_set, "Late")
    assert add(campaign, systems=("Late",)).given == 0
    assert {task.status for task in late_tasks(campaign)} == {AssignmentStatus.PLANNED}
    assert take(campaign, cast.second_annotator) is not None


def test_control_items_are_planned_beside_their_originals(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, repeats_share=0.5, degraded_share=0.5)
    finished(campaign, cast.annotator)
    add_outputs(test_set, "Late", "Later")
    add(campaign, systems=("Late", "Later"))
    controls = Item.objects.filter(assignment__in=late_tasks(campaign)).exclude(kind="regular")
    assert {item.kind for item in controls} == {"repeat", "degraded"}
    for item in controls.select_related("original"):
        assert item.original is not None
        assert item.original.assignment_id == item.assignment_id
    assert Slot.objects.filter(item__in=controls, damaged__isnull=False).exists()


def test_a_system_is_judged_on_as_large_a_share_of_the_documents_as_the_others(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, systems_per_segment=2)
    for place in range(4):
        add_document(test_set, f"annex {place}", list(campaign.systems.values_list("name", flat=True)))
    add(campaign, documents=tuple(f"annex {place}" for place in range(4)))
    add_outputs(test_set, "Late")
    added = add(campaign, systems=("Late",))
    assert added.judgments == 4 * 3  # of 6 documents, 2 of 3 systems each


def test_side_by_side_a_further_system_is_compared_with_earlier_ones(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", options={"systems_per_item": 2})
    add_outputs(test_set, "Late")
    add(campaign, systems=("Late",))
    slots = Slot.objects.filter(item__assignment__in=late_tasks(campaign)).exclude(item__level=ItemLevel.CONTEXT)
    by_item: dict[int, set[str]] = {}
    for item, name in slots.values_list("item", "system__name"):
        by_item.setdefault(item, set()).add(name)
    assert len(by_item) == 6
    assert all(len(names) == 2 and "Late" in names for names in by_item.values())


def test_documents_that_are_read_once_go_to_others(test_set: TestSet, cast: Cast) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", items_per_assignment=2)
    reader = take(campaign, cast.annotator)
    add_outputs(test_set, "Late")
    add(campaign, systems=("Late",))
    late = campaign.assignments.filter(items__slots__system__name="Late").distinct()
    assert {each.content for each in late} == {reader.content}
    assert {each.status for each in late} == {AssignmentStatus.PLANNED}
    assert claim_assignment(campaign=campaign, annotator=cast.annotator) == reader


def test_nothing_is_stored_if_there_is_nothing_to_judge_or_the_campaign_is_closed(
    test_set: TestSet, cast: Cast
) -> None:
    campaign = make_planned_campaign(test_set, cast)
    with pytest.raises(InvalidInput, match="nothing to judge"):
        add(campaign, documents=("annex",))
    Campaign.objects.filter(pk=campaign.pk).update(status=CampaignStatus.CLOSED)
    add_outputs(test_set, "Late")
    with pytest.raises(InvalidInput, match="closed"):
        add(campaign, systems=("Late",))
    campaign.refresh_from_db()
    assert campaign.additions == []
    assert not campaign.systems.filter(name="Late").exists()


def test_a_campaign_with_additions_is_not_extended(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast)
    add_outputs(test_set, "Late")
    add(campaign, systems=("Late",))
    with pytest.raises(InvalidInput, match="added while it ran"):
        extend_campaign(campaign=campaign, redundancy=2, by=None)
