"""The overview in words and positions: what its templates print, and nothing they would have to reckon."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from frontend.organiser.alert_words import Tag, alerts_of, tags_of
from frontend.organiser.progress_chart import HourColumn, ProgressChart, hour_columns, progress_chart, spark_path
from frontend.templatetags.dates import day, day_range
from metrics.progress.expectation import FEWEST_DAYS, Expectation, Outlook
from metrics.progress.overview import AnnotatorLine, Overview

SHOWN = 25
DAYS_SHOWN = 60


@dataclass(frozen=True)
class Figure:
    """A number with what it is; without one, `value` is a word."""

    value: str
    label: str


@dataclass(frozen=True)
class Row:
    line: AnnotatorLine
    tags: list[Tag]
    days: str
    today: str
    days_label: str

    @property
    def share(self) -> float:
        return self.line.share.done / self.line.share.total if self.line.share.total else 0.0


def overview_context(campaign: Campaign, overview: Overview, *, show_all: bool) -> dict[str, Any]:
    shown = overview.lines if show_all else overview.lines[:SHOWN]
    return {
        "campaign": campaign,
        "overview": overview,
        "standing": overview.standing,
        "end": _end_figure(overview.expectation),
        "alerts": alerts_of(overview, campaign.slug),
        "chart": _chart(overview),
        "finding": _finding(overview),
        "days": overview.days[: -DAYS_SHOWN - 1 : -1],
        "has_older_days": len(overview.per_day) > DAYS_SHOWN,
        "hours": _hours(overview),
        "rows": [_row(line, overview.busiest_day) for line in shown],
        "show_all": show_all,
        "zone": timezone.get_current_timezone_name(),
    }


def _end_figure(expectation: Expectation) -> Figure:
    if expectation.early and expectation.middle and expectation.late:
        between = day_range(expectation.early, expectation.late)
        exactly = _("expected end")
        label = _("expected end (%(range)s)") % {"range": between}
        return Figure(day(expectation.middle), exactly if expectation.early == expectation.late else label)
    said_on = day(expectation.on) if expectation.on else "–"
    too_early = ngettext(
        "expected end, after %(days)d day of judging",
        "expected end, after %(days)d days of judging",
        FEWEST_DAYS,
    )
    figures = {
        Outlook.EMPTY: ("–", _("nothing is planned yet")),
        Outlook.DRAFT: (_("Not open"), _("nobody can judge yet")),
        Outlook.NOT_BEGUN: ("–", _("expected end, once judging has begun")),
        Outlook.TOO_EARLY: (_("Too early"), too_early % {"days": FEWEST_DAYS}),
        Outlook.STANDSTILL: (_("No progress"), _("no judgment in the last 7 days")),
        Outlook.DISTANT: (_("Over 2 years"), _("expected end, at the pace of the last 7 days")),
        Outlook.PAUSED: (_("Paused"), _("no estimate while paused")),
        Outlook.CLOSED: (said_on, _("closed")),
        Outlook.FINISHED: (said_on, _("finished")),
    }
    return Figure(*figures[expectation.outlook])


def _chart(overview: Overview) -> ProgressChart | None:
    """Nothing to draw before the first judgment."""
    if not any(overview.per_day):
        return None
    days, dates = overview.expectation.days, overview.expectation
    between = day_range(dates.early, dates.late) if dates.early and dates.late else ""
    return progress_chart(
        overview.per_day,
        overview.standing.total,
        first_day=overview.first_day,
        today_share=overview.today_share,
        ends=(days.early, days.late) if days else None,
        end_label=between,
    )


def _finding(overview: Overview) -> str:
    standing, dates = overview.standing, overview.expectation
    days = len(overview.per_day)
    counted = ngettext(
        "%(done)s of %(total)s judgments after %(days)d day",
        "%(done)s of %(total)s judgments after %(days)d days",
        days,
    ) % {"done": _number(standing.done), "total": _number(standing.total), "days": days}
    if not (dates.early and dates.late):
        return f"{counted}."
    expected = _("expected to finish %(range)s") % {"range": day_range(dates.early, dates.late)}
    return f"{counted}; {expected}."


def _hours(overview: Overview) -> dict[str, Any]:
    columns: list[HourColumn] = hour_columns(overview.hours, overview.hour_now)
    busiest = max(columns, key=lambda column: column.count)
    found = _("Most judgments arrive from %(start)02d to %(end)02d o’clock.") % {
        "start": busiest.hour,
        "end": (busiest.hour + 1) % 24,
    }
    return {"columns": columns, "any": busiest.count > 0, "finding": found}


def _row(line: AnnotatorLine, most: int) -> Row:
    """Columns are as high as the campaign's busiest day of an annotator, so that rows compare."""
    past, today = line.per_day[:-1], line.per_day[-1]
    two_weeks = sum(line.per_day)
    label = ngettext(
        "%(count)s judgment in 14 days, %(today)s today", "%(count)s judgments in 14 days, %(today)s today", two_weeks
    ) % {"count": _number(two_weeks), "today": _number(today)}
    whole = spark_path(line.per_day, most=most)
    split = len(spark_path(past, most=most))
    return Row(line, tags_of(line), days=whole[:split], today=whole[split:], days_label=label)


def _number(value: int) -> str:
    return number_format(value, force_grouping=True)
