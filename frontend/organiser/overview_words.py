"""The overview in words and positions: its templates print them and compute nothing."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from frontend.interval_chart import bars_for
from frontend.organiser.progress_chart import ProgressChart, progress_chart, spark_paths
from frontend.sorting import lines_on_page
from frontend.templatetags.dates import day, day_range
from frontend.templatetags.numbers import decimals
from frontend.templatetags.words import count, duration
from metrics.progress.expectation import FEWEST_DAYS, Expectation, Outlook
from metrics.progress.overview import AnnotatorLine, Concern, Overview
from metrics.statistics.quality import ControlTest

_WITHOUT_PACE = (Outlook.PAUSED, Outlook.CLOSED, Outlook.DRAFT)
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
    text: str
    follows: str
    steps: tuple[AlertStep, ...]


def alerts_of(overview: Overview, slug: str) -> list[Alert]:
    """The most serious first; several people with one problem share an alert, except for speed."""
    by_concern = {concern: [line for line in overview.lines if concern in line.concerns] for concern in Concern}
    fast = [_fast(line, overview, slug) for line in by_concern[Concern.TOO_FAST][:MOST_FAST]]
    shared = {Concern.STUCK: _stuck, Concern.LATE: _late, Concern.UNOPENED: _unopened}
    failing = by_concern[Concern.FAILS_CONTROLS]
    others = [alert(by_concern[concern], slug) for concern, alert in shared.items() if by_concern[concern]]
    return [*([_failing(failing, slug)] if failing else []), *fast, *others]


def _tags_of(line: AnnotatorLine) -> list[tuple[str, str]]:
    """The level and the words of each concern."""
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
    return [words[concern] for concern in line.concerns]


def _name(line: AnnotatorLine) -> SafeString:
    return format_html("<bdi>{}</bdi>", line.person.name)


def _others(number: int) -> SafeString:
    return SafeString(ngettext("%(count)d other", "%(count)d others", number) % {"count": number})


def _names_of(lines: Sequence[AnnotatorLine]) -> SafeString:
    """ "A", "A and B", "A, B and 4 others"."""
    names = [_name(line) for line in lines]
    if len(names) > NAMED:
        names[NAMED - 1 :] = [_others(len(names) - NAMED + 1)]
    if len(names) == 1:
        return names[0]
    first = format_html_join(", ", "{}", ((name,) for name in names[:-1]))
    return format_html(_("{first} and {last}"), first=first, last=names[-1])


def _failing(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    p_values = [_evidence(line.control) for line in lines[:NAMED] if line.control]
    joined = _("%(first)s and %(last)s") % {"first": ", ".join(p_values[:-1]), "last": p_values[-1]}
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
    text = format_html(text, names=_names_of(lines), p=joined if len(p_values) > 1 else p_values[0])
    steps = tuple(_decide(line, slug, alone=len(lines) == 1) for line in lines[:NAMED])
    return Alert("controls", "bad", "alert", text, follows % {"count": count(judged)}, steps)


def _evidence(test: ControlTest) -> str:
    return _("no difference") if math.isnan(test.p) else f"p = {decimals(test.p, 2)}"


def _decide(line: AnnotatorLine, slug: str, *, alone: bool) -> AlertStep:
    about = _("Decide on %(name)s") % {"name": line.person.name}
    address = reverse("organiser-leave-out", args=[slug, line.person.username])
    return AlertStep(_("Decide") if alone else about, address, about)


def _fast(line: AnnotatorLine, overview: Overview, slug: str) -> Alert:
    text = format_html(
        _(
            "<b>{name} takes {own} per judgment;</b> the median of the others is {others}. "
            "Reading takes about {reading}."
        ),
        name=_name(line),
        own=duration(line.seconds_median),
        others=duration(line.others_median),
        reading=duration(overview.reading_seconds),
    )
    follows = _(
        "This is less than reading takes, and less than half of what the others take. Check whether the answers make "
        "sense."
    )
    answers = f"{reverse('organiser-annotator', args=[slug, line.person.username])}#answers"
    about = _("Look at the answers of %(name)s") % {"name": line.person.name}
    step = AlertStep(_("Look at answers"), answers, about)
    return Alert(f"fast-{line.person.account}", "warn", "clock", text, follows, (step,))


def _stuck(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    text = ngettext("<b>One annotator is stuck:</b> {who}.", "<b>{count} annotators are stuck:</b> {who}.", len(lines))
    left = sum(line.share.left - line.share.late for line in lines)
    follows = ngettext("%(count)s item can go to others.", "Their %(count)s items can go to others.", left)
    text = format_html(text, count=len(lines), who=_how_still(lines))
    step = AlertStep(_("Reassign"), reverse("organiser-standing-work", args=[slug]))
    return Alert("stuck", "warn", "info", text, follows % {"count": count(left)}, (step,))


def _how_still(lines: Sequence[AnnotatorLine]) -> SafeString:
    pieces = []
    for line in lines[:NAMED]:
        if line.last_judgment:
            text = ngettext("{name} stopped {days} day ago", "{name} stopped {days} days ago", line.days_idle)
        else:
            text = ngettext("{name} has not begun in {days} day", "{name} has not begun in {days} days", line.days_idle)
        pieces.append(format_html(text, name=_name(line), days=line.days_idle))
    if len(lines) > NAMED:
        pieces.append(_others(len(lines) - NAMED))
    return format_html_join(", ", "{}", ((piece,) for piece in pieces))


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
    step = AlertStep(_("Release now"), reverse("organiser-standing-work", args=[slug]))
    text = format_html(text, names=_names_of(lines))
    return Alert("late", "warn", "clock", text, follows % {"count": count(late)}, (step,))


def _unopened(lines: Sequence[AnnotatorLine], slug: str) -> Alert:
    text = format_html(_("<b>{names} never opened the link.</b>"), names=_names_of(lines))
    follows = _("It may not have arrived. Send it again, or create a new one; the old link then stops working.")
    step = AlertStep(_("Links"), f"{reverse('organiser-people', args=[slug])}#invitations")
    return Alert("unopened", "warn", "info", text, follows, (step,))


DAYS_SHOWN = 60


@dataclass(frozen=True)
class Spark:
    """Columns of days: those of the past, that of today, and both in words."""

    past: str
    today: str
    label: str
    is_empty: bool


@dataclass(frozen=True)
class Row:
    line: AnnotatorLine
    tags: list[tuple[str, str]]
    days: Spark
    end: str

    @property
    def share(self) -> float:
        return self.line.share.done / self.line.share.total if self.line.share.total else 0.0


def overview_context(campaign: Campaign, overview: Overview, query: QueryDict) -> dict[str, Any]:
    """`query` is the page's address: which page of the annotators, and in which order."""
    shown = _annotators_on_page(overview.lines, query)
    end, end_label = _end_figure(overview.expectation)
    return {
        "campaign": campaign,
        "overview": overview,
        "state": overview.state,
        "end": end,
        "end_label": end_label,
        "is_finished": overview.expectation.outlook == Outlook.FINISHED,
        "alerts": alerts_of(overview, campaign.slug),
        "chart": _chart(overview),
        "finding": _finding(overview),
        "days": overview.days[: -DAYS_SHOWN - 1 : -1],
        "has_older_days": len(overview.per_day) > DAYS_SHOWN,
        "hours": _hours(overview),
        **shown,
        "rows": [_row(line, overview) for line in shown["page"]],
        "is_late": _is_late(campaign, overview.expectation),
        "behind": sum(line.is_behind for line in overview.lines),
        "query": query.urlencode(),
        "zone": timezone.get_current_timezone_name(),
    }


