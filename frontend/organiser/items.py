"""Items as annotators see them: a preview of the plan, one item with its answer, and problem reports."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import PROBLEM_REASONS, ProblemReport
from annotation.queries.annotator_work import item_sheet, problem_reports, reports_by_reason
from annotation.queries.items_page import first_texts_of
from annotation.queries.practice import practice_preview
from campaigns.models import Campaign
from campaigns.site_address import site_address
from frontend.access import RUNS_IT, SignedInRequest, get_item_of
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.downloads import csv_file
from frontend.workbench import ItemsPageSerializer, workbench_data


@campaign_view(RUNS_IT)
def preview(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A preview: entries are not stored. `?practice` begins with the practice, whose end leads to the texts."""
    page = practice_preview(campaign) if "practice" in request.GET else None
    is_practice = page is not None and page.total > 0
    page = page if is_practice else first_texts_of(campaign)
    if page is None:
        messages.error(request, _("This campaign has no tasks, so there is nothing to judge."))
        return redirect("organiser-overview", campaign.slug)
    data = workbench_data(f"preview:{campaign.slug}", campaign, request.user)
    data["preview"] = ItemsPageSerializer(page).data
    data["urls"]["home"] = reverse("organiser-overview", args=[campaign.slug])
    if is_practice:
        data |= {"assignment": f"practice:{campaign.slug}", "practice": {"skip": None, "texts": request.path}}
    return render(request, "annotator/workbench.html", {"campaign": campaign, "data": data})


@campaign_view(RUNS_IT)
def item_page(request: SignedInRequest, campaign: Campaign, item: UUID) -> HttpResponse:
    sheet = item_sheet(campaign, get_item_of(campaign, item))
    context = {
        "sheet": sheet,
        "item": sheet.item,
        "reports": [(report, PROBLEM_REASONS.get(report.reason, report.reason)) for report in sheet.reports],
    }
    return campaign_page(request, campaign, "organiser/item.html", "overview", context)


COLUMNS = ("annotator", "document", "segment", "reason", "note", "reported", "link")
ON_A_PAGE = 100


@campaign_view(RUNS_IT)
def reports(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    reason = _chosen_reason(request)
    page = Paginator(problem_reports(campaign, reason), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [(report, PROBLEM_REASONS.get(report.reason, report.reason)) for report in page],
        "reasons": _reasons(campaign, reason),
        "query": urlencode({"reason": reason}) if reason else "",
    }
    return campaign_page(request, campaign, "organiser/reports.html", "overview", context)


@campaign_view(RUNS_IT)
def reports_csv(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    reason = _chosen_reason(request)
    rows = problem_reports(campaign, reason).iterator(chunk_size=1000)
    name = f"{campaign.slug}-problem-reports{f'-{reason}' if reason else ''}"
    return csv_file(name, COLUMNS, (_row(report, campaign.slug) for report in rows))


def _chosen_reason(request: SignedInRequest) -> str:
    """Nonsense asks for all."""
    reason = request.GET.get("reason", "")
    return reason if reason in PROBLEM_REASONS else ""


def _reasons(campaign: Campaign, chosen: str) -> list[dict[str, Any]]:
    """The reasons in the reports and the chosen one, in the order annotators see."""
    counts = reports_by_reason(campaign)
    return [
        {"key": key, "title": title, "count": counts.get(key, 0), "is_chosen": key == chosen}
        for key, title in PROBLEM_REASONS.items()
        if key in counts or key == chosen
    ]


def _row(report: ProblemReport, slug: str) -> tuple[str, ...]:
    segment = report.item.segment.name if report.item.segment else ""
    link = site_address(reverse("organiser-item", args=[slug, report.item.public_id]))
    about = (report.annotator.username, report.item.document.name, segment, report.reason, report.note)
    return (*about, report.reported_at.isoformat(), link)
