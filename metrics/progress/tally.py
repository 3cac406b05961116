"""Judgments by the hour and by what they took, from the counts that are kept with them.

First judgments of assignments that are not archived count; a revision is activity, not progress.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, Max, Sum, When
from django.utils import timezone

import numpy as np

from annotation.models import CountedBy, WorkCount
from campaigns.models import Campaign
from metrics.statistics.arrays import IntArray

Row = tuple[Any, ...]


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


def tally_of(campaign: Campaign) -> Tally:
    """All of the campaign's judgments, counted."""
    return tallies_of([campaign])[campaign.pk]


def tallies_of(campaigns: Sequence[Campaign]) -> dict[int, Tally]:
    """By campaign, from two queries, however many campaigns and judgments."""
    if not campaigns:
        return {}
    stored = WorkCount.objects.filter(campaign__in=campaigns).order_by()
    offset = timezone.localtime().utcoffset() or timedelta()
    step = 10 if offset % timedelta(hours=1) else 60  # clocks may differ from UTC by parts of hours
    start = Case(When(counted_by=CountedBy.TEN_MINUTES, then=F("at") / step * step), default=F("at"))
    counts = _by_campaign(
        stored.annotate(start=start)
        .values_list("campaign", "counted_by", "annotator", "start")
        .annotate(sum=Sum("judged"))
    )
    arrived = stored.filter(counted_by=CountedBy.TEN_MINUTES).values_list("campaign", "annotator")
    last = _by_campaign(arrived.annotate(newest=Max("last")))
    return {each.pk: _tally(counts[each.pk], last[each.pk]) for each in campaigns}


def _by_campaign(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Without the campaign, which is the first column."""
    split = defaultdict(list)
    for campaign, *row in rows:
        split[campaign].append(tuple(row))
    return split


def _tally(counts: list[Row], last: list[Row]) -> Tally:
    judged = [row[1:] for row in counts if row[0] == CountedBy.TEN_MINUTES]
    taken = [row[1:] for row in counts if row[0] == CountedBy.SECONDS]
    minute = _column(judged, 1)
    return Tally(
        annotator=_column(judged, 0),
        minute=minute,
        local_minute=minute + _offsets(minute),
        judged=_column(judged, 2),
        timed_by=_column(taken, 0),
        seconds=_column(taken, 1),
        timed=_column(taken, 2),
        last=dict(last),
    )


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
