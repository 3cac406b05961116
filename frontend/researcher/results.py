"""The results of a campaign: means, z-scores, intervals and clusters, as the newest run has them."""

import csv

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.researcher.analysis_runs import analysis_runs
from frontend.researcher.result_rows import Results, results_of
from metrics.actions import queue_run

ASKING = {"agreement": "researcher-agreement"}  # pages that ask for runs, as they name themselves


@login_required
@require_safe
def results(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = analysis_runs(request, campaign)
    context = runs.as_context() | {
        "tab": "results",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "results": results_of(runs),
        "plain_title": _("Results"),
    }
    return render(request, "researcher/results.html", context)


def _etag(request: SignedInRequest, slug: str) -> str:
    return analysis_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)).etag


@login_required
@require_safe
@condition(etag_func=_etag)
def results_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The line that says how far the newest run is, asked for while one is under way."""
    runs = analysis_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    return render(request, "researcher/run_state.html", runs.as_context())


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    """Asks for another run as chosen, unless one waits already, and leads back to the page that asked."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = analysis_runs(request, campaign)
    if not runs.is_pending:
        queue_run(kind="analysis", campaign=campaign, arguments=runs.arguments, created_by=request.user)
    page = resolve_url(ASKING.get(request.POST.get("back", ""), "researcher-results"), slug=slug)
    return redirect(f"{page}?{runs.query}" if runs.query else page)


@login_required
@require_safe
def results_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """The table of systems with everything the run found, and its signature in each row."""
    found = results_of(analysis_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-systems.csv"'
    writer = csv.writer(response)
    writer.writerow(Results.COLUMNS)
    writer.writerows(found.csv_rows() if found else [])
    return response
