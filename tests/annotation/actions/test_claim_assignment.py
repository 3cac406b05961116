"""Handing out assignments."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.actions.claiming import claim_assignment
from annotation.actions.status import set_status
from annotation.models import Assignment, AssignmentStatus, Slot
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, take

PlanCampaign = Callable[..., Campaign]


def finish(assignment: Assignment) -> None:
    for item in items_to_judge(assignment):
        judge(item)


def take_all(campaign: Campaign, annotator: Account) -> list[Assignment]:
    taken = []
    while (assignment := claim_assignment(campaign=campaign, annotator=annotator)) is not None:
        finish(assignment)
        taken.append(assignment)
    return taken


def test_the_next_planned_one_is_handed_out_in_order(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(items_per_assignment=6)
    first, second = take(campaign, cast.annotator), take(campaign, cast.second_annotator)
    assert (first.position, second.position) == (1, 2)
    assert (first.annotator, first.status) == (cast.annotator, AssignmentStatus.OPEN)
    assert first.claimed_at is not None


def test_who_has_an_open_one_gets_that_one(planned: Campaign, cast: Cast) -> None:
    assert take(planned, cast.annotator) == take(planned, cast.annotator)
    assert planned.assignments.filter(status=AssignmentStatus.OPEN).count() == 1


def test_nobody_judges_an_output_twice(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(redundancy=3, items_per_assignment=5)
    contents = campaign.assignments.values("content").distinct().count()
    taken = take_all(campaign, cast.annotator)
    assert len(taken) == contents > 1
    outputs = Slot.objects.filter(item__assignment__in=taken, item__level="segment").values_list("translation")
    assert len(outputs) == len(set(outputs))


def test_everything_can_be_handed_out(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(redundancy=2, items_per_assignment=5)
    for annotator in cast.annotators:
        take_all(campaign, annotator)
    assert not campaign.assignments.exclude(status=AssignmentStatus.DONE).exists()


def test_when_nothing_is_left_nothing_is_handed_out(planned: Campaign, cast: Cast) -> None:
    take(planned, cast.annotator)
    assert claim_assignment(campaign=planned, annotator=cast.second_annotator) is None


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_nothing_is_handed_out_unless_the_campaign_is_open(planned: Campaign, cast: Cast, status: str) -> None:
    set_status(campaign=planned, status=status, by=None)
    assert claim_assignment(campaign=planned, annotator=cast.annotator) is None


def test_nothing_is_handed_out_of_a_draft(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(open=False)
    assert claim_assignment(campaign=campaign, annotator=cast.annotator) is None


def test_who_does_not_judge_here_gets_nothing(planned: Campaign, cast: Cast) -> None:
    for person in (cast.organiser, cast.researcher, cast.stranger):
        with pytest.raises(InvalidInput, match="is not an annotator in this campaign"):
            claim_assignment(campaign=planned, annotator=person)
    assert not planned.assignments.exclude(status=AssignmentStatus.PLANNED).exists()


def test_campaigns_do_not_mix(plan_campaign: PlanCampaign, cast: Cast) -> None:
    one, other = plan_campaign(name="One"), plan_campaign(name="Other")
    assert take(one, cast.annotator).campaign == one
    assert take(other, cast.annotator).campaign == other


def test_archived_items_are_not_handed_out_again(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(redundancy=2)
    first = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=first.pk).update(status=AssignmentStatus.ARCHIVED)
    assert claim_assignment(campaign=campaign, annotator=cast.annotator) is None


@pytest.mark.parametrize("redundancy", [1, 40])
def test_a_claim_costs_the_same_in_a_large_campaign(
    plan_campaign: PlanCampaign,
    cast: Cast,
    redundancy: int,
    django_assert_max_num_queries: Callable[..., Any],
) -> None:
    campaign = plan_campaign(redundancy=redundancy, items_per_assignment=3)
    annotator = make_person("nora", "Nora New")
    add_annotator(campaign, annotator)
    with django_assert_max_num_queries(7):
        take(campaign, annotator)
