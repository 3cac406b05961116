"""Judgments counted by the hour in the database; days before today are counted once.

First judgments of assignments that are not archived count; a revision is activity, not progress. Days before today
change only when an assignment is archived or a file is imported, and both change the cache's key.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import CharField, Count, F, Max, Q
from django.db.models.functions import Cast, Coalesce, Substr
from django.utils import timezone

import numpy as np

from annotation.models import AssignmentStatus, Judgment
from campaigns.models import Campaign
from metrics.progress.campaign_state import CampaignState
from metrics.statistics.arrays import IntArray

_HOUR = len("2026-11-21 08")
_TEN_MINUTES = len("2026-11-21 08:4")  # where clocks do not differ from UTC by whole hours
_CACHED_SECONDS = 26 * 3600


@dataclass(frozen=True)
class Tally:
    """Counts in parallel columns.

    `judged[i]` first judgments of `annotator[i]` began to arrive at `minute[i]`, in minutes since 1970: `minute` by
    UTC, `local_minute` by the clock on the wall. `timed[i]` of `timed_by[i]` took `seconds[i]`, rounded.
    """

    annotator: IntArray
    minute: IntArray
    local_minute: IntArray
    judged: IntArray
    timed_by: IntArray
    seconds: IntArray
    timed: IntArray
    last: dict[int, datetime]

    @property
    def total(self) -> int:
        return int(self.judged.sum())

    @property
    def day(self) -> IntArray:
        """Days since 1970 by the clock on the wall."""
        return self.local_minute // 1440

    def joined(self, other: "Tally") -> "Tally":
        columns = {
            name: np.concatenate([column, getattr(other, name)])
            for name, column in vars(self).items()
            if isinstance(column, np.ndarray)
        }
        last = {
            account: max(times)
            for account in {*self.last, *other.last}
            if (times := [each.last[account] for each in (self, other) if account in each.last])
        }
        return Tally(**columns, last=last)


def tally_of(campaign: Campaign, state: CampaignState) -> Tally:
    """All of the campaign's judgments, counted."""
    return tallies_of([campaign], {campaign.pk: state})[campaign.pk]


def tallies_of(campaigns: Sequence[Campaign], states: Mapping[int, CampaignState]) -> dict[int, Tally]:
    """By campaign, from four queries, however many campaigns.

    A second call on the same day reads only today's judgments, by the annotators' index.
    """
    if not campaigns:
        return {}
    midnight = timezone.localtime(states[campaigns[0].pk].now).replace(hour=0, minute=0, second=0, microsecond=0)
    annotators = sorted({person.account for each in campaigns for person in states[each.pk].people})
    recent = _read(campaigns, annotator__in=annotators, submitted_at__gte=midnight)
    keys = {each.pk: _key(each, states[each.pk], recent[each.pk], midnight) for each in campaigns}
    cached: dict[str, Tally] = cache.get_many(keys.values())
    unread = [each for each in campaigns if keys[each.pk] not in cached]
    read = _read(unread, submitted_at__lt=midnight) if unread else {}
    cache.set_many({keys[campaign]: past for campaign, past in read.items()}, _CACHED_SECONDS)
    return {
        each.pk: (read[each.pk] if each.pk in read else cached[keys[each.pk]]).joined(recent[each.pk])
        for each in campaigns
    }


def _key(campaign: Campaign, state: CampaignState, recent: Tally, midnight: datetime) -> str:
    annotators = sorted(person.account for person in state.people)
    who = zlib.crc32(repr(annotators).encode())  # a number may have replaced somebody
    done = state.done - recent.total
    identity = (campaign.pk, campaign.created_at.timestamp(), midnight.timestamp(), state.archived, done, who)
    return "tally:" + ":".join(map(str, identity))


_FIRST = Q(revision=1, surplus=False)


def _read(campaigns: Sequence[Campaign], **conditions: Any) -> dict[int, Tally]:
    """Two queries. The filter is inside the count: as a condition of the query SQLite would choose a worse index."""
    archived = Q(item__assignment__status=AssignmentStatus.ARCHIVED)
    counted = Judgment.objects.filter(~archived, item__assignment__campaign__in=campaigns, **conditions).order_by()
    offset = timezone.localtime().utcoffset() or timedelta()
    start = Substr(Cast("submitted_at", CharField()), 1, _TEN_MINUTES if offset % timedelta(hours=1) else _HOUR)
    arrived = _by_campaign(
        counted.annotate(start=start)
        .values_list("item__assignment__campaign", "annotator", "start")
        .annotate(judged=Count("pk", filter=_FIRST), last=Max("submitted_at"))
    )
    spent = Coalesce(F("active_ms"), F("elapsed_ms"))
    taken = _by_campaign(
        counted.annotate(spent=spent)
        .filter(spent__isnull=False)
        .annotate(seconds=(F("spent") + 500) / 1000)
        .values_list("item__assignment__campaign", "annotator", "seconds")
        .annotate(timed=Count("pk", filter=_FIRST))
    )
    return {each.pk: _tally(arrived[each.pk], taken[each.pk]) for each in campaigns}


def _by_campaign(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """Without the campaign, which is the first column."""
    split = defaultdict(list)
    for campaign, *row in rows:
        split[campaign].append(tuple(row))
    return split


def _tally(arrived: list[tuple[Any, ...]], taken: list[tuple[Any, ...]]) -> Tally:
    minute = _minutes([row[1] for row in arrived])
    last: dict[int, datetime] = {}
    for account, _, _, time in arrived:
        last[account] = max(time, last.get(account, time))
    return Tally(
        annotator=_column(arrived, 0),
        minute=minute,
        local_minute=minute + _offsets(minute),
        judged=_column(arrived, 2),
        timed_by=_column(taken, 0),
        seconds=_column(taken, 1),
        timed=_column(taken, 2),
        last=last,
    )


def _minutes(starts: list[str]) -> IntArray:
    """The same text on every database: UTC, cut off after the hour or the tens of minutes."""
    whole = [f"{start}0" if len(start) == _TEN_MINUTES else f"{start}:00" for start in starts]
    return np.array(whole, dtype="datetime64[m]").astype(np.int64)


def _offsets(minutes: IntArray) -> IntArray:
    """By how many minutes the clock on the wall was ahead."""
    zone = timezone.get_current_timezone()
    distinct, places = np.unique(minutes, return_inverse=True)
    offsets = [
        (datetime.fromtimestamp(60 * minute, tz=zone).utcoffset() or timedelta()) // timedelta(minutes=1)
        for minute in distinct.tolist()
    ]
    return np.array(offsets, dtype=np.int64)[places]


def _column(rows: list[Any], place: int) -> IntArray:
    return np.array([row[place] for row in rows], dtype=np.int64)
