"""What annotators reported to be wrong with items."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.annotator_work import problem_reports
from annotation.models import ProblemReport
from annotation.problem_reasons import PROBLEM_REASONS
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.organiser.csv_file import csv_file

COLUMNS = ("annotator", "document", "segment", "reason", "note", "reported")
ON_A_PAGE = 100


@login_required
@require_safe
def reports(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    page = Paginator(problem_reports(campaign), ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [(report, PROBLEM_REASONS.get(report.reason, report.reason)) for report in page]
    context = {"campaign": campaign, "tab": "overview", "organises": True, "page": page, "rows": rows}
    return render(request, "organiser/reports.html", context)


@login_required
@require_safe
def reports_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    rows = (_row(report) for report in problem_reports(campaign).iterator(chunk_size=1000))
    return csv_file(f"{slug}-problem-reports", COLUMNS, rows)


def _row(report: ProblemReport) -> tuple[str, ...]:
    segment = report.item.segment.name if report.item.segment else ""
    when = report.reported_at.isoformat()
    return (report.annotator.username, report.item.document.name, segment, report.reason, report.note, when)
