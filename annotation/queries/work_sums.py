"""Sums of working time by day: the database's, of judgments; of large campaigns stored, and summed on from there.

A row is an annotator's day in a campaign. What was stored counts as long as no judgment came since; if some did, all
earlier days still count, and the last stored day and later ones are summed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Sum
from django.utils import timezone

from annotation.models import AssignmentStatus, Judgment, TimesheetSums, WorkCount
from annotation.queries.progress import MANY, stored_judgments
from campaigns.models import Account, Campaign


class WorkSum(NamedTuple):
    """`day` is written as in ISO 8601; `begin` and `end` are milliseconds since 1970 (UTC)."""

    campaign: int
    annotator: int
    day: str
    begin: int
    end: int
    sessions: int
    active_ms: int
    reading_ms: int
    screens: int
    judgments: int
    changes: int


SESSION_MINUTES = 15  # a longer pause between two judgments ends a session
_MS = {
    "postgresql": "CAST(EXTRACT(EPOCH FROM {0}) * 1000 AS BIGINT)",
    "sqlite": "CAST(ROUND((julianday({0}) - 2440587.5) * 86400000) AS INTEGER)",
}
_DAY = {
    "postgresql": "CAST(to_timestamp(finish / 1000.0) AT TIME ZONE %s AS DATE)",
    "sqlite": "django_datetime_cast_date(datetime(finish / 1000, 'unixepoch'), %s, 'UTC')",
}
_LEAST = {"postgresql": "LEAST", "sqlite": "MIN"}
_BEFORE = "OVER (PARTITION BY campaign, annotator, day ORDER BY start, finish ROWS"
_SUMS = """
WITH judged AS (
    SELECT a.campaign_id AS campaign, j.annotator_id AS annotator, i.assignment_id AS assignment, i.block AS block,
        j.revision AS revision, {least}({submitted}, COALESCE({started} + j.elapsed_ms, {submitted})) AS finish,
        COALESCE(j.elapsed_ms, j.active_ms, 0) AS elapsed, COALESCE(j.active_ms, j.elapsed_ms, 0) AS active,
        COALESCE(j.reading_ms, 0) AS reading
    FROM annotation_judgment j JOIN annotation_item i ON i.id = j.item_id
    JOIN annotation_assignment a ON a.id = i.assignment_id WHERE {own}),
dated AS (SELECT judged.*, finish - elapsed AS start, {day} AS day FROM judged),
linked AS (SELECT dated.*, MAX(finish) {before} BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last FROM dated),
numbered AS (
    SELECT linked.*,
        SUM(CASE WHEN last IS NULL OR start > last THEN 1 ELSE 0 END) {before} UNBOUNDED PRECEDING) AS stretch,
        SUM(CASE WHEN last IS NULL OR start - last > {pause} THEN 1 ELSE 0 END) {before} UNBOUNDED PRECEDING) AS session
    FROM linked),
stretches AS (
    SELECT campaign, annotator, day, MAX(session) AS session, MIN(start) AS start, MAX(finish) AS finish,
        {least}(SUM(active), MAX(finish) - MIN(start)) AS active, SUM(reading) AS reading, COUNT(*) AS judgments,
        SUM(CASE WHEN revision = 1 THEN 0 ELSE 1 END) AS changes
    FROM numbered GROUP BY campaign, annotator, day, stretch),
screens AS (
    SELECT campaign, annotator, day, COUNT(*) AS screens
    FROM (SELECT DISTINCT campaign, annotator, day, assignment, block FROM dated) AS seen
    GROUP BY campaign, annotator, day)
SELECT stretches.campaign, stretches.annotator, stretches.day, MIN(start), MAX(finish), MAX(session), SUM(active),
    {least}(SUM(reading), SUM(active)), MAX(screens), SUM(judgments), SUM(changes)
FROM stretches JOIN screens ON screens.campaign = stretches.campaign AND screens.annotator = stretches.annotator
    AND screens.day = stretches.day
