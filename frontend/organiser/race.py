"""The race of a campaign's systems on its overview: the band of each, what people do by hand, and two CSV files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.eliminating import bring_back, set_race_status
from annotation.models import DrawnScreen
from campaigns.models import Campaign
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import POST, ErrorsShown, campaign_view
from frontend.downloads import csv_file
from frontend.interval_chart import Axis, axis_for
from frontend.templatetags.words import count
from metrics.analyses.allocation import STATES, LookedSystem, LookResult, looks_made
from metrics.race import RaceFacts, read_race

HEIGHT = 56
LOOK_COLUMNS = ["documents", "system", "state", "judged_documents", "mean", "behind", "bound", "is_doubtful"]
DRAWN_COLUMNS = [
    "assignment", "screen", "document", "system", "annotator", "rule", "system_propensity", "document_propensity",
    "in_race", "seed", "drawn_at",
]  # fmt: skip


@dataclass(frozen=True)
class RaceLine:
    """One system at the newest look, and at the one that compared it last, once it is out.

    `band` and `line` are paths in a box of 100 by HEIGHT, empty for who always led.
    """

    name: str
    state: str
    state_words: str
    looked: LookedSystem | None
    compared: LookedSystem | None
    dropped_after: int | None
    is_protected: bool
    is_doubtful: bool
    band: str
    line: str
    finding: str


def race_context(campaign: Campaign) -> dict[str, Any]:
    """Nothing, and no query, for a campaign that drops no systems."""
    if campaign.plan_options.get("allocation", "none") == "none":
        return {}
    race = read_race(campaign, with_documents=False)
    if race is None:
        return {}
    looks = looks_made(race)
    axis = _axis(looks)
    lines = [_line(race, place, looks, axis) for place in range(len(race.standings))]
    return {
        "race": {
            "lines": sorted(lines, key=_order),
            "finding": _finding(race, looks),
            "saved": _saved(race),
            "next": _next(race),
            "status": race.status,
            "question": _question(race),
            "alpha": race.rule.alpha,
            "looks": len(looks),
            "zero": f"{_height(axis, 0):.1f}",
            "height": HEIGHT,
            "first": looks[0].documents if looks else 0,
            "last": looks[-1].documents if looks else 0,
        }
    }


def _axis(looks: Sequence[LookResult]) -> Axis:
    """One axis for all systems, upwards how far one is ahead of the leader; who is far behind is at its lower end."""
    compared = [(each.behind, each.bound) for look in looks for each in look.systems]
    pairs = [(behind, bound) for behind, bound in compared if behind is not None and bound is not None]
    widest = max((bound for _behind, bound in pairs), default=1.0)
    ends = [max(end - behind, -2 * widest) for behind, bound in pairs for end in (-bound, bound)]
    return axis_for([0.0, *ends])


def _height(axis: Axis, value: float) -> float:
    return HEIGHT * (1 - axis.share(value) / 100)


def _line(race: RaceFacts, place: int, looks: Sequence[LookResult], axis: Axis) -> RaceLine:
    standing = race.standings[place]
    own = [(look.documents, each) for look in looks for each in look.systems if each.system == standing.name]
    newest = own[-1][1] if own else None
    compared = [each for _documents, each in own if each.behind is not None]
    state = "dropped" if not standing.is_in else newest.state if newest else "in"
    band, line = _paths(own, looks, race, axis)
    return RaceLine(
        name=standing.name,
        state=state,
        state_words=str(STATES[state]),
        looked=newest,
        compared=compared[-1] if compared and not standing.is_in else newest,
        dropped_after=standing.dropped_after,
        is_protected=standing.is_protected,
        is_doubtful=newest is not None and newest.is_doubtful and not standing.is_in,
        band=band,
        line=line,
        finding=_in_words(standing.name, compared[-1] if compared else None),
    )


def _paths(
    own: Sequence[tuple[int, LookedSystem]], looks: Sequence[LookResult], race: RaceFacts, axis: Axis
) -> tuple[str, str]:
    """What a look says holds until the next one, so bands are steps."""
    starts = [look.documents for look in looks]
    ends = [*starts[1:], *(each + race.rule.step for each in starts[-1:])]
    width = (ends[-1] - starts[0]) if starts else 1
    band, line = "", ""
    for documents, each in own:
        if each.behind is None or each.bound is None:
            continue
        place = starts.index(documents)
        left, right = (100 * (end - starts[0]) / width for end in (starts[place], ends[place]))
        top, middle, bottom = (_height(axis, -each.behind + part) for part in (each.bound, 0.0, -each.bound))
        band += f"M{left:.2f},{top:.1f}H{right:.2f}V{bottom:.1f}H{left:.2f}Z"
        line += f"M{left:.2f},{middle:.1f}H{right:.2f}"
    return band, line


def _in_words(name: str, newest: LookedSystem | None) -> str:
    if newest is None or newest.behind is None or newest.bound is None:
        return _("%(name)s: not compared at any look") % {"name": name}
    values = {"name": name, "behind": f"{newest.behind:.1f}", "bound": f"{newest.bound:.1f}"}
    return _("%(name)s: %(behind)s behind the leader, out above %(bound)s") % values


def _order(line: RaceLine) -> tuple[int, float, str]:
    behind = line.looked.behind if line.looked and line.looked.behind is not None else 0.0
    return ["leads", "in", "dropped"].index(line.state), behind, line.name


def _question(race: RaceFacts) -> str:
    if race.rule.question == "top":
        return _("Which systems are among the best %(number)d?") % {"number": race.rule.top}
    return _("Which system is best?") if race.rule.question == "best" else _("How do all systems rank?")


def _finding(race: RaceFacts, looks: Sequence[LookResult]) -> SafeString:
    """ "After 85 documents A leads; C and D are out of the race." """
    if not looks:
        words = _("No look yet. The first one is made when {first} documents are finished.")
        return format_html(words, first=race.rule.first)
    out = [each.name for each in race.standings if not each.is_in]
    leads = [each.system for each in looks[-1].systems if each.state == "leads" and each.system not in out]
    documents = looks[-1].documents
    if leads:
        text = ngettext(
            "After {documents} documents {leaders} leads.", "After {documents} documents {leaders} lead.", len(leads)
        )
        first = format_html(text, documents=count(documents), leaders=_names(leads))
    else:
        first = format_html(_("After {documents} documents nobody leads."), documents=count(documents))
    if not out:
        return format_html("{} {}", first, _("All systems are in the race."))
    text = ngettext("{names} is out of the race.", "{names} are out of the race.", len(out))
    return format_html("{} {}", first, format_html(text, names=_names(out)))


def _names(names: Sequence[str]) -> SafeString:
    shown = [format_html("<bdi>{}</bdi>", name) for name in names]
    if len(shown) == 1:
        return shown[0]
    first = format_html_join(", ", "{}", ((name,) for name in shown[:-1]))
    return format_html(_("{first} and {last}"), first=first, last=shown[-1])


def _saved(race: RaceFacts) -> str:
    if race.rule.question not in ("best", "top") and not race.saved:
        return _("For a whole ranking nothing is saved: every system is shown until its place is settled.")
    text = ngettext(
        "%(count)s judgment of the plan is not needed any more.",
        "%(count)s judgments of the plan are not needed any more.",
        race.saved,
    )
    return text % {"count": count(race.saved)} if race.saved else ""


def _next(race: RaceFacts) -> str:
    if race.status == "decided":
        return _("The question is answered, so nothing more is handed out.")
    if race.status == "paused":
        return _("Looks are paused.")
    if race.status == "stopped":
        return _("Looks have ended; the systems in the race are judged to the end of the plan.")
    last = race.looks[-1].documents if race.looks else 0
    if last >= race.planned_documents:
        return _("All documents are judged.")
    return _("Next look: at %(documents)s finished documents.") % {
        "documents": count(min(max(race.rule.first, last + race.rule.step), race.planned_documents))
    }


@campaign_view(RUNS_IT, POST)
def change_race(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Pauses, resumes or stops the looks, or brings a system back."""
    with ErrorsShown(request):
        if system := request.POST.get("back", ""):
            bring_back(campaign=campaign, system=system, by=request.user)
            messages.success(request, _("%(name)s is in the race again.") % {"name": system})
        else:
            race = set_race_status(campaign=campaign, status=request.POST.get("status", ""), by=request.user)
            messages.success(request, _("Elimination: %(status)s.") % {"status": race.get_status_display()})
    return redirect("organiser-overview", campaign.slug)


