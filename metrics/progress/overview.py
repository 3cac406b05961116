"""Everything the overview of a campaign shows, from a fixed number of queries."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

from django.core.cache import cache
from django.db.models import Avg
from django.db.models.functions import Length
from django.utils import timezone

import numpy as np

from annotation.models import Assignment
from annotation.queries.annotator_work import work_in_hand
from campaigns.models import Campaign, CampaignStatus, Segment, Translation
from metrics.progress.campaign_state import CampaignState, Person, Share, campaign_state_of, campaign_states_of
from metrics.progress.controls import FailedControls, failed_controls
from metrics.progress.expectation import PACE_DAYS, Expectation, expectation_of, own_days_left, recent_days
from metrics.progress.tally import Tally, tallies_of
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, or_none
from metrics.statistics.pace import faster_than_reading, grouped_median
from metrics.statistics.quality import ControlTest

SPARK_DAYS = 14
STUCK_DAYS = 3
MOST_DAYS_LEFT = 730
FEWEST_TIMED = 10
READING_CHARACTERS_PER_SECOND = 24  # 238 words a minute of six characters each; see docs/statistics.md
_EPOCH = date(1970, 1, 1)
_CACHED_SECONDS = 3600


class Concern(StrEnum):
    """Why an annotator needs attention, the most serious first."""

    FAILS_CONTROLS = "fails_controls"
    TOO_FAST = "too_fast"
    STUCK = "stuck"
    LATE = "late"
    UNOPENED = "unopened"


@dataclass(frozen=True)
class AnnotatorLine:
    """`days_left` until what is in hand is done, at one's own pace; None where that is not known or is over two years.

    `is_behind`: not before the end of the campaign's last day. `others_median` is of those who are too fast.
    """

    person: Person
    share: Share
    judged: int
    seconds_median: float | None
    last_judgment: datetime | None
    per_day: tuple[int, ...]
    concerns: tuple[Concern, ...]
    control: ControlTest | None
    days_idle: int
    others_median: float | None
    days_left: float | None = None
    is_behind: bool = False

    @property
    def severity(self) -> int:
        """Larger is more serious, 0 is fine."""
        order = list(Concern)
        return max((len(order) - order.index(concern) for concern in self.concerns), default=0)


@dataclass(frozen=True)
class Day:
    """`sum` counts from the first day on."""

    day: date
    judged: int
    sum: int


@dataclass(frozen=True)
class Overview:
    """`per_day` runs from the first judgment to today, or to the last one when it is over.

    `two_weeks` ends with today; `hours` are of the last seven days.
    """

    state: CampaignState
    expectation: Expectation
    lines: tuple[AnnotatorLine, ...]
    per_day_pace: float | None
    seconds_median: float | None
    reading_seconds: float | None
    active_today: int
    first_day: date
    per_day: tuple[int, ...]
    two_weeks: tuple[int, ...]
    hours: tuple[int, ...]
    hour_now: int

    @property
    def days(self) -> list[Day]:
        """From that of the first judgment on."""
        sums = accumulate(self.per_day)
        return [
            Day(self.first_day + timedelta(days=offset), judged, sum)
            for offset, (judged, sum) in enumerate(zip(self.per_day, sums, strict=True))
        ]

    @cached_property
    def busiest_day(self) -> int:
        """Most judgments of one annotator on one of the days that their lines show."""
        return max((count for line in self.lines for count in line.per_day), default=0)

    @property
    def today_share(self) -> float:
        """How much of the last of the days is over."""
        if self.expectation.is_over:
            return 1.0
        local = timezone.localtime(self.state.now)
        return (local.hour * 60 + local.minute + 1) / 1440


def overview_of(campaign: Campaign, state: CampaignState | None = None) -> Overview:
    """At most twelve queries, and six where only today is to be counted; none grows with annotators."""
    states = {campaign.pk: state or campaign_state_of(campaign)}
    return _overviews([campaign], states, tested=[campaign])[campaign.pk]


def overviews_of(campaigns: Sequence[Campaign], now: datetime) -> dict[int, Overview]:
    """By campaign; at most 17 queries, however many campaigns. Control items are tested while a campaign is open."""
    tested = [each for each in campaigns if each.status == CampaignStatus.OPEN]
    return _overviews(campaigns, campaign_states_of(campaigns, now), tested=tested)


def _overviews(
    campaigns: Sequence[Campaign], states: Mapping[int, CampaignState], *, tested: Sequence[Campaign]
) -> dict[int, Overview]:
    tallies, reading, failed = (
        tallies_of(campaigns),
        _reading_seconds(campaigns),
        failed_controls(tested, states),
    )
    return {
        each.pk: _overview(each, states[each.pk], tallies[each.pk], reading[each.pk], failed.get(each.pk, {}))
        for each in campaigns
    }


def _overview(
    campaign: Campaign, state: CampaignState, tally: Tally, reading: float | None, failed: FailedControls
) -> Overview:
    local = timezone.localtime(state.now)
    today = (local.date() - _EPOCH).days
    expectation = expectation_of(campaign, state, tally)
    judged_on = tally.day[tally.judged > 0] if tally.total else np.array([today])
    first_day, last_day = int(judged_on.min()), int(judged_on.max()) if expectation.is_over else today
    recent = recent_days(tally, state.now)
    return Overview(
        state=state,
        expectation=expectation,
        lines=_lines(campaign, state, tally, today, reading, failed),
        per_day_pace=float(recent.mean()) if recent.size else None,
        seconds_median=or_none(grouped_median(tally.seconds, tally.timed)),
        reading_seconds=reading,
        active_today=len(np.unique(tally.annotator[(tally.day == today) & (tally.judged > 0)])),
        first_day=_EPOCH + timedelta(days=first_day),
        per_day=_by_place(tally.day - first_day, tally.judged, max(1, last_day - first_day + 1)),
        two_weeks=_by_place(tally.day - (today - SPARK_DAYS + 1), tally.judged, SPARK_DAYS),
        hours=_hours(tally, state.now),
        hour_now=local.hour,
    )


@dataclass(frozen=True)
class StalledWork:
    """The assignment of an annotator who is stuck, or a reservation past its time; `line` is that annotator's."""

    assignment: Assignment
    line: AnnotatorLine


