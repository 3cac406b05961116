"""Working time by day: the one place it is summed, for annotators, organisers and programs alike.

A judgment's time lies between the moment its item was first shown and the moment it was finished, by the annotator's
own clock, so that answers of a day without a network count on that day. The sums are the database's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Max, Sum
from django.utils import timezone

from annotation.models import AssignmentStatus, Judgment, TimesheetNote, WorkCount
from annotation.queries.progress import MANY, stored_judgments
from campaigns.models import Account, Campaign

Row = tuple[Any, ...]
_State = tuple[int, datetime | None, int]
_REMEMBERED_SECONDS = 30 * 86_400
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


@dataclass(frozen=True)
class WorkDay:
    """One annotator's day in one campaign. `judgments` counts changes too, `screens` texts that were worked on.

    Time that two devices counted at once counts once: no stretch of overlapping work is longer than by the clock.
    """

    campaign: Campaign
    annotator: Account
    day: date
    begin: datetime
    end: datetime
    sessions: int
    active_ms: int
    reading_ms: int
    screens: int
    judgments: int
    changes: int
    note: TimesheetNote | None = None

    @property
    def active_seconds(self) -> float:
        return self.active_ms / 1000

    @property
    def reading_seconds(self) -> float:
        return self.reading_ms / 1000


@dataclass(frozen=True)
class TimeSum:
    """Several days together; `disputes` are notes without an answer."""

    days: int
    sessions: int
    active_seconds: float
    reading_seconds: float
    screens: int
    judgments: int
    disputes: int


def timesheet_of(*, campaign: Campaign | None = None, annotator: Account | None = None) -> list[WorkDay]:
    """The newest day first: of one annotator, of a campaign, or of both. At most eight queries.

    Every answer counts, also one that came late or was changed: it was work. Practice is not in it. A day is one of the
    site's time zone, and a judgment belongs to the day on which it was finished.
    """
    if campaign is None and annotator is None:
        raise ValueError("Choose a campaign, an annotator, or both.")
    rows = _sums_of_all(campaign) if campaign and not annotator else _sums(campaign, annotator)
    campaigns = {campaign.pk: campaign} if campaign else Campaign.objects.in_bulk({row[0] for row in rows})
    people = {annotator.pk: annotator} if annotator else Account.objects.in_bulk({row[1] for row in rows})
    notes = _notes(campaign, annotator)
    days = [_day(row, campaigns, people) for row in rows]
    return [replace(each, note=notes.get((each.campaign.pk, each.annotator.pk, each.day))) for each in days]


def time_sum(days: Iterable[WorkDay]) -> TimeSum:
    """Of a timesheet's days."""
    all_days = list(days)
    return TimeSum(
        days=len({each.day for each in all_days}),
        sessions=sum(each.sessions for each in all_days),
        active_seconds=sum(each.active_ms for each in all_days) / 1000,
        reading_seconds=sum(each.reading_ms for each in all_days) / 1000,
        screens=sum(each.screens for each in all_days),
        judgments=sum(each.judgments for each in all_days),
        disputes=sum(each.note is not None and not each.note.answer for each in all_days),
    )


def _sums_of_all(campaign: Campaign) -> list[Row]:
    """As `_sums`; of a large campaign only those are summed anew who answered since the last time."""
    if stored_judgments(campaign) < MANY:
        return _sums(campaign, None)
    zone = timezone.get_default_timezone_name()
    name = f"timesheets:{campaign.pk}:{campaign.created_at.timestamp()}:{zone}"
    known: dict[int, tuple[_State, list[Row]]] = cache.get(name, {})
    states = _states(campaign)
    changed = {who for who, state in states.items() if who not in known or known[who][0] != state}
    if changed:
        anew: dict[int, list[Row]] = defaultdict(list)
        for row in _sums(campaign, None, sorted(changed)):
            anew[row[1]].append(row)
        known = {who: (state, anew[who] if who in changed else known[who][1]) for who, state in states.items()}
        cache.set(name, known, _REMEMBERED_SECONDS)
    rows = [row for who in sorted(states) for row in known[who][1]]
    return sorted(rows, key=lambda row: row[2], reverse=True)


def _states(campaign: Campaign) -> dict[int, _State]:
    """By annotator, what changes with every answer that comes, is moved or is deleted."""
    kept = WorkCount.objects.filter(campaign=campaign).order_by().values_list("annotator")
    states = {who: (answers, last, 0) for who, answers, last in kept.annotate(all=Sum("answers"), newest=Max("last"))}
    archived = Judgment.objects.filter(
        item__assignment__campaign=campaign, item__assignment__status=AssignmentStatus.ARCHIVED
    )
    for who, number in archived.order_by().values_list("annotator").annotate(number=Count("pk")):
        states[who] = (*states.get(who, (0, None, 0))[:2], number)
    return states


def _sums(campaign: Campaign | None, annotator: Account | None, people: Sequence[int] = ()) -> list[Row]:
    """Of all `people` where nobody is named."""
    chosen = {"a.campaign_id": campaign.pk if campaign else None, "j.annotator_id": annotator.pk if annotator else None}
    own: dict[str, int] = {column: key for column, key in chosen.items() if key is not None}
    of_people = f" AND j.annotator_id IN ({', '.join(['%s'] * len(people))})" if people else ""
    milliseconds = _MS[connection.vendor]
    statement = _SUMS.format(
        least=_LEAST[connection.vendor],
        submitted=milliseconds.format("j.submitted_at"),
        started=milliseconds.format("j.started_at"),
        own=" AND ".join(f"{column} = %s" for column in own) + of_people,
        day=_DAY[connection.vendor],
        before=_BEFORE,
        pause=SESSION_MINUTES * 60_000,
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*own.values(), *people, timezone.get_default_timezone_name()])
        return list(cursor.fetchall())


def _day(row: tuple[Any, ...], campaigns: Mapping[int, Campaign], people: Mapping[int, Account]) -> WorkDay:
    campaign, annotator, day, begin, end, sessions, active, reading, screens, judgments, changes = row
    return WorkDay(
        campaigns[campaign],
        people[annotator],
        date.fromisoformat(day) if isinstance(day, str) else day,
        datetime.fromtimestamp(begin / 1000, UTC),
        datetime.fromtimestamp(end / 1000, UTC),
        int(sessions),
        int(active),
        int(reading),
        int(screens),
        int(judgments),
        int(changes),
    )


def _notes(campaign: Campaign | None, annotator: Account | None) -> dict[tuple[int, int, date], TimesheetNote]:
    notes = TimesheetNote.objects.select_related("answered_by")
    if campaign is not None:
        notes = notes.filter(campaign=campaign)
    if annotator is not None:
        notes = notes.filter(annotator=annotator)
    return {(each.campaign_id, each.annotator_id, each.day): each for each in notes}
