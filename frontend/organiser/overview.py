"""One campaign as its organiser sees it: progress, status, stalled work, more judgments; its tables as CSV."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.returning import return_assignment
from annotation.actions.status import set_status
from annotation.campaign_spec import PARAMETERS
from annotation.models import Assignment
from annotation.protocols import PROTOCOLS
from annotation.queries.progress import extension_cost
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus
from campaigns.queries import systems_of
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.downloads import csv_file
from frontend.organiser.overview_words import overview_context
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import newest_run
from metrics.progress.campaign_state import campaign_state_of
from metrics.progress.overview import AnnotatorLine, overview_of, stalled_work


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


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


ANNOTATOR_COLUMNS: dict[str, Callable[[AnnotatorLine], object]] = {
    "annotator": lambda line: line.person.username,
    "assignments": lambda line: line.share.assignments,
    "done": lambda line: line.share.done,
    "total": lambda line: line.share.total,
    "judgments": lambda line: line.judged,
    "seconds_median": lambda line: line.seconds_median,
    "last_judgment": lambda line: line.last_judgment.isoformat() if line.last_judgment else "",
    "attention": lambda line: " ".join(line.concerns),
    "left_out": lambda line: _yes_no(line.person.is_excluded),
    "program": lambda line: _yes_no(line.person.is_program),
}


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
    """The live part of the overview, requested every few seconds; while unchanged it costs a few sums."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    state = campaign_state_of(campaign)
    unchanged = get_conditional_response(request, etag=state.etag)
    if unchanged is not None:
        return unchanged
    context = overview_context(campaign, overview_of(campaign, state), show_all="all" in request.GET)
    response = render(request, "organiser/progress.html", context)
    response["ETag"] = state.etag
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
    rows = ([cell(line) for cell in ANNOTATOR_COLUMNS.values()] for line in overview_of(campaign).lines)
    return csv_file(f"{slug}-annotators", list(ANNOTATOR_COLUMNS), rows)


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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def give_back_stalled_work(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page lists the work that would be reassigned; only ticked work that is still stuck is."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    stalled = stalled_work(campaign)
    if request.method == "POST":
        chosen = set(request.POST.getlist("assignment"))
        assignments = [each.assignment for each in stalled if str(each.assignment.pk) in chosen]
        returned, refused = _give_back(assignments, request.user)
        for message in refused:
            messages.error(request, message)
        if returned:
            message = ngettext(
                "%(count)d item goes to the next annotator who asks.",
                "%(count)d items go to the next annotators who ask.",
                returned,
            )
            messages.success(request, message % {"count": returned})
        return redirect("organiser-overview", slug=slug)
    context = {"campaign": campaign, "tab": "overview", "organises": True, "stalled": stalled}
    return render(request, "organiser/stalled_work.html", context)


def _give_back(assignments: list[Assignment], by: Account) -> tuple[int, list[str]]:
    """How many items go to others, and why some do not: somebody may have finished meanwhile."""
    returned, refused = 0, []
    for assignment in assignments:
        try:
            with transaction.atomic():
                returned += return_assignment(assignment=assignment, by=by).total
        except InvalidInput as error:
            refused.append(f"{assignment.annotator}: {error}")
    return returned, refused


EXTENSION = "extension"


class ExtensionForm(forms.Form):
    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        most = max(1, PARAMETERS["redundancy"].high - campaign.redundancy)
        label = gettext_lazy("Additional judgments per segment")
        self.fields["more"] = forms.IntegerField(label=label, min_value=1, max_value=most, initial=1)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def extend(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    form = ExtensionForm(request.POST or None, campaign=campaign)
    run = newest_run(campaign, EXTENSION)
    if request.method == "POST" and form.is_valid():
        if run is None or run.status not in PENDING:
            arguments = {"redundancy": campaign.redundancy + form.cleaned_data["more"]}
            queue_run(kind=EXTENSION, campaign=campaign, arguments=arguments, created_by=request.user)
        return redirect("organiser-extend", slug=slug)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "organises": True,
        "form": form,
        "run": run,
        "is_pending": run is not None and run.status in PENDING,
        "can_extend": campaign.status != CampaignStatus.CLOSED,
        "cost": extension_cost(campaign),
    }
    return render(request, "organiser/extend.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def extend_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The progress of the run; after its end, the page is loaded again."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return render(request, "organiser/creation_state.html", {"run": newest_run(campaign, EXTENSION)})
