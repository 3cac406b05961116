"""All campaigns of an organiser or researcher, with how far each has come."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.queries.progress import lines_of
from campaigns.models import CampaignStatus, Role
from campaigns.queries import campaigns_of
from frontend.access import SignedInRequest
from frontend.filters import CampaignFilter


@login_required
@require_safe
def campaign_list(request: SignedInRequest) -> HttpResponse:
    campaigns = campaigns_of(request.user, Role.ORGANISER, Role.RESEARCHER)
    found = CampaignFilter(request.GET, queryset=campaigns)
    lines = lines_of(found.qs)
    context = {
        "lines": lines,
        "any_at_all": bool(lines) or campaigns.exists(),
        "filter": found,
        "statuses": CampaignStatus,
        "drafts": request.user.campaign_drafts.order_by("-updated_at"),
    }
    return render(request, "organiser/campaign_list.html", context)
