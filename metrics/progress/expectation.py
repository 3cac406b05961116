"""When a campaign may be done, or why that cannot be estimated."""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.utils import timezone

import numpy as np

from campaigns.models import Campaign, CampaignStatus
from metrics.progress.campaign_state import CampaignState
from metrics.progress.tally import Tally
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.pace import DaysLeft, days_until_done

PACE_DAYS = 7
FEWEST_DAYS = 3
_SEED = 20_261_121
_MINUTES_A_DAY = 1440


class Outlook(StrEnum):
    EMPTY = "empty"  # nothing is planned
    DRAFT = "draft"
    NOT_BEGUN = "not_begun"
    TOO_EARLY = "too_early"
    STANDSTILL = "standstill"  # nothing was judged in the last days
    DISTANT = "distant"  # more than two years at this pace
    EXPECTED = "expected"
    PAUSED = "paused"
    CLOSED = "closed"
    FINISHED = "finished"


_SETTLED_BY_STATUS = {
    CampaignStatus.DRAFT: Outlook.DRAFT,
    CampaignStatus.PAUSED: Outlook.PAUSED,
    CampaignStatus.CLOSED: Outlook.CLOSED,
}


@dataclass(frozen=True)
class Expectation:
    """The dates, and the days until then, if EXPECTED.

    `on` is the last judgment's day when FINISHED, the day of closing when CLOSED.
    """

    outlook: Outlook
    early: date | None = None
    middle: date | None = None
    late: date | None = None
    on: date | None = None
    days: DaysLeft | None = None

    @property
    def is_over(self) -> bool:
        return self.outlook in (Outlook.CLOSED, Outlook.FINISHED)


def recent_days(tally: Tally, now: datetime) -> FloatArray:
    """Judgments of each of the last days, at most seven and none before the first judgment; the newest last.

    A day is 24 hours up to the hour that is running, so that no day is incomplete.
    """
    end = math.ceil(now.timestamp() / 3600) * 60
    ago = (end - 1 - tally.minute) // _MINUTES_A_DAY
    counted = tally.judged > 0
    days = min(PACE_DAYS, int(ago[counted].max()) + 1) if counted.any() else 0
    recent = (ago >= 0) & (ago < days)
    counts = np.bincount(ago[recent], weights=tally.judged[recent], minlength=days)
    return counts[::-1].astype(np.float64)


def own_days_left(tally: Tally, accounts: IntArray, left: IntArray, now: datetime) -> FloatArray:
    """Days until each annotator has judged what is `left` in their hands, at the pace of their own last days.

    `accounts` are sorted keys, `left` items, of the same length. The pace is their judgments a day over the last seven
    days, or since their first judgment: of 24 hours each, as `recent_days` has them. 0 where nothing is left; NaN
    within three days of their first judgment, and inf where they judged nothing in the last seven days.
    """
    days = np.full(accounts.shape, np.nan)
    if accounts.size:
        end = math.ceil(now.timestamp() / 3600) * 60
        row = np.minimum(np.searchsorted(accounts, tally.annotator), accounts.size - 1)
        counted = (accounts[row] == tally.annotator) & (tally.judged > 0)
        first = np.full(accounts.shape, np.inf)
        np.minimum.at(first, row[counted], tally.minute[counted])
        recent = counted & ((end - 1 - tally.minute) // _MINUTES_A_DAY < PACE_DAYS)
        judged = np.bincount(row[recent], weights=tally.judged[recent], minlength=accounts.size)
        is_known = (left > 0) & (now.timestamp() / 60 - first >= FEWEST_DAYS * _MINUTES_A_DAY)
        spans = np.minimum((end - 1 - first[is_known]) // _MINUTES_A_DAY + 1, PACE_DAYS)
        with np.errstate(divide="ignore"):
            days[is_known] = left[is_known] * spans / judged[is_known]
    days[left == 0] = 0.0
    return days


def expectation_of(campaign: Campaign, state: CampaignState, tally: Tally) -> Expectation:
    """The same numbers give the same dates: the seed is fixed."""
    if state.total == 0:
        return Expectation(Outlook.EMPTY)
    if state.done >= state.total:
        return Expectation(Outlook.FINISHED, on=_day_of(max(tally.last.values(), default=None)))
    if campaign.status in _SETTLED_BY_STATUS:
        return Expectation(_SETTLED_BY_STATUS[CampaignStatus(campaign.status)], on=_day_of(campaign.closed_at))
    if tally.total == 0:
        return Expectation(Outlook.NOT_BEGUN)
    return _from_pace(state, tally)


def _from_pace(state: CampaignState, tally: Tally) -> Expectation:
    first = int(tally.minute[tally.judged > 0].min())
    if state.now.timestamp() / 60 - first < FEWEST_DAYS * _MINUTES_A_DAY:
        return Expectation(Outlook.TOO_EARLY)
    counts = recent_days(tally, state.now)
    if not counts.any():
        return Expectation(Outlook.STANDSTILL)
    days = days_until_done(counts, state.total - state.done, rng=np.random.default_rng(_SEED))
    if math.isinf(days.late):
        return Expectation(Outlook.DISTANT)
    early, middle, late = (_day_of(state.now + timedelta(days=each)) for each in (days.early, days.middle, days.late))
    return Expectation(Outlook.EXPECTED, early, middle, late, days=days)


def _day_of(moment: datetime | None) -> date | None:
    return None if moment is None else timezone.localtime(moment).date()
