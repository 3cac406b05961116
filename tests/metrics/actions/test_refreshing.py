"""Numbers that pages update: requested once, not too often, and only the newest stay."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

import pytest

from campaigns.models import Campaign, TestSet
from jobs.actions import cancel_run, claim_run, perform_now, perform_run, queue_run
from jobs.models import Run, RunPart
from jobs.queries import parts_of, whole_result
from metrics.actions.refreshing import refresh_run
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, make_mqm, mark_by_system
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

USUAL: dict[str, Any] = {"recipe": None, "analyses": ["ranking"], "options": {}}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def judge_next(campaign: Campaign, cast: Cast) -> Callable[[], object]:
    items = iter(items_to_judge(take(campaign, cast.annotator)))
    return lambda: judge(next(items))


def refresh(campaign: Campaign) -> Run | None:
    return refresh_run(kind="analysis", campaign=campaign, arguments=USUAL)


def perform(run: Run | None) -> Run:
    assert run is not None
    claimed = claim_run(run.pk)
    assert claimed is not None
    return perform_run(claimed)


def grow_older(run: Run, **by: float) -> None:
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(**by))


def test_what_was_never_computed_is_requested_once(campaign: Campaign) -> None:
    run = refresh(campaign)
    assert run is not None
    assert run.is_automatic
    assert refresh(campaign) is None, "one waits already"


def test_stale_numbers_are_requested_again_after_a_minute(campaign: Campaign, judge_next: Callable[[], object]) -> None:
    judge_next()
    run = perform(refresh(campaign))
    grow_older(run, seconds=61)
    assert refresh(campaign) is None, "nothing is newer"
    judge_next()
    grow_older(run, seconds=30)
    assert refresh(campaign) is None, "too soon"
    grow_older(run, seconds=61)
    assert refresh(campaign) is not None


def test_a_long_computation_rests_ten_times_as_long(campaign: Campaign, judge_next: Callable[[], object]) -> None:
    judge_next()
    run = perform(refresh(campaign))
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(started_at=now - timedelta(seconds=100), finished_at=now)
    judge_next()
    grow_older(run, seconds=900)
    assert refresh(campaign) is None
    grow_older(run, seconds=1001)
    assert refresh(campaign) is not None


def test_after_a_cancelled_one_somebody_decides(campaign: Campaign) -> None:
    run = refresh(campaign)
    assert run is not None
    cancel_run(run=run)
    grow_older(run, days=1)
    assert refresh(campaign) is None


def test_the_newest_automatic_numbers_and_all_requested_ones_stay(
    campaign: Campaign, judge_next: Callable[[], object]
) -> None:
    judge_next()
    requested = perform_now(kind="analysis", campaign=campaign, arguments=USUAL)
    old = perform(queue_run(kind="analysis", campaign=campaign, arguments=USUAL, is_automatic=True))
    other = perform(
        queue_run(kind="analysis", campaign=campaign, arguments={**USUAL, "recipe": "wmt-crowd"}, is_automatic=True)
    )
    new = perform(queue_run(kind="analysis", campaign=campaign, arguments=USUAL, is_automatic=True))
    assert set(Run.objects.values_list("pk", flat=True)) == {requested.pk, other.pk, new.pk}
    assert not RunPart.objects.filter(run=old.pk).exists()


def test_segments_penalties_stand_apart_and_come_back_with_the_whole(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast)
    system = campaign.systems.order_by("name")[0].name
    mark_by_system(take(campaign, cast.annotator), {system: [GRAVE]})
    run = perform_now(kind="analysis", campaign=campaign, arguments={**USUAL, "analyses": ["errors"]})
    assert "segments" not in parts_of(run, "errors")["errors"]
    whole = whole_result(run)["analyses"]
    assert set(whole) == {"errors"}
    assert {entry["penalty"] for entry in whole["errors"]["segments"] if entry["system"] == system} == {5}
