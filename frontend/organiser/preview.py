"""The campaign as its annotators will see it: the first texts of the plan, and nothing that is entered is stored."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import AssignmentStatus
from annotation.queries.items_page import ItemsPage, first_page_of
from campaigns.models import Campaign
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.annotator.workbench import workbench_data
from frontend.api.serializers import ItemsPageSerializer


def first_texts(campaign: Campaign) -> ItemsPage | None:
    """Of the plan; None where it asks nothing."""
    planned = campaign.assignments.exclude(status=AssignmentStatus.ARCHIVED).order_by("round", "position").first()
    return first_page_of(planned) if planned else None


@login_required
@require_safe
def preview(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    page = first_texts(campaign)
    if page is None:
        messages.error(request, _("There is nothing to judge in this campaign: it has no assignments."))
        return redirect("organiser-overview", slug=slug)
    data = workbench_data(f"preview:{slug}", campaign, request.user)
    data["preview"] = ItemsPageSerializer(page).data
    data["urls"]["home"] = reverse("organiser-overview", args=[slug])
    return render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})
