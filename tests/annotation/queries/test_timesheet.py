"""What a timesheet sums: days, sessions, and tabs that counted at once."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.returning import reset_assignment
from annotation.actions.summaries import wrong_counts
from annotation.actions.timesheet import answer_dispute, dispute_day, set_pauses
from annotation.actions.work_counts import recount_work
from annotation.actions.work_sums import store_work_sums
from annotation.models import Judgment, TimesheetNote, TimesheetSums
from annotation.queries.timesheet import WorkDay, time_sum, timesheet_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, TestSet
from metrics.actions.forgetting import forget_person
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FRIDAY = date(2026, 11, 20)
MINUTE = 60_000


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def judged(campaign: Campaign, cast: Cast, *spans: tuple[float, float, float]) -> list[WorkDay]:
    """`spans`: when each judgment began and ended, in minutes after noon, and how many of them were active."""
    items = items_to_judge(take(campaign, cast.annotator))
    for item, (begin, end, active) in zip(items, spans, strict=False):
        judge(item)
        Judgment.objects.filter(item=item).update(
            started_at=NOON + timedelta(minutes=begin),
            submitted_at=NOON + timedelta(minutes=end, seconds=1),
            elapsed_ms=(end - begin) * MINUTE,
            active_ms=active * MINUTE,
            reading_ms=active * MINUTE / 2,
        )
    return timesheet_of(campaign=campaign, annotator=cast.annotator)


def minutes(days: list[WorkDay]) -> list[float]:
    return [each.active_ms / MINUTE for each in days]


def test_a_day_has_its_sessions_and_its_time(campaign: Campaign, cast: Cast) -> None:
    (day,) = judged(campaign, cast, (0, 10, 8), (10, 14, 4), (40, 50, 9))
    assert (day.day, day.sessions, day.judgments, day.changes) == (FRIDAY, 2, 3, 0)
    assert (day.active_seconds, day.reading_seconds) == (21 * 60, 10.5 * 60)
    assert (day.begin, day.end) == (NOON, NOON + timedelta(minutes=50))
    assert 1 <= day.screens <= 3


def test_two_devices_at_once_count_no_longer_than_the_clock(campaign: Campaign, cast: Cast) -> None:
    assert minutes(judged(campaign, cast, (0, 20, 20), (0, 20, 20), (30, 35, 5))) == [25]


def test_turning_back_to_an_item_of_the_same_tab_loses_nothing(campaign: Campaign, cast: Cast) -> None:
    """The first is left for the second, and finished after it: 11 and 5 minutes of 16."""
    assert minutes(judged(campaign, cast, (10, 15, 5), (0, 16, 11))) == [16]


def test_work_without_a_network_counts_on_its_day_and_a_fast_clock_not_in_the_future(
    campaign: Campaign, cast: Cast
) -> None:
    judged(campaign, cast, (0, 10, 10), (20, 30, 10))
    first, second = Judgment.objects.order_by("started_at")
    Judgment.objects.filter(pk=first.pk).update(submitted_at=NOON + timedelta(days=2))
    Judgment.objects.filter(pk=second.pk).update(started_at=NOON + timedelta(days=3))
    (day,) = timesheet_of(campaign=campaign)
    assert (day.day, day.active_ms) == (FRIDAY, 20 * MINUTE)


@override_settings(TIME_ZONE="Pacific/Auckland")
def test_days_are_those_of_the_sites_time_zone(campaign: Campaign, cast: Cast) -> None:
    assert [each.day for each in judged(campaign, cast, (-120, -110, 9), (0, 10, 9))] == [date(2026, 11, 21), FRIDAY]


def test_both_sides_read_the_same_sums(campaign: Campaign, cast: Cast) -> None:
    judged(campaign, cast, (0, 10, 8), (1440, 1450, 9))
    own, theirs = timesheet_of(annotator=cast.annotator), timesheet_of(campaign=campaign)
    assert own == theirs
    assert (time_sum(own).days, time_sum(own).active_seconds) == (2, 17 * 60)


@pytest.fixture
def large(test_set: TestSet, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Two annotators have judged in it."""
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    monkeypatch.setattr("annotation.queries.work_sums.MANY", 1)
    judged(campaign, cast, (0, 10, 8), (1440, 1450, 9))
    judge(items_to_judge(take(campaign, cast.annotators[1]))[0])
    recount_work(campaign.pk)  # at the moments that were made up
    return campaign


def in_order(days: list[WorkDay]) -> list[WorkDay]:
    return sorted(days, key=lambda day: (day.day, day.annotator.pk))


def shown(campaign: Campaign) -> list[WorkDay]:
    """What a page shows, which equals the sums of all judgments."""
    days = in_order(timesheet_of(campaign=campaign))
    people = {day.annotator for day in days}
    assert days == in_order([day for who in people for day in timesheet_of(campaign=campaign, annotator=who)])
    assert wrong_counts(campaign.pk) == 0
    return days


