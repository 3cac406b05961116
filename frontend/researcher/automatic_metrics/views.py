"""The page of metrics, the pieces of it that live, and what one can ask for there."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_POST, require_safe

from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.researcher.automatic_metrics.page import MetricsPage, chosen_by
from frontend.researcher.automatic_metrics.runs import MetricRuns, metric_runs
from jobs.actions import cancel_run, queue_run
from jobs.run_kinds import InvalidRun
from metrics.scoring import SCORING_METRICS


@login_required
@require_safe
def metrics(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = metric_runs(request, campaign)
    page = MetricsPage(campaign, runs, chosen_by(request, runs), request.GET)
    context = _state(runs) | {
        "query": page.address(),
        "tab": "metrics",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "page": page,
        "problem": runs.chosen.problem,
        "is_stale": runs.is_stale,
    }
    return render(request, "researcher/automatic_metrics/page.html", context)


def _etag(request: SignedInRequest, slug: str) -> str:
    return metric_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)).etag


@login_required
@require_safe
@condition(etag_func=_etag)
def metrics_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The progress of the page's runs; asks for a reload as soon as one of them has ended."""
    runs = metric_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    waited_for = request.GET.getlist("wait")
    ended = any(name not in runs.pending for name in waited_for)
    return render(request, "researcher/automatic_metrics/state.html", _state(runs) | {"is_news": ended})


@login_required
@require_POST
def score(request: SignedInRequest, slug: str) -> HttpResponse:
    """Asks for the chosen metrics to be counted, unless a counting is under way."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    chosen = request.POST.getlist("metrics")
    names = [name for name in SCORING_METRICS if name in chosen]
    if not names:
        known = _("There are: %(known)s.") % {"known": ", ".join(SCORING_METRICS)} if chosen else ""
        messages.error(request, f"{_('Choose a metric first.')} {known}".strip())
    elif "scoring" not in metric_runs(request, campaign).pending:
        tokenizer = request.POST.get("tokenizer") if "bleu" in names else None
        arguments = {"metrics": names} | ({"tokenizer": tokenizer} if tokenizer else {})
        try:
            queue_run(kind="metric_scores", test_set=campaign.test_set, arguments=arguments, created_by=request.user)
        except InvalidRun as error:
            messages.error(request, str(error))
    return _back(request, slug)


@login_required
@require_POST
def cancel_scoring(request: SignedInRequest, slug: str) -> HttpResponse:
    """Scores computed so far are stored and used next time."""
    runs = metric_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    if runs.scoring is not None and "scoring" in runs.pending:
        cancel_run(run=runs.scoring)
        messages.success(request, _("Stopped. Scores computed so far are kept."))
    return _back(request, slug)


@login_required
@require_POST
def correlate(request: SignedInRequest, slug: str) -> HttpResponse:
    metric_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)).correlations.queue(request.user)
    return _back(request, slug)


def _state(runs: MetricRuns) -> dict[str, Any]:
    return {
        "campaign": runs.campaign,
        "scoring": runs.scoring,
        "correlating": runs.correlating,
        "pending": runs.pending,
        "printed_recipe": runs.chosen.printed_recipe if runs.part else "",
        "done": runs.part.run if runs.part else None,
    }


def _back(request: SignedInRequest, slug: str) -> HttpResponseRedirect:
    page = resolve_url("researcher-metrics", slug=slug)
    query = request.GET.urlencode()
    return redirect(f"{page}?{query}" if query else page)
