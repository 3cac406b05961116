"""A shared pool: small assignments, reserved for a time; the least judged goes out first, and no work is stuck."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

import pytest

from annotation.actions.claiming import claim_assignment
from annotation.actions.status import set_status
from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel, Judgment
from annotation.queries.task_list import task_list_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus
from tests.cast import Cast, make_person
from tests.planned_campaign import add_annotator, items_to_judge, judge, take

PlanCampaign = Callable[..., Campaign]


@pytest.fixture
def pool(plan_campaign: PlanCampaign) -> Campaign:
    return plan_campaign(planning="pool", items_per_assignment=5, redundancy=2, reservation_minutes=30)


@pytest.fixture
def third(pool: Campaign) -> Account:
    person = make_person("third", "Third")
    add_annotator(pool, person)
    return person


def let_lapse(assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def judge_all(assignment: Assignment) -> None:
    for item in items_to_judge(assignment):
        if item.revision == 0:
            judge(item)


def outputs_of(assignment: Assignment) -> set[Any]:
    items = assignment.items.filter(level=ItemLevel.SEGMENT)
    return set(items.values_list("segment", "slots__translation"))


def regular_judgments() -> Counter[Any]:
    counted = Judgment.objects.filter(is_current=True, surplus=False, item__kind="regular")
    return Counter(counted.values_list("item__segment", "item__slots__translation"))


def test_a_part_is_reserved_and_each_judgment_renews_it(pool: Campaign, cast: Cast) -> None:
    taken = take(pool, cast.annotator)
    assert taken.status == AssignmentStatus.RESERVED
    assert taken.expires_at is not None
    assert timedelta(minutes=29) < taken.expires_at - timezone.now() <= timedelta(minutes=30)
    let_lapse(taken)
    judge(items_to_judge(taken)[0])
    taken.refresh_from_db()
    assert taken.expires_at is not None
    assert taken.expires_at > timezone.now()


def test_the_least_judged_goes_out_first(pool: Campaign, cast: Cast, third: Account) -> None:
    rounds = []
    for annotator in (*cast.annotators, third):
        while (taken := claim_assignment(campaign=pool, annotator=annotator)) is not None:
            rounds.append(taken.round)
            judge_all(taken)
    assert rounds == sorted(rounds)
    assert set(regular_judgments().values()) == {2}


def test_a_reservation_that_ran_out_goes_to_the_next_with_what_is_not_judged(
    pool: Campaign, cast: Cast, third: Account
) -> None:
    left = take(pool, cast.annotator)
    judge(items_to_judge(left)[0])
    let_lapse(left)
    rest = take(pool, cast.second_annotator)
    left.refresh_from_db()
    assert (left.status, left.done, left.total) == (AssignmentStatus.CLOSED, 1, 1)
    assert (rest.round, rest.content, rest.total) == (left.round, left.content, len(items_to_judge(left)) - 1)
    judged = {(item.segment_id, item.slots.get().translation_id) for item in items_to_judge(left)[:1]}
    assert outputs_of(rest) == {output for output in outputs_of(left) if output not in judged}
    assert rest.annotator == cast.second_annotator


def test_the_judged_segments_of_a_text_stand_in_the_rest_to_be_read(pool: Campaign, cast: Cast) -> None:
    left = take(pool, cast.annotator)
    first, second = items_to_judge(left)[:2]
    assert first.block == second.block, "the sample begins with a text of several segments"
    judge(first)
    let_lapse(left)
    rest = take(pool, cast.second_annotator)
    read = rest.items.filter(level=ItemLevel.CONTEXT, block=1)
    assert first.segment_id in set(read.values_list("segment", flat=True))
    assert not Item.objects.filter(assignment=rest, public_id__in=[item.public_id for item in items_to_judge(left)])


def test_it_stays_with_its_holder_until_somebody_takes_it(pool: Campaign, cast: Cast) -> None:
    left = take(pool, cast.annotator)
    let_lapse(left)
    again = take(pool, cast.annotator)
    assert again.pk == left.pk
    assert again.expires_at is not None
    assert again.expires_at > timezone.now()
    judge_all(left)
    assert not Judgment.objects.filter(surplus=True).exists()


def test_what_arrives_late_is_surplus_once_others_have_the_work(pool: Campaign, cast: Cast) -> None:
    left = take(pool, cast.annotator)
    late = items_to_judge(left)[0]
    let_lapse(left)
    rest = take(pool, cast.second_annotator)
    receipt = judge(late, 33)
    judge_all(rest)
    assert (receipt.done, receipt.total, receipt.completion_code) == (0, 0, None)
    assert Judgment.objects.get(item=late).surplus
    counted = regular_judgments()
    assert all(counted[output] == 1 for output in outputs_of(rest))
    receipt = judge(late, 44, base_revision=1)
    assert receipt.revision == 2
    assert not Judgment.objects.filter(item=late, surplus=False).exists()


def test_who_gave_work_back_untouched_may_get_it_again(pool: Campaign, cast: Cast) -> None:
    left = take(pool, cast.annotator)
    let_lapse(left)
    rest = take(pool, cast.second_annotator)
    contents = set()
    while (taken := claim_assignment(campaign=pool, annotator=cast.annotator)) is not None:
        contents.add(taken.content)
        judge_all(taken)
    assert rest.content in contents


def test_control_items_go_along_only_with_their_originals(plan_campaign: PlanCampaign, cast: Cast) -> None:
    campaign = plan_campaign(planning="pool", items_per_assignment=20, repeats_share=0.5)
    left = take(campaign, cast.annotator)
    repeats = {item.pk: item.original_id for item in items_to_judge(left) if item.kind == "repeat"}
    original = next(item for item in items_to_judge(left) if item.pk in repeats.values())
    judge(original)
    let_lapse(left)
    rest = take(campaign, cast.second_annotator)
    shown = rest.items.exclude(level=ItemLevel.CONTEXT).filter(kind="repeat")
    assert shown.count() == sum(pk != original.pk for pk in repeats.values())
    assert all(item.original is not None and item.original.assignment_id == rest.pk for item in shown)
    assert rest.total == rest.items.exclude(level=ItemLevel.CONTEXT).count()


def test_nothing_but_reservations_of_others_is_nothing_for_now(pool: Campaign, cast: Cast, third: Account) -> None:
    held = [take(pool, cast.annotator)]
    while (taken := claim_assignment(campaign=pool, annotator=cast.second_annotator)) is not None:
        judge_all(taken)
    while (taken := claim_assignment(campaign=pool, annotator=third)) is not None:
        judge_all(taken)
    assert task_list_of(third).current is None
    let_lapse(held[0])
    assert task_list_of(cast.second_annotator).current is None, "the second has judged the same outputs"
    assert task_list_of(third).current is not None
    assert take(pool, third).content == held[0].content


def test_a_pause_lets_no_reservation_run_out(pool: Campaign, cast: Cast) -> None:
    held = take(pool, cast.annotator)
    set_status(campaign=pool, status=CampaignStatus.PAUSED, by=None)
    let_lapse(held)
    set_status(campaign=pool, status=CampaignStatus.OPEN, by=None)
    held.refresh_from_db()
    assert held.expires_at is not None
    assert held.expires_at > timezone.now()


def test_closing_and_opening_again_restores_reservations_but_not_reassigned_work(pool: Campaign, cast: Cast) -> None:
    left = take(pool, cast.annotator)
    let_lapse(left)
    rest = take(pool, cast.second_annotator)
    set_status(campaign=pool, status=CampaignStatus.CLOSED, by=None)
    set_status(campaign=pool, status=CampaignStatus.OPEN, by=None)
    left.refresh_from_db()
    rest.refresh_from_db()
    assert (left.status, rest.status) == (AssignmentStatus.CLOSED, AssignmentStatus.RESERVED)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [({"planning": "lottery"}, "planning"), ({"planning": "pool", "reservation_minutes": 0}, "reservation_minutes")],
)
def test_a_pool_that_cannot_be_is_refused(plan_campaign: PlanCampaign, parameters: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        plan_campaign(**parameters)
    assert list(refused.value.errors) == [named]


def test_parts_of_a_pool_are_small_by_default(plan_campaign: PlanCampaign) -> None:
    assert plan_campaign(planning="pool").items_per_assignment == 100
    assert plan_campaign(name="By default", planning="pool", items_per_assignment=None).items_per_assignment == 20
