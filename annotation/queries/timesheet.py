"""Working time by day: the one place it is summed, for annotators, organisers and programs alike.

A judgment's time lies between the moment its item was first shown and the moment it was finished, by the annotator's
own clock, so that answers of a day without a network count on that day. The sums are the database's.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from annotation.models import TimesheetNote
from annotation.queries.work_sums import WorkSum, sums_by_day
from campaigns.models import Account, Campaign


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
    rows = sums_by_day(campaign, annotator)
    campaigns = {campaign.pk: campaign} if campaign else Campaign.objects.in_bulk({row.campaign for row in rows})
    people = {annotator.pk: annotator} if annotator else Account.objects.in_bulk({row.annotator for row in rows})
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


def _day(row: WorkSum, campaigns: Mapping[int, Campaign], people: Mapping[int, Account]) -> WorkDay:
    return WorkDay(
        campaigns[row.campaign],
        people[row.annotator],
        date.fromisoformat(row.day),
        datetime.fromtimestamp(row.begin / 1000, UTC),
        datetime.fromtimestamp(row.end / 1000, UTC),
        *row[5:],
    )


def _notes(campaign: Campaign | None, annotator: Account | None) -> dict[tuple[int, int, date], TimesheetNote]:
    notes = TimesheetNote.objects.select_related("answered_by")
    if campaign is not None:
        notes = notes.filter(campaign=campaign)
    if annotator is not None:
        notes = notes.filter(annotator=annotator)
    return {(each.campaign_id, each.annotator_id, each.day): each for each in notes}
