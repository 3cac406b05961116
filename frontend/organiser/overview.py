"""One campaign as its organiser sees it: how far it is, who works on it, and its states."""

import csv
import hashlib
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import condition, require_POST, require_safe

from annotation.actions import CampaignError, set_status
from annotation.progress import annotator_progress, progress_of
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, CampaignStatus
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for


@dataclass(frozen=True)
class Step:
    """A state a campaign can go to from where it is; at most one is the main one."""

    status: str
    label: Any
    main: bool = False


_OPEN = Step(CampaignStatus.OPEN, gettext_lazy("Open for judging"), main=True)
_RESUME = Step(CampaignStatus.OPEN, gettext_lazy("Resume"), main=True)
_REOPEN = Step(CampaignStatus.OPEN, gettext_lazy("Open again"))
_PAUSE = Step(CampaignStatus.PAUSED, gettext_lazy("Pause"))
_CLOSE = Step(CampaignStatus.CLOSED, gettext_lazy("Close"))
STEPS: dict[str, tuple[Step, ...]] = {
    CampaignStatus.DRAFT: (_OPEN,),
    CampaignStatus.OPEN: (_PAUSE, _CLOSE),
    CampaignStatus.PAUSED: (_RESUME, _CLOSE),
    CampaignStatus.CLOSED: (_REOPEN,),
}


@login_required
@require_safe
def overview(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    context = {
        **_progress_context(campaign),
        "tab": "overview",
        "organises": True,
        "protocol_title": PROTOCOLS[campaign.protocol].title,
        "steps": STEPS[campaign.status],
        "system_count": campaign.systems.count(),
    }
    return render(request, "organiser/overview.html", context)


def _etag(request: SignedInRequest, slug: str) -> str:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    state = repr((progress_of(campaign), [row.last_judgment for row in annotator_progress(campaign)]))
    return f'"{hashlib.sha256(state.encode()).hexdigest()[:16]}"'


@login_required
@require_safe
@condition(etag_func=_etag)
def progress(request: SignedInRequest, slug: str) -> HttpResponse:
    """The part of the overview that lives, asked for every few seconds."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return render(request, "organiser/progress.html", _progress_context(campaign))


@login_required
@require_safe
def progress_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-annotators.csv"'
    writer = csv.writer(response)
    writer.writerow(["annotator", "assignments", "done", "total", "judgments", "seconds_mean", "last_judgment"])
    for row in annotator_progress(campaign):
        last = row.last_judgment.isoformat() if row.last_judgment else ""
        writer.writerow([row.username, row.assignments, row.done, row.total, row.judgments, row.seconds_mean, last])
    return response


@login_required
@require_POST
def change_status(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    try:
        set_status(campaign=campaign, status=request.POST.get("status", ""), by=request.user)
    except CampaignError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The campaign is now: %(status)s.") % {"status": campaign.get_status_display()})
    return redirect("organiser-overview", slug=slug)


def _progress_context(campaign: Campaign) -> dict[str, Any]:
    return {"campaign": campaign, "progress": progress_of(campaign), "annotators": annotator_progress(campaign)}
