"""One campaign as its organiser sees it: how far it is, who works on it, its states, and these tables as files."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.actions import set_status
from annotation.protocols import PROTOCOLS
from campaigns.invalid_input import InvalidInput
from campaigns.models import CampaignStatus
from campaigns.queries import systems_of
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.downloads import csv_file
from frontend.organiser.overview_words import overview_context
from metrics.progress.overview import AnnotatorLine, overview_of
from metrics.progress.standing import standing_of


@dataclass(frozen=True)
class Step:
    """A state a campaign can go to from where it is; at most one is the main one."""

    status: str
    label: Any
    main: bool = False
    icon: str = ""


_OPEN = Step(CampaignStatus.OPEN, gettext_lazy("Open for judging"), main=True)
_RESUME = Step(CampaignStatus.OPEN, gettext_lazy("Resume"), main=True)
_REOPEN = Step(CampaignStatus.OPEN, gettext_lazy("Open again"))
_PAUSE = Step(CampaignStatus.PAUSED, gettext_lazy("Pause"), icon="pause")
_CLOSE = Step(CampaignStatus.CLOSED, gettext_lazy("Close"))
STEPS: dict[str, tuple[Step, ...]] = {
    CampaignStatus.DRAFT: (_OPEN,),
    CampaignStatus.OPEN: (_PAUSE, _CLOSE),
    CampaignStatus.PAUSED: (_RESUME, _CLOSE),
    CampaignStatus.CLOSED: (_REOPEN,),
}

ANNOTATOR_COLUMNS = (
    "annotator",
    "assignments",
    "done",
    "total",
    "judgments",
    "seconds_median",
    "last_judgment",
    "attention",
    "left_out",
    "program",
)


@login_required
@require_safe
def overview(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    context = {
        **overview_context(campaign, overview_of(campaign), show_all="all" in request.GET),
        "tab": "overview",
        "organises": True,
        "protocol_title": PROTOCOLS[campaign.protocol].title,
        "steps": STEPS[campaign.status],
        "system_count": systems_of(campaign).count(),
    }
    return render(request, "organiser/overview.html", context)


@login_required
@require_safe
def progress(request: SignedInRequest, slug: str) -> HttpResponse:
    """The part of the overview that lives, asked for every few seconds; what has not changed costs a few sums."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    standing = standing_of(campaign)
    unchanged = get_conditional_response(request, etag=standing.etag)
    if unchanged is not None:
        return unchanged
    context = overview_context(campaign, overview_of(campaign, standing), show_all="all" in request.GET)
    response = render(request, "organiser/progress.html", context)
    response["ETag"] = standing.etag
    return response


@login_required
@require_POST
def change_status(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    try:
        set_status(campaign=campaign, status=request.POST.get("status", ""), by=request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The campaign is now: %(status)s.") % {"status": campaign.get_status_display()})
    return redirect("organiser-overview", slug=slug)


@login_required
@require_safe
def annotators_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    rows = (_annotator_row(line) for line in overview_of(campaign).lines)
    return csv_file(f"{slug}-annotators", ANNOTATOR_COLUMNS, rows)


@login_required
@require_safe
def days_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    days = overview_of(campaign).days
    return csv_file(f"{slug}-days", ("day", "judgments", "sum"), ((day.day, day.judged, day.sum) for day in days))


@login_required
@require_safe
def hours_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return csv_file(f"{slug}-hours", ("hour", "judgments"), enumerate(overview_of(campaign).hours))


def _annotator_row(line: AnnotatorLine) -> tuple[object, ...]:
    last = line.last_judgment.isoformat() if line.last_judgment else ""
    attention = " ".join(line.concerns)
    left_out = "yes" if line.person.is_excluded else "no"
    share = line.share
    return (
        line.person.username,
        share.assignments,
        share.done,
        share.total,
        line.judged,
        line.seconds_median,
        last,
        attention,
        left_out,
        "yes" if line.person.is_program else "no",
    )
