"""The overview in words and positions: its templates print them and compute nothing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from frontend.organiser.progress_chart import HourColumn, ProgressChart, hour_columns, progress_chart, spark_path
from frontend.templatetags.dates import day, day_range
from frontend.templatetags.numbers import decimals
from frontend.templatetags.words import count, duration
from metrics.progress.expectation import FEWEST_DAYS, Expectation, Outlook
from metrics.progress.overview import AnnotatorLine, Concern, Overview
from metrics.statistics.quality import ControlTest

NAMED = 3  # people an alert names; the table has all
MOST_FAST = 3


@dataclass(frozen=True)
class AlertStep:
    label: str
    address: str
    about: str = ""


@dataclass(frozen=True)
class Alert:
    key: str
    level: str
    icon: str
    text: SafeString
    follows: str
    steps: tuple[AlertStep, ...]


@dataclass(frozen=True)
class Tag:
    level: str
    label: str


def alerts_of(overview: Overview, slug: str) -> list[Alert]:
    """The most serious first; several people with one problem share an alert, except for speed."""
    by_concern = {concern: [line for line in overview.lines if concern in line.concerns] for concern in Concern}
    alerts = [_fast(line, overview, slug) for line in by_concern[Concern.TOO_FAST][:MOST_FAST]]
    grouped = {
        Concern.FAILS_CONTROLS: _failing,
        Concern.STUCK: _stuck,
        Concern.LATE: _late,
        Concern.UNOPENED: _unopened,
    }
    text = {concern: words(by_concern[concern], slug) for concern, words in grouped.items() if by_concern[concern]}
    failing = text.pop(Concern.FAILS_CONTROLS, None)
    return [*([failing] if failing else []), *alerts, *text.values()]


def tags_of(line: AnnotatorLine) -> list[Tag]:
    words = {
        Concern.FAILS_CONTROLS: ("bad", _("fails controls")),
        Concern.TOO_FAST: ("bad", _("too fast")),
        Concern.STUCK: (
            "warn",
            ngettext("stuck for %(days)d day", "stuck for %(days)d days", line.days_idle) % {"days": line.days_idle},
        ),
        Concern.LATE: ("warn", _("reservation expired")),
        Concern.UNOPENED: ("warn", _("link not opened")),
    }
    return [Tag(*words[concern]) for concern in line.concerns]


def names_of(lines: Sequence[AnnotatorLine]) -> SafeString:
    """ "A", "A and B", "A, B and 4 others"."""
    names = [format_html("<bdi>{}</bdi>", line.person.name) for line in lines]
    if len(names) > NAMED:
        others = len(names) - NAMED + 1
        names = names[: NAMED - 1]
        names.append(SafeString(ngettext("%(count)d other", "%(count)d others", others) % {"count": others}))
    if len(names) == 1:
        return names[0]
    first = format_html_join(", ", "{}", ((name,) for name in names[:-1]))
    return format_html(_("{first} and {last}"), first=first, last=names[-1])


def _failing(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    p_values = [_evidence(line.control) for line in lines[:NAMED] if line.control]
    shown = _("%(first)s and %(last)s") % {"first": ", ".join(p_values[:-1]), "last": p_values[-1]}
    text = ngettext(
        "<b>{names} does not notice degraded items</b> ({p}).",
        "<b>{names} do not notice degraded items</b> ({p}).",
        len(lines),
    )
    judged = sum(line.judged for line in lines)
    follows = ngettext(
        "Excluding them removes %(count)s judgment from the results; nothing is deleted.",
        "Excluding them removes %(count)s judgments from the results; nothing is deleted.",
        judged,
    )
    return Alert(
        "controls",
        "bad",
        "alert",
        format_html(text, names=names_of(lines), p=shown if len(p_values) > 1 else p_values[0]),
        follows % {"count": count(judged)},
        tuple(_decide(line, slug, alone=len(lines) == 1) for line in lines[:NAMED]),
    )


def _evidence(test: ControlTest) -> str:
    return _("no difference") if math.isnan(test.p) else f"p = {decimals(test.p, 2)}"


def _decide(line: AnnotatorLine, slug: str, *, alone: bool) -> AlertStep:
    about = _("Decide on %(name)s") % {"name": line.person.name}
    address = reverse("organiser-leave-out", args=[slug, line.person.username])
    return AlertStep(_("Decide") if alone else about, address, about)


def _fast(line: AnnotatorLine, overview: Overview, slug: str) -> Alert:
    low, high = line.others or (0.0, 0.0)
    others = _range(low, high)
    text = format_html(
        _("<b>{name} takes {own} per judgment;</b> the others take {others}. Reading alone takes about {reading}."),
        name=format_html("<bdi>{}</bdi>", line.person.name),
        own=duration(line.seconds_median),
        others=others,
        reading=duration(overview.reading_seconds),
    )
    follows = _(
        "This is less than reading takes, and less than half of what the others take. Check whether the answers make "
        "sense."
    )
    step = AlertStep(
        _("Look at answers"),
        f"{reverse('organiser-annotator', args=[slug, line.person.username])}#answers",
        _("Look at the answers of %(name)s") % {"name": line.person.name},
    )
    return Alert(f"fast-{line.person.account}", "warn", "clock", text, follows, (step,))


def _range(low: float, high: float) -> str:
    """ "29 to 55 s", "29 s to 2 min": the unit once where it is the same."""
    first, last = duration(low), duration(high)
    if first == last:
        return last
    if max(low, high) < 59.5:
        first = str(round(low))
    return _("%(first)s to %(last)s") % {"first": first, "last": last}


def _stuck(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    text = ngettext("<b>One annotator is stuck:</b> {who}.", "<b>{count} annotators are stuck:</b> {who}.", len(lines))
    left = sum(line.share.left - line.share.late for line in lines)
    follows = ngettext("%(count)s item can go to others.", "Their %(count)s items can go to others.", left)
    return Alert(
        "stuck",
        "warn",
        "info",
        format_html(text, count=len(lines), who=_how_still(lines)),
        follows % {"count": count(left)},
        (AlertStep(_("Reassign"), reverse("organiser-standing-work", args=[slug])),),
    )


def _how_still(lines: Sequence[AnnotatorLine]) -> SafeString:
    text = [
        format_html(
            (
                ngettext("{name} stopped {days} day ago", "{name} stopped {days} days ago", line.days_idle)
                if line.last_judgment
                else ngettext(
                    "{name} has not begun in {days} day", "{name} has not begun in {days} days", line.days_idle
                )
            ),
            name=format_html("<bdi>{}</bdi>", line.person.name),
            days=line.days_idle,
        )
        for line in lines[:NAMED]
    ]
    more = len(lines) - NAMED
    if more > 0:
        text.append(SafeString(ngettext("%(count)d other", "%(count)d others", more) % {"count": more}))
    return format_html_join(", ", "{}", ((each,) for each in text))


def _late(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    late = sum(line.share.late for line in lines)
    text = ngettext(
        "<b>The reservation of {names} has expired.</b>",
        "<b>The reservations of {names} have expired.</b>",
        len(lines),
    )
    follows = ngettext(
        "%(count)s item goes to the next annotator who asks. You do not need to do anything.",
        "%(count)s items go to the next annotators who ask. You do not need to do anything.",
        late,
    )
    return Alert(
        "late",
        "warn",
        "clock",
        format_html(text, names=names_of(lines)),
        follows % {"count": count(late)},
        (AlertStep(_("Release now"), reverse("organiser-standing-work", args=[slug])),),
    )


def _unopened(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    text = format_html(_("<b>{names} never opened the link.</b>"), names=names_of(lines))
    follows = _("It may not have arrived. Send it again, or create a new one; the old link then stops working.")
    step = AlertStep(_("Links"), f"{reverse('organiser-people', args=[slug])}#invitations")
    return Alert("unopened", "warn", "info", mark_safe(text), follows, (step,))  # noqa: S308 - formatted above


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
        "state": overview.state,
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
    end_day = day(expectation.on) if expectation.on else "–"
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
        Outlook.CLOSED: (end_day, _("closed")),
        Outlook.FINISHED: (end_day, _("finished")),
    }
    return Figure(*figures[expectation.outlook])


def _chart(overview: Overview) -> ProgressChart | None:
    """Without judgments there is no chart."""
    if not any(overview.per_day):
        return None
    days, dates = overview.expectation.days, overview.expectation
    between = day_range(dates.early, dates.late) if dates.early and dates.late else ""
    return progress_chart(
        overview.per_day,
        overview.state.total,
        first_day=overview.first_day,
        today_share=overview.today_share,
        ends=(days.early, days.late) if days else None,
        end_label=between,
    )


def _finding(overview: Overview) -> str:
    state, dates = overview.state, overview.expectation
    days = len(overview.per_day)
    counted = ngettext(
        "%(done)s of %(total)s judgments after %(days)d day",
        "%(done)s of %(total)s judgments after %(days)d days",
        days,
    ) % {"done": count(state.done), "total": count(state.total), "days": days}
    if not (dates.early and dates.late):
        return f"{counted}."
    expected = _("expected to finish %(range)s") % {"range": day_range(dates.early, dates.late)}
    return f"{counted}; {expected}."


def _hours(overview: Overview) -> dict[str, Any]:
    columns: list[HourColumn] = hour_columns(overview.hours, overview.hour_now)
    busiest = max(columns, key=lambda column: column.count)
    finding = _("Most judgments arrive from %(start)02d to %(end)02d o’clock.") % {
        "start": busiest.hour,
        "end": (busiest.hour + 1) % 24,
    }
    return {"columns": columns, "any": busiest.count > 0, "finding": finding}


def _row(line: AnnotatorLine, most: int) -> Row:
    """Columns are as high as the campaign's busiest day of an annotator, so that rows compare."""
    past, today = line.per_day[:-1], line.per_day[-1]
    two_weeks = sum(line.per_day)
    label = ngettext(
        "%(count)s judgment in 14 days, %(today)s today", "%(count)s judgments in 14 days, %(today)s today", two_weeks
    ) % {"count": count(two_weeks), "today": count(today)}
    whole = spark_path(line.per_day, most=most)
    split = len(spark_path(past, most=most))
    return Row(line, tags_of(line), days=whole[:split], today=whole[split:], days_label=label)