GROUP BY stretches.campaign, stretches.annotator, stretches.day
ORDER BY stretches.day DESC, stretches.campaign, stretches.annotator"""


def sums_by_day(campaign: Campaign | None, annotator: Account | None) -> list[WorkSum]:
    """The newest day first: of one annotator, of a campaign, or of both. At most five queries."""
    if campaign is None or annotator is not None:
        return _sums(campaign, annotator)
    if stored_judgments(campaign) < MANY:
        return _sums(campaign)
    rows = [row for _who, own in sorted(sums_so_far(campaign).items()) for row in own]
    return sorted(rows, key=lambda row: row.day, reverse=True)


def sums_anew(campaign: Campaign) -> dict[int, list[WorkSum]]:
    """By annotator, of all judgments."""
    return _by_annotator(_sums(campaign))


def sums_so_far(campaign: Campaign, people: Collection[int] = ()) -> dict[int, list[WorkSum]]:
    """Of all `people`, or of these, by annotator: as stored where nothing came since, else stored and summed."""
    known, totals = stored_sums(campaign, people), judgments_of_all(campaign, people)
    sums = {who: known[who].rows for who, total in totals.items() if who in known and known[who].judgments == total}
    changed = {who: total for who, total in totals.items() if who not in sums}
    return sums | _summed_on(campaign, changed, {who: known[who].rows for who in changed if who in known})


class StoredSums(NamedTuple):
    judgments: int
    rows: list[WorkSum]


def stored_sums(campaign: Campaign, people: Collection[int] = ()) -> dict[int, StoredSums]:
    """By annotator, of all or of these, whether judgments came since or not."""
    stored = TimesheetSums.objects.filter(campaign=campaign, time_zone=timezone.get_default_timezone_name())
    rows = (stored.filter(annotator__in=people) if people else stored).values_list("annotator", "judgments", "days")
    return {who: StoredSums(number, [WorkSum(campaign.pk, who, *day) for day in days]) for who, number, days in rows}


def judgments_of_all(campaign: Campaign, people: Collection[int] = ()) -> dict[int, int]:
    """How many judgments of any kind each annotator has: as kept, and of archived assignments counted.

    Between two recounts of an annotator, the number changes with every judgment and with nothing else.
    """
    kept = WorkCount.objects.filter(campaign=campaign, answers__gt=0)
    archived = Judgment.objects.filter(
        item__assignment__campaign=campaign, item__assignment__status=AssignmentStatus.ARCHIVED
    )
    if people:
        kept, archived = kept.filter(annotator__in=people), archived.filter(annotator__in=people)
    totals: dict[int, int] = defaultdict(int)
    for who, number in kept.order_by().values_list("annotator").annotate(number=Sum("answers")):
        totals[who] += number
    for who, number in archived.order_by().values_list("annotator").annotate(number=Count("pk")):
        totals[who] += number
    return dict(totals)


def _summed_on(
    campaign: Campaign, totals: Mapping[int, int], known: Mapping[int, list[WorkSum]]
) -> dict[int, list[WorkSum]]:
    """Of annotators with so many judgments, of whom these days are known: all their days.

    Judgments that arrived on the last known day or later are summed. If one of them was finished before (offline), or
    the days do not come to all judgments (one was on its way for long), all days of the annotator are summed.
    """
    if not totals:
        return {}
    last = {who: max((row.day for row in known.get(who, ())), default="") for who in totals}
    new = _by_annotator(_sums(campaign, since=last))
    sums = {}
    for who, total in totals.items():
        rows = new[who] + [row for row in known.get(who, ()) if row.day < last[who]]
        if not last[who] or _is_whole(rows, new[who], last[who], total):
            sums[who] = rows
    rest = {who: "" for who in totals if who not in sums}
    return sums | (_by_annotator(_sums(campaign, since=rest)) if rest else {})


def _is_whole(rows: Sequence[WorkSum], new: Sequence[WorkSum], last: str, total: int) -> bool:
    return all(row.day >= last for row in new) and sum(row.judgments for row in rows) == total


def _by_annotator(rows: Iterable[WorkSum]) -> dict[int, list[WorkSum]]:
    own: dict[int, list[WorkSum]] = defaultdict(list)
    for row in rows:
        own[row.annotator].append(row)
    return own


def _sums(
    campaign: Campaign | None, annotator: Account | None = None, since: Mapping[int, str] | None = None
) -> list[WorkSum]:
    """`since` names annotators, each with the day from whose beginning judgments are read; an empty one reads all."""
    # SQLite would begin with all of the campaign's items, where those of few annotators are wanted
    plus = "+" if connection.vendor == "sqlite" and (annotator or since) else ""
    own: list[str] = []
    values: list[Any] = []
    if campaign:
        own.append(f"{plus}a.campaign_id = %s")
        values.append(campaign.pk)
    if annotator:
        own.append("j.annotator_id = %s")
        values.append(annotator.pk)
    if since is not None:
        condition, more = _arrived_since(since)
        own.append(condition)
        values += more
    milliseconds = _MS[connection.vendor]
    statement = _SUMS.format(
        least=_LEAST[connection.vendor],
        submitted=milliseconds.format("j.submitted_at"),
        started=milliseconds.format("j.started_at"),
        own=" AND ".join(own),
        day=_DAY[connection.vendor],
        before=_BEFORE,
        pause=SESSION_MINUTES * 60_000,
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, timezone.get_default_timezone_name()])
        return [
            WorkSum(campaign, annotator, str(day), *map(int, numbers))
            for campaign, annotator, day, *numbers in cursor.fetchall()
        ]


def _arrived_since(since: Mapping[int, str]) -> tuple[str, list[Any]]:
    by_day: dict[str, list[int]] = defaultdict(list)
    for who, day in since.items():
        by_day[day].append(who)
    conditions: list[str] = []
    values: list[Any] = []
    for day, people in sorted(by_day.items()):
        condition = f"j.annotator_id IN ({', '.join(['%s'] * len(people))})"
        values += sorted(people)
        if day:
            begin = datetime.combine(date.fromisoformat(day), time(), timezone.get_default_timezone())
            condition += " AND j.submitted_at >= %s"
            values.append(connection.ops.adapt_datetimefield_value(begin))
        conditions.append(condition)
    return f"({' OR '.join(conditions)})", values