def _annotators_on_page(lines: Sequence[AnnotatorLine], query: QueryDict) -> dict[str, Any]:
    """By default, who needs attention comes first."""
    values: dict[str, Callable[[AnnotatorLine], Any]] = {
        "name": lambda line: line.person.name,
        "progress": lambda line: line.share.done / line.share.total if line.share.total else None,
        "time": lambda line: line.seconds_median,
        "last": lambda line: line.last_judgment,
        "end": lambda line: line.days_left,
        "attention": lambda line: line.severity,
    }
    return lines_on_page(lines, values, query, "annotators", usual="-attention", down_first=["last", "attention"])


def _is_late(campaign: Campaign, expectation: Expectation) -> bool:
    last, middle = campaign.last_day, expectation.middle
    return last is not None and middle is not None and middle > last


def _days_of_end(expectation: Expectation) -> str:
    """Between which days the campaign will end; empty if that is not known."""
    return day_range(expectation.early, expectation.late) if expectation.early and expectation.late else ""


def _end_figure(expectation: Expectation) -> tuple[str, str]:
    """When the campaign ends, a day or a word, and what this is."""
    end, note = end_of(expectation)
    if expectation.outlook != Outlook.EXPECTED:
        return end, note
    return end, _("expected end (%(range)s)") % {"range": note} if note else _("expected end")


