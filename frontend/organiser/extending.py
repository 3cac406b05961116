"""More judgments of everything in a campaign that runs: asked for on a page, planned by a run."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.campaign_spec import PARAMETERS
from annotation.queries.progress import extension_cost
from campaigns.models import Campaign, CampaignStatus
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import newest_run

KIND = "extension"


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
    run = newest_run(campaign, KIND)
    if request.method == "POST" and form.is_valid():
        if run is None or run.status not in PENDING:
            arguments = {"redundancy": campaign.redundancy + form.cleaned_data["more"]}
            queue_run(kind=KIND, campaign=campaign, arguments=arguments, created_by=request.user)
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
    """How far the run is; once it ended, the page is asked for again."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return render(request, "organiser/creation_state.html", {"run": newest_run(campaign, KIND)})
