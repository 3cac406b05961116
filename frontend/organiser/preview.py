"""Items as annotators see them: the first texts of the plan before anybody judges, and any one with its answer."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import PROBLEM_REASONS
from annotation.queries.item_sheet import item_sheet
from annotation.queries.items_page import first_texts_of
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for, get_item_of
from frontend.workbench import ItemsPageSerializer, workbench_data


@login_required
@require_safe
def preview(request: SignedInRequest, slug: str) -> HttpResponse:
    """What is entered is not stored."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    page = first_texts_of(campaign)
    if page is None:
        messages.error(request, _("This campaign has no tasks, so there is nothing to judge."))
        return redirect("organiser-overview", slug=slug)
    data = workbench_data(f"preview:{slug}", campaign, request.user)
    data["preview"] = ItemsPageSerializer(page).data
    data["urls"]["home"] = reverse("organiser-overview", args=[slug])
    return render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})


@login_required
@require_safe
def item_page(request: SignedInRequest, slug: str, item: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    sheet = item_sheet(campaign, get_item_of(campaign, item))
    context = {
        "campaign": campaign,
        "tab": "overview",
        "organises": True,
        "sheet": sheet,
        "item": sheet.item,
        "reports": [(report, PROBLEM_REASONS.get(report.reason, report.reason)) for report in sheet.reports],
    }
    return render(request, "organiser/item.html", context)