def end_of(expectation: Expectation) -> tuple[str, str]:
    """When the campaign ends, a day or a word; between which days, or what the word means."""
    if expectation.early and expectation.middle:
        is_one_day = expectation.early == expectation.late
        return day(expectation.middle), "" if is_one_day else _days_of_end(expectation)
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
    return figures[expectation.outlook]


def _chart(overview: Overview) -> ProgressChart | None:
    """Without judgments there is no chart."""
    if not any(overview.per_day):
        return None
    days = overview.expectation.days
    return progress_chart(
        overview.per_day,
        overview.state.total,
        first_day=overview.first_day,
        today_share=overview.today_share,
        ends=(days.early, days.late) if days else None,
        end_label=_days_of_end(overview.expectation),
    )


def _finding(overview: Overview) -> str:
    state, days, between = overview.state, len(overview.per_day), _days_of_end(overview.expectation)
    counted = ngettext(
        "%(done)s of %(total)s judgments after %(days)d day",
        "%(done)s of %(total)s judgments after %(days)d days",
        days,
    ) % {"done": count(state.done), "total": count(state.total), "days": days}
    if not between:
        return f"{counted}."
    expected = _("expected to finish %(range)s") % {"range": between}
    return f"{counted}; {expected}."


def _hours(overview: Overview) -> dict[str, Any]:
    """An hour without judgments is a line of one pixel."""
    busiest = overview.hours.index(max(overview.hours))
    ends = {"start": busiest, "end": (busiest + 1) % 24}
    finding = _("Most judgments arrive from %(start)02d to %(end)02d o’clock.") % ends
    return {"bars": bars_for(overview.hours, height=50, least=1), "finding": finding}


def _row(line: AnnotatorLine, overview: Overview) -> Row:
    """Columns are as high as the campaign's busiest day of an annotator, so that rows compare."""
    days = line.days_left
    is_expected = days and overview.expectation.outlook not in _WITHOUT_PACE
    end = day((overview.state.now + timedelta(days=days)).date()) if days and is_expected else ""
    return Row(line, _tags_of(line), spark(line.per_day, most=overview.busiest_day), end)


def spark(per_day: Sequence[int], *, most: int) -> Spark:
    """Two weeks; a day with `most` judgments has the full height."""
    two_weeks = sum(per_day)
    label = ngettext(
        "%(count)s judgment in 14 days, %(today)s today", "%(count)s judgments in 14 days, %(today)s today", two_weeks
    ) % {"count": count(two_weeks), "today": count(per_day[-1])}
    *past, today = spark_paths(per_day, most=most)
    return Spark("".join(past), today, label, is_empty=not any(per_day))
