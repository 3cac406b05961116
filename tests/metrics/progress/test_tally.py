"""What is counted as judged, when, and how often the database is asked."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

import numpy as np
import pytest

from annotation.actions.returning import reset_assignment
from annotation.actions.work_counts import recount_work
from annotation.models import Judgment
from campaigns.models import Campaign, TestSet
from metrics.progress.tally import Tally, tally_of
from tests.cast import Cast
from tests.judged_at import judge_at
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def by_hour(counted: Tally) -> dict[str, int]:
    starts = (counted.local_minute * 60).astype("datetime64[s]")
    return {str(start)[5:16]: int(judged) for start, judged in zip(starts, counted.judged, strict=True)}


def test_judgments_are_counted_by_annotator_and_hour(campaign: Campaign, cast: Cast) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    for item, minute in zip(items, (5, 50, 65), strict=False):
        judge_at(item, NOW.replace(hour=9, minute=0) + timedelta(minutes=minute))
    judge_at(items[3], NOW - timedelta(days=2))
    counted = tally_of(campaign)
    assert by_hour(counted) == {"11-19T15:00": 1, "11-21T09:00": 2, "11-21T10:00": 1}
    assert set(counted.annotator.tolist()) == {cast.annotator.pk}
    assert counted.last == {cast.annotator.pk: NOW.replace(hour=10, minute=5)}


def test_a_revision_is_activity_and_no_progress(campaign: Campaign, cast: Cast) -> None:
    item = items_to_judge(take(campaign, cast.annotator))[0]
    judge_at(item, NOW - timedelta(days=1), active_ms=9400)
    judge_at(item, NOW - timedelta(hours=1), base_revision=1, active_ms=1000)
    counted = tally_of(campaign)
    assert counted.total == 1
    assert counted.last[cast.annotator.pk] == NOW - timedelta(hours=1)
    assert dict(zip(counted.seconds.tolist(), counted.timed.tolist(), strict=True)) == {9: 1}


def test_surplus_and_archived_judgments_do_not_count(campaign: Campaign, cast: Cast) -> None:
    assignment = take(campaign, cast.annotator)
    items = items_to_judge(assignment)
    judge_at(items[0], NOW - timedelta(days=1))
    judge_at(items[1], NOW)
    Judgment.objects.filter(item=items[1]).update(surplus=True)
    recount_work(campaign.pk)
    assert tally_of(campaign).total == 1
    reset_assignment(assignment=assignment, by=cast.organiser)
    assert tally_of(campaign).total == 0


def test_elapsed_time_replaces_unknown_active_time(campaign: Campaign, cast: Cast) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    judge_at(items[0], NOW, elapsed_ms=20_600)
    judge_at(items[1], NOW, elapsed_ms=90_000, active_ms=30_400)
    judge_at(items[2], NOW)
    counted = tally_of(campaign)
    assert sorted(np.repeat(counted.seconds, counted.timed).tolist()) == [21, 30]


@pytest.mark.parametrize(
    ("zone", "hour"),
    [
        ("UTC", "11-20T20:00"),
        ("Europe/Berlin", "11-20T21:00"),
        ("Asia/Kolkata", "11-21T01:30"),
        ("Asia/Tokyo", "11-21T05:00"),
    ],
)
def test_days_and_hours_are_those_of_the_clock_on_the_wall(
    campaign: Campaign, cast: Cast, zone: str, hour: str
) -> None:
    judge_at(items_to_judge(take(campaign, cast.annotator))[0], datetime(2026, 11, 20, 20, 5, tzinfo=UTC))
    with timezone.override(ZoneInfo(zone)):
        assert list(by_hour(tally_of(campaign))) == [hour]


def test_two_queries_are_enough_however_much_was_judged(
    campaign: Campaign, cast: Cast, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for place, item in enumerate(items_to_judge(take(campaign, cast.annotator))[:3]):
        judge_at(item, NOW - timedelta(days=place))
    with django_assert_num_queries(2):
        assert tally_of(campaign).total == 3


def test_two_campaigns_do_not_mix(campaign: Campaign, test_set: TestSet, cast: Cast) -> None:
    other = make_planned_campaign(test_set, cast, name="Other")
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    assert tally_of(other).total == 0
    assert tally_of(campaign).total == 1