def read_by(campaign: Campaign) -> list[str]:
    """The statements that sum judgments for a page."""
    with CaptureQueriesContext(connection) as queries:
        timesheet_of(campaign=campaign)
    assert len(queries) <= 8
    return [each["sql"] for each in queries.captured_queries if "WITH judged" in each["sql"]]


def test_days_of_a_large_campaign_are_stored_and_only_later_answers_summed(large: Campaign, cast: Cast) -> None:
    before = shown(large)
    assert len(read_by(large)) == 1
    assert store_work_sums(least=1) == 2
    assert read_by(large) == []
    assert shown(large) == before
    assert store_work_sums(least=1) == 0
    judge(items_to_judge(large.assignments.get(annotator=cast.annotators[1], status="open"))[1])
    (statement,) = read_by(large)
    assert "submitted_at >=" in statement  # not all of the annotator's judgments
    assert shown(large) != before
    assert store_work_sums(least=1) == 1
    assert read_by(large) == []
    assert store_work_sums(least=100) == 0


def test_an_answer_from_a_day_without_a_network_is_summed_with_the_days_before(large: Campaign, cast: Cast) -> None:
    store_work_sums(least=1)
    item = items_to_judge(large.assignments.get(annotator=cast.annotator, status="open"))[-1]
    judge(item, elapsed_ms=MINUTE)
    Judgment.objects.filter(item=item).update(started_at=NOON - timedelta(days=3))
    assert len(read_by(large)) == 2
    assert NOON.date() - timedelta(days=3) in {day.day for day in shown(large)}


def test_an_answer_that_arrived_before_the_last_stored_day_is_found(large: Campaign, cast: Cast) -> None:
    """Stored late, as by a slow transaction."""
    store_work_sums(least=1)
    item = items_to_judge(large.assignments.get(annotator=cast.annotator, status="open"))[-1]
    judge(item)
    Judgment.objects.filter(item=item).update(started_at=None, submitted_at=NOON - timedelta(days=9))
    recount_work(large.pk)
    assert NOON.date() - timedelta(days=9) in {day.day for day in shown(large)}


def test_stored_days_follow_whatever_happens_to_judgments(large: Campaign, cast: Cast) -> None:
    store_work_sums(least=1)
    reset_assignment(assignment=large.assignments.get(annotator=cast.annotators[1], status="open"), by=None)
    assert len(read_by(large)) == 1
    shown(large)
    store_work_sums(least=1)
    judge(items_to_judge(large.assignments.get(annotator=cast.annotators[1], status="archived"))[1])  # late
    shown(large)
    store_work_sums(least=1)
    forget_person(account=cast.annotator, how="erased", by=cast.organiser)
    assert {each.annotator for each in shown(large)} == {cast.annotators[1]}
    assert not TimesheetSums.objects.filter(annotator=cast.annotator).exists()


def test_stored_days_of_another_time_zone_do_not_count(large: Campaign) -> None:
    store_work_sums(least=1)
    with override_settings(TIME_ZONE="Pacific/Auckland"):
        shown(large)
        assert store_work_sums(least=1) == 2
        assert read_by(large) == []


def test_the_command_finds_and_mends_wrong_sums(large: Campaign) -> None:
    store_work_sums(least=1)
    before = shown(large)
    TimesheetSums.objects.update(days=[])
    assert wrong_counts(large.pk) == len(before)
    call_command("check_counts", large.name, "--mend")
    store_work_sums(least=1)
    assert shown(large) == before


def test_a_day_is_disputed_once_and_answered(campaign: Campaign, cast: Cast) -> None:
    judged(campaign, cast, (0, 10, 8))
    own: dict[str, Any] = {"campaign": campaign, "annotator": cast.annotator, "day": FRIDAY}
    with pytest.raises(InvalidInput, match="no time"):
        dispute_day(**{**own, "day": date(2026, 11, 19)}, note="I worked.")
    dispute_day(**own, note="Twenty minutes more, on paper.")
    assert time_sum(timesheet_of(campaign=campaign)).disputes == 1
    answer_dispute(**own, answer="Paid.", by=cast.organiser)
    assert time_sum(timesheet_of(campaign=campaign)).disputes == 0
    with pytest.raises(InvalidInput, match="answered"):
        dispute_day(**own, note="Thirty.")
    forget_person(account=cast.annotator, how="pseudonymised", by=cast.organiser)
    assert not TimesheetNote.objects.exists()


def test_pauses_have_bounds_and_all_errors_are_told(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput) as error:
        set_pauses(campaign=campaign, seconds=0, words_per_minute=5000, by=cast.organiser)
    assert set(error.value.errors) == {"pause_seconds", "words_per_minute"}
    set_pauses(campaign=campaign, seconds=120, words_per_minute=80, by=cast.organiser)
    campaign.refresh_from_db()
    assert (campaign.pause_seconds, campaign.words_per_minute) == (120, 80)
