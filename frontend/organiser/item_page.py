"""One item as its annotator saw it, for who runs the campaign: where a problem report or an answer leads."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import PROBLEM_REASONS
from annotation.queries.item_sheet import item_sheet
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for, get_item_of


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
