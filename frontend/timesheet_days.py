"""Days of a timesheet as pages and files show them, whoever reads them."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.queries.timesheet import WorkDay, time_sum
from campaigns.invalid_input import InvalidInput
from frontend.downloads import csv_file

MOST_SHOWN = 100  # the file has all
COLUMNS = (
    "day", "campaign", "annotator", "begin", "end", "sessions", "active_seconds", "reading_seconds", "screens",
    "judgments", "changes", "note", "answer",
)  # fmt: skip


def timesheet_context(days: Sequence[WorkDay]) -> dict[str, Any]:
    """What `partials/timesheet_days.html` shows."""
    return {
        "days": days[:MOST_SHOWN],
        "hidden_days": max(0, len(days) - MOST_SHOWN),
        "sum": time_sum(days),
        "time_zone": timezone.get_default_timezone_name(),
        "printed_on": timezone.localdate(),
    }


def timesheet_csv(name: str, days: Iterable[WorkDay]) -> HttpResponse:
    return csv_file(name, COLUMNS, (_row(each) for each in days))


def _row(each: WorkDay) -> Sequence[object]:
    local = timezone.get_default_timezone()
    return (
        each.day,
        each.campaign.name,
        each.annotator.username,
        each.begin.astimezone(local).isoformat(timespec="seconds"),
        each.end.astimezone(local).isoformat(timespec="seconds"),
        each.sessions,
        each.active_seconds,
        each.reading_seconds,
        each.screens,
        each.judgments,
        each.changes,
        each.note.note if each.note else "",
        each.note.answer if each.note else "",
    )


def day_of(text: str) -> date:
    """A day that a form names."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput.of("day", _("Choose a day.")) from error
