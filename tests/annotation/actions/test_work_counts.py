"""Counts that are kept equal a recount, whatever happens to judgments."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.core.management import CommandError, call_command
from django.db.models import Q

import pytest

from annotation.actions.housekeeping import has_judgments
from annotation.actions.returning import reset_assignment, return_assignment
from annotation.actions.summaries import recount, wrong_counts
from annotation.models import Assignment, AssignmentStatus, ControlScore, Item, Judgment, Slot, WorkCount
from annotation.queries.coverage import Coverage, coverage_of
from annotation.queries.progress import judgments_by_key, stored_judgments
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, TestSet
from metrics.actions.forgetting import forget_person
from tests.cast import Cast
from tests.judged_at import judge_at
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

NOW = datetime(2026, 11, 21, 15, 39, 59, tzinfo=UTC)


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def counted(campaign: Campaign) -> list[tuple[str, int, int]]:
    rows = WorkCount.objects.filter(campaign=campaign).order_by("counted_by", "at")
    return list(rows.values_list("counted_by", "at", "judged"))


def test_a_judgment_is_counted_in_its_ten_minutes_and_by_its_seconds(campaign: Campaign, cast: Cast) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    judge_at(items[0], NOW, active_ms=9_499)
    judge_at(items[1], NOW, active_ms=9_500)
    minute = int(NOW.replace(minute=30, second=0).timestamp()) // 60
    assert counted(campaign) == [("minutes", minute, 2), ("seconds", 9, 1), ("seconds", 10, 1)]


def test_a_recount_rounds_half_seconds_down_as_judging_does(campaign: Campaign, cast: Cast) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    for item, microsecond in zip(items, (499_999, 500_000, 999_999), strict=False):
        judge_at(item, NOW.replace(microsecond=microsecond))
    assert counted(campaign) == [("minutes", int(NOW.replace(minute=30, second=0).timestamp()) // 60, 3)]


@pytest.mark.drawn(4)
@pytest.mark.parametrize("seed", range(4))
def test_kept_counts_equal_a_recount_after_any_history(test_set: TestSet, cast: Cast, seed: int) -> None:
    shares: dict[str, Any] = {"redundancy": 2, "items_per_assignment": 4, "repeats_share": 0.2, "degraded_share": 0.4}
    campaign = make_planned_campaign(test_set, cast, **shares)
    rng = random.Random(seed)
    people = [cast.annotator, cast.second_annotator]
    for _step in range(25):
        happen = rng.choice([_judge, _judge, _judge, _judge, _revise, _revise, _reset, _return])
        happen(campaign, rng.choice(people), rng)
        assert wrong_counts(campaign.pk) == 0
        assert counts_of(coverage_of(campaign)) == counts_by_item(campaign)
    assert Judgment.objects.filter(item__assignment__campaign=campaign).count() > 3
    assert ControlScore.objects.filter(campaign=campaign).exists()
    forget_person(account=people[seed % 2], how=rng.choice(["erased", "pseudonymised"]), by=cast.organiser)
    assert wrong_counts(campaign.pk) == 0
    assert counts_of(coverage_of(campaign)) == counts_by_item(campaign)


def counts_of(coverage: Coverage) -> dict[tuple[str, str], tuple[int, int]]:
    cells = (
        (line.document, pair) for line in coverage.lines for pair in zip(coverage.systems, line.cells, strict=True)
    )
    return {(document, system): (cell.done, cell.total) for document, (system, cell) in cells if cell.total}


def counts_by_item(campaign: Campaign) -> dict[tuple[str, str], tuple[int, int]]:
    """What coverage means: one output after the other."""
    slots = Slot.objects.filter(item__assignment__campaign=campaign, item__kind="regular").exclude(
        Q(item__level="context") | Q(item__assignment__status="archived")
    )
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for slot in slots.select_related("item__assignment", "item__document", "system"):
        is_judged = slot.item.revision > 0
        if not is_judged and slot.item.assignment.returned_at:
            continue
        for system in (slot.system.name, *slot.credits.values_list("system__name", flat=True)):
            done, total = counts.get((slot.item.document.name, system), (0, 0))
            counts[slot.item.document.name, system] = (done + is_judged, total + 1)
    return counts


def _judge(campaign: Campaign, annotator: Account, rng: random.Random) -> None:
    try:
        items = items_to_judge(take(campaign, annotator))
    except (AssertionError, InvalidInput):
        return  # nothing is left
    waiting = [item for item in items if item.revision == 0]
    if waiting:
        judge(rng.choice(waiting), 50, active_ms=rng.choice([None, 3_000, 4_400]), elapsed_ms=rng.choice([None, 9_000]))


def _revise(campaign: Campaign, annotator: Account, rng: random.Random) -> None:
    """Of any assignment: in one that was returned it is surplus, in an archived one it counts for nothing."""
    own = Item.objects.filter(assignment__campaign=campaign, assignment__annotator=annotator, revision__gt=0)
    if items := list(own.order_by("pk")):
        item = rng.choice(items)
        judge(item, 60, base_revision=item.revision, active_ms=2_000)


def _reset(campaign: Campaign, annotator: Account, rng: random.Random) -> None:
    _end(campaign, annotator, rng, reset_assignment)


def _return(campaign: Campaign, annotator: Account, rng: random.Random) -> None:
    _end(campaign, annotator, rng, return_assignment)


def _end(campaign: Campaign, annotator: Account, rng: random.Random, end: Callable[..., Assignment]) -> None:
    own = campaign.assignments.filter(annotator=annotator).exclude(status=AssignmentStatus.ARCHIVED).order_by("pk")
    if own and rng.random() < 0.5:
        try:
            end(assignment=rng.choice(list(own)), by=None)
        except InvalidInput:
            return


def test_the_command_finds_and_mends_what_is_wrong(campaign: Campaign, cast: Cast) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0], 70, active_ms=5_000)
    call_command("check_counts")
    WorkCount.objects.filter(campaign=campaign, counted_by="seconds").delete()
    WorkCount.objects.filter(campaign=campaign).update(judged=7)
    assert wrong_counts(campaign.pk) == 3
    with pytest.raises(CommandError, match="--mend"):
        call_command("check_counts", campaign.name)
    call_command("check_counts", campaign.name, "--mend")
    assert wrong_counts(campaign.pk) == 0
    recount(campaign.pk)
    assert wrong_counts(campaign.pk) == 0


def test_all_revisions_are_counted_wherever_they_are(campaign: Campaign, cast: Cast) -> None:
    assert not has_judgments(campaign)
    assignment = take(campaign, cast.annotator)
    item = items_to_judge(assignment)[0]
    judge(item, 70)
    judge(item, 60, base_revision=1)
    assert stored_judgments(campaign) == 2
    reset_assignment(assignment=assignment, by=None)
    assert not WorkCount.objects.filter(campaign=campaign).exists()
    judge(items_to_judge(campaign.assignments.get(status=AssignmentStatus.OPEN))[0], 50)
    assert stored_judgments(campaign) == Judgment.objects.count() == 3
    assert has_judgments(campaign)


def test_a_list_by_key_has_the_judgments_of_its_campaign_alone(
    campaign: Campaign, test_set: TestSet, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_planned_campaign(test_set, cast, name="Other campaign")
    for each in (other, campaign):
        judge(items_to_judge(take(each, cast.annotator))[0])
    monkeypatch.setattr("annotation.queries.progress.MANY", 1)
    assert [each.item.assignment.campaign_id for each in judgments_by_key(campaign)] == [campaign.pk]
    for each in (campaign, other):
        judge(items_to_judge(each.assignments.get(status=AssignmentStatus.OPEN))[1])
    assert [each.item.assignment.campaign_id for each in judgments_by_key(campaign)] == [campaign.pk] * 2
    judgments_by_key(campaign).earliest("pk").delete()
    assert judgments_by_key(campaign).count() == 1