@campaign_view(RUNS_IT)
def looks_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A row for each look and system."""
    race = read_race(campaign, with_documents=False)
    looks = looks_made(race) if race else ()
    rows = (
        (look.documents, each.system, each.state, each.documents, each.mean, each.behind, each.bound, each.is_doubtful)
        for look in looks
        for each in look.systems
    )
    return csv_file(f"{campaign.slug}-race", LOOK_COLUMNS, rows)


@campaign_view(RUNS_IT)
def drawn_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A row for each screen that was handed out."""
    return csv_file(f"{campaign.slug}-drawn", DRAWN_COLUMNS, _drawn(campaign))


def _drawn(campaign: Campaign) -> Iterator[tuple[object, ...]]:
    names = (
        "assignment__position", "block", "document__name", "system__name", "assignment__annotator__username", "rule",
        "propensities", "document_propensity", "drawn_at",
    )  # fmt: skip
    rows = DrawnScreen.objects.filter(assignment__campaign=campaign).order_by("pk").values_list(*names)
    for assignment, block, document, system, annotator, rule, propensities, chance, at in rows.iterator():
        own = propensities.get(system, max(propensities.values(), default=0.0))
        racing = " | ".join(sorted(propensities))
        yield (
            assignment, block, document, system, annotator or "", rule, own, chance, racing, campaign.seed,
            at.isoformat(),
        )  # fmt: skip
