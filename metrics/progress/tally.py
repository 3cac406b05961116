"""Judgments by the hour and by what they took, from the counts that are kept with them.

First judgments of assignments that are not archived count; a revision is activity, not progress.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, Max, Sum, When
from django.utils import timezone

import numpy as np
from numpy.typing import NDArray

from annotation.models import CountedBy, WorkCount
from campaigns.models import Campaign
from metrics.columns import read_columns
from metrics.statistics.arrays import IntArray

_COUNT = np.dtype([("campaign", "i8"), ("counted_by", "S10"), ("annotator", "i8"), ("start", "i8"), ("sum", "i8")])


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
    grouped = stored.annotate(start=start).values_list("campaign", "counted_by", "annotator", "start")
    counts = read_columns(grouped.annotate(sum=Sum("judged")), _COUNT)
    counts = counts[np.argsort(counts["campaign"], kind="stable")]
    arrived = stored.filter(counted_by=CountedBy.TEN_MINUTES).values_list("campaign", "annotator")
    last: dict[int, dict[int, datetime]] = defaultdict(dict)
    for campaign, annotator, newest in arrived.annotate(newest=Max("last")):
        last[campaign][annotator] = newest
    keys = [each.pk for each in campaigns]
    begins, ends = (np.searchsorted(counts["campaign"], keys, side=side).tolist() for side in ("left", "right"))
    own = zip(keys, begins, ends, strict=True)
    return {campaign: _tally(counts[begin:end], last[campaign]) for campaign, begin, end in own}


def _tally(counts: NDArray[Any], last: dict[int, datetime]) -> Tally:
    judged = counts[counts["counted_by"] == CountedBy.TEN_MINUTES.encode()]
    taken = counts[counts["counted_by"] == CountedBy.SECONDS.encode()]
    return Tally(
        annotator=judged["annotator"],
        minute=judged["start"],
        local_minute=judged["start"] + _offsets(judged["start"]),
        judged=judged["sum"],
        timed_by=taken["annotator"],
        seconds=taken["start"],
        timed=taken["sum"],
        last=last,
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
