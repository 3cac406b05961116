"""From a tally made by hand to an expected end, or the reason why there is none."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from campaigns.models import Campaign, CampaignStatus
from metrics.progress.campaign_state import CampaignState
from metrics.progress.expectation import Outlook, expectation_of, own_days_left, recent_days
from metrics.progress.tally import Tally

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)


def tally_at(*hours_and_counts: tuple[int, int]) -> Tally:
    """(hours ago, judgments) of one annotator."""
    hour = NOW.replace(minute=0)
    starts = [hour - timedelta(hours=ago) for ago, _ in hours_and_counts]
    minute = np.array([round(start.timestamp() / 60) for start in starts], dtype=np.int64)
    judged = np.array([count for _, count in hours_and_counts], dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    last = {1: max(starts)} if starts else {}
    return Tally(np.ones_like(minute), minute, minute, judged, none, none, none, last)


def state(done: int, total: int) -> CampaignState:
    return CampaignState(NOW, done, total, 0, 0, 0, 0, {}, (), '""')


def campaign(status: CampaignStatus = CampaignStatus.OPEN) -> Campaign:
    return Campaign(name="C", status=status, closed_at=datetime(2026, 11, 9, 12, tzinfo=UTC))


def daily(count: int, days: int) -> Tally:
    return tally_at(*((24 * day, count) for day in range(days)))


def test_days_end_with_the_hour_that_is_running() -> None:
    assert recent_days(tally_at((0, 5), (23, 7), (24, 11), (24 * 6, 13), (24 * 7, 99)), NOW).tolist() == [
        *(13, 0, 0, 0, 0, 11, 12)
    ]


def test_days_before_the_first_judgment_do_not_lower_the_pace() -> None:
    assert recent_days(tally_at((0, 5), (50, 7)), NOW).tolist() == [7, 0, 5]
    assert recent_days(tally_at(), NOW).tolist() == []


def test_an_even_pace_ends_on_a_day_that_can_be_counted() -> None:
    """20 a day and 50 left: two days and a half from half past three in the afternoon."""
    expected = expectation_of(campaign(), state(200, 250), daily(20, 10))
    assert expected.outlook == Outlook.EXPECTED
    assert expected.early == expected.middle == expected.late == date(2026, 11, 24)
    assert expected.days is not None
    assert expected.days.middle == 2.5


def test_an_uneven_pace_has_a_range_and_the_same_one_each_time() -> None:
    uneven = tally_at((0, 60), (24, 0), (48, 10), (72, 90), (96, 5), (120, 40), (144, 2))
    first, second = (expectation_of(campaign(), state(207, 1200), uneven) for _ in range(2))
    assert first == second
    assert first.early is not None
    assert first.middle is not None
    assert first.late is not None
    assert first.early < first.middle < first.late


@pytest.mark.parametrize(
    ("tally", "done", "total", "outlook"),
    [
        (tally_at(), 0, 0, Outlook.EMPTY),
        (tally_at(), 0, 90, Outlook.NOT_BEGUN),
        (daily(20, 3), 60, 250, Outlook.TOO_EARLY),
        (tally_at((24 * 9, 20)), 20, 250, Outlook.STANDSTILL),
        (daily(1, 7), 7, 10_000, Outlook.DISTANT),
        (daily(20, 7), 140, 140, Outlook.FINISHED),
    ],
)
def test_where_no_end_can_be_expected_it_says_why(tally: Tally, done: int, total: int, outlook: Outlook) -> None:
    result = expectation_of(campaign(), state(done, total), tally)
    assert result.outlook == outlook
    assert (result.early, result.days) == (None, None)


@pytest.mark.parametrize(
    ("status", "outlook"),
    [
        (CampaignStatus.DRAFT, Outlook.DRAFT),
        (CampaignStatus.PAUSED, Outlook.PAUSED),
        (CampaignStatus.CLOSED, Outlook.CLOSED),
    ],
)
def test_nothing_is_expected_where_nobody_may_judge(status: CampaignStatus, outlook: Outlook) -> None:
    result = expectation_of(campaign(status), state(140, 250), daily(20, 7))
    assert (result.outlook, result.early) == (outlook, None)


def test_a_finished_campaign_tells_when() -> None:
    assert expectation_of(campaign(), state(140, 140), daily(20, 7)).on == date(2026, 11, 21)
    closed = expectation_of(campaign(CampaignStatus.CLOSED), state(1, 140), daily(20, 7))
    assert closed.on == date(2026, 11, 9)


def test_each_annotator_is_expected_at_their_own_pace() -> None:
    """1: ten a day for ten days; 2: seven a day, begun four days ago; 3: nothing for eight days; 4: since yesterday."""
    rows = [(1, 24 * day, 10) for day in range(10)] + [(2, 24 * day, 7) for day in range(4)]
    rows += [(3, 24 * 8, 50), (4, 24, 5), (9, 1, 1)]
    hour = round(NOW.replace(minute=0).timestamp() / 60)
    minute = np.array([hour - 60 * ago for _who, ago, _n in rows], dtype=np.int64)
    who, judged = (np.array([row[place] for row in rows], dtype=np.int64) for place in (0, 2))
    none = np.zeros(0, dtype=np.int64)
    tally = Tally(who, minute, minute, judged, none, none, none, {})
    accounts, left = np.array([1, 2, 3, 4, 5, 9]), np.array([30, 28, 5, 5, 7, 0])
    days = own_days_left(tally, accounts, left, NOW)
    assert days[:2].tolist() == [3.0, 4.0]
    assert days[2] == np.inf
    assert np.isnan(days[3:5]).all()
    assert days[5] == 0
    assert own_days_left(tally, accounts[:0], left[:0], NOW).size == 0
