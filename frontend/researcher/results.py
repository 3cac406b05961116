"""The results of a campaign: means, z-scores, intervals and clusters, as the newest run has them."""

import csv
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from campaigns.models import Campaign
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.researcher.result_rows import Results, results_of
from metrics.actions import queue_run
from metrics.models import Run, RunStatus
from metrics.queries import has_newer_evidence, newest_run

PENDING = (RunStatus.QUEUED, RunStatus.RUNNING)


@login_required
@require_safe
def results(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    return render(request, "researcher/results.html", _context(request, campaign))


def _etag(request: SignedInRequest, slug: str) -> str:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    run = newest_run(campaign, "analysis")
    return f'"{run.pk}-{run.status}-{run.progress:.2f}"' if run else '"none"'


@login_required
@require_safe
@condition(etag_func=_etag)
def results_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The line that says how far the newest run is, asked for while one is under way."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    return render(request, "researcher/run_state.html", _context(request, campaign))


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    run = newest_run(campaign, "analysis")
    if run is None or run.status not in PENDING:
        queue_run(kind="analysis", campaign=campaign, arguments={}, created_by=request.user)
    return redirect("researcher-results", slug=slug)


@login_required
@require_safe
def results_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """The table of systems with everything the run found, and its signature in each row."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    found = _newest_results(campaign)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-systems.csv"'
    writer = csv.writer(response)
    writer.writerow(Results.COLUMNS)
    writer.writerows(found.csv_rows() if found else [])
    return response


def _newest_results(campaign: Campaign) -> Results | None:
    run = newest_run(campaign, "analysis", status=RunStatus.DONE)
    return results_of(run, campaign) if run and run.result else None


def _context(request: SignedInRequest, campaign: Campaign) -> dict[str, Any]:
    run = newest_run(campaign, "analysis")
    done = newest_run(campaign, "analysis", status=RunStatus.DONE)
    return {
        "campaign": campaign,
        "tab": "results",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "run": run,
        "is_pending": run is not None and run.status in PENDING,
        "done": done,
        "is_stale": _is_stale(done),
        "results": results_of(done, campaign) if done and done.result else None,
        "plain_title": _("Results"),
    }


def _is_stale(done: Run | None) -> bool:
    return done is not None and has_newer_evidence(done)
