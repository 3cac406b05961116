"""The address of a campaign, by itself: everybody is led to where they begin."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role


@login_required
@require_safe
def campaign_start(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug)
    if has_role(request.user, campaign, *RUNS_IT):
        return redirect("organiser-overview", slug)
    if has_role(request.user, campaign, *READS_RESULTS):
        return redirect("researcher-results", slug)
    return redirect("home")