def stalled_work(campaign: Campaign, *, of: str = "") -> list[StalledWork]:
    """`of` an annotator by user name: everything that is in their hands, stalled or not."""
    stalled = {Concern.STUCK, Concern.LATE}
    all_lines = overview_of(campaign).lines
    chosen = [
        line for line in all_lines if (line.person.username == of if of else not stalled.isdisjoint(line.concerns))
    ]
    lines = {line.person.account: line for line in chosen}
    work = work_in_hand(campaign, lines)
    return [StalledWork(each, lines[each.annotator_id]) for each in work if each.annotator_id is not None]


def _lines(
    campaign: Campaign,
    state: CampaignState,
    tally: Tally,
    today: int,
    reading: float | None,
    failed: FailedControls,
) -> tuple[AnnotatorLine, ...]:
    """By severity, then by name."""
    accounts = np.array(sorted(person.account for person in state.people), dtype=np.int64)
    days = _table(tally.annotator, accounts, tally.day - (today - SPARK_DAYS + 1), tally.judged, SPARK_DAYS)
    judged = _table(tally.annotator, accounts, np.zeros_like(tally.day), tally.judged, 1)[:, 0]
    medians = _medians(tally, accounts)
    timed = _table(tally.timed_by, accounts, np.zeros_like(tally.timed_by), tally.timed, 1)[:, 0]
    enough = np.where(timed >= FEWEST_TIMED, medians, np.nan)
    fast = faster_than_reading(enough, reading_seconds=math.nan if reading is None else reading)
    places = {int(account): place for place, account in enumerate(accounts)}
    left = np.array([state.shares.get(int(each), Share()).left for each in accounts], dtype=np.int64)
    own_days = own_days_left(tally, accounts, left, state.now)
    lines = []
    for person in state.people:
        place = places[person.account]
        share, last = state.shares.get(person.account, Share()), tally.last.get(person.account)
        idle = _days_idle(share, last, state.now)
        control = failed.get(person.account)
        line = AnnotatorLine(
            person=person,
            share=share,
            judged=int(judged[place]),
            seconds_median=or_none(float(medians[place])),
            last_judgment=last,
            per_day=tuple(days[place].tolist()),
            concerns=_concerns(campaign, person, share, idle, control, state.now, is_fast=bool(fast[place])),
            control=control,
            days_idle=idle,
            others_median=_median_without(enough, place) if fast[place] else None,
            days_left=float(own_days[place]) if own_days[place] <= MOST_DAYS_LEFT else None,
            is_behind=_is_behind(campaign, float(own_days[place]), state.now),
        )
        lines.append(line)
    return tuple(sorted(lines, key=lambda line: -line.severity))


def _concerns(
    campaign: Campaign,
    person: Person,
    share: Share,
    idle: int,
    control: ControlTest | None,
    now: datetime,
    *,
    is_fast: bool,
) -> tuple[Concern, ...]:
    """Excluded annotators raise no concern about quality, and nobody is late while nobody may judge."""
    is_open = campaign.status == CampaignStatus.OPEN
    waits = person.invited_at is not None and not person.opened and (now - person.invited_at).days >= STUCK_DAYS
    raised = {
        Concern.FAILS_CONTROLS: control is not None and not person.is_excluded,
        Concern.TOO_FAST: is_fast and not person.is_excluded,
        Concern.STUCK: is_open and share.left > share.late and idle >= STUCK_DAYS,
        Concern.LATE: is_open and share.late > 0,
        Concern.UNOPENED: is_open and waits,
    }
    return tuple(concern for concern, is_raised in raised.items() if is_raised)


def _is_behind(campaign: Campaign, days_left: float, now: datetime) -> bool:
    """Who judged nothing lately is behind as well, once something is in their hands."""
    if campaign.finish_by is None or campaign.status != CampaignStatus.OPEN or math.isnan(days_left) or not days_left:
        return False
    return days_left > (campaign.finish_by - now).total_seconds() / 86_400


def _days_idle(share: Share, last: datetime | None, now: datetime) -> int:
    """Since the last judgment, or since work was taken where that is later."""
    signs = [moment for moment in (last, share.begun_at) if moment is not None]
    return (now - max(signs)).days if signs else 0


def _table(annotator: IntArray, accounts: IntArray, column: IntArray, counts: IntArray, width: int) -> IntArray:
    """Sums by annotator and column: (n_annotators, width); what lies outside is left out."""
    if not accounts.size:
        return np.zeros((0, width), dtype=np.int64)
    row = np.minimum(np.searchsorted(accounts, annotator), accounts.size - 1)
    inside = (accounts[row] == annotator) & (column >= 0) & (column < width)
    cells = np.bincount(row[inside] * width + column[inside], counts[inside], minlength=accounts.size * width)
    return cells.astype(np.int64).reshape(accounts.size, width)


def _medians(tally: Tally, accounts: IntArray) -> FloatArray:
    order = np.argsort(tally.timed_by, kind="stable")
    of, seconds, timed = tally.timed_by[order], tally.seconds[order], tally.timed[order]
    starts, ends = np.searchsorted(of, accounts, side="left"), np.searchsorted(of, accounts, side="right")
    own = zip(starts.tolist(), ends.tolist(), strict=True)
    return np.array([grouped_median(seconds[start:end], timed[start:end]) for start, end in own], dtype=np.float64)


def _median_without(medians: FloatArray, place: int) -> float | None:
    others = np.delete(medians, place)
    present: BoolArray = ~np.isnan(others)
    return float(np.median(others[present])) if present.any() else None


def _by_place(places: IntArray, counts: IntArray, length: int) -> tuple[int, ...]:
    inside = (places >= 0) & (places < length)
    return tuple(np.bincount(places[inside], counts[inside], minlength=length).astype(np.int64).tolist())


def _hours(tally: Tally, now: datetime) -> tuple[int, ...]:
    recent = tally.minute >= now.timestamp() / 60 - PACE_DAYS * 1440
    return _by_place(tally.local_minute[recent] % 1440 // 60, tally.judged[recent], 24)


def _reading_seconds(campaigns: Sequence[Campaign]) -> dict[int, float | None]:
    """By campaign, to read a source and its translation of average length once; None without texts. Two queries."""
    keys = {each.test_set_id: f"reading:{each.test_set_id}:{each.created_at.timestamp()}" for each in campaigns}
    cached: dict[str, float] = cache.get_many(keys.values())
    unread = [test_set for test_set, key in keys.items() if key not in cached]
    if unread:
        sources = Segment.objects.filter(document__test_set__in=unread).order_by().values_list("document__test_set")
        source = dict(sources.annotate(mean=Avg(Length("source"))))
        shown = Translation.objects.filter(segment__document__test_set__in=unread).order_by()
        translation = dict(shown.values_list("segment__document__test_set").annotate(mean=Avg(Length("text"))))
        read = {keys[each]: _seconds_to_read(source.get(each), translation.get(each)) for each in unread}
        cache.set_many(read, _CACHED_SECONDS)
        cached |= read
    seconds = {test_set: cached[key] for test_set, key in keys.items()}
    return {each.pk: seconds[each.test_set_id] if seconds[each.test_set_id] >= 0 else None for each in campaigns}


def _seconds_to_read(source: float | None, translation: float | None) -> float:
    """Below zero where that is not known: a cache tells nothing from None."""
    if source is None or translation is None:
        return -1.0
    return (source + translation) / READING_CHARACTERS_PER_SECOND
