"""The page of metrics, the pieces of it that live, and what one can ask for there."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import condition

from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, has_role
from frontend.campaign_pages import POST, campaign_page, campaign_view
from frontend.researcher.automatic_metrics.page import MetricsPage, chosen_by
from frontend.researcher.automatic_metrics.runs import MetricRuns, metric_runs
from jobs.actions import cancel_run, queue_run
from jobs.run_kinds import InvalidRun
from metrics.actions.suggesting import suggest_spans, suggesting_metrics
from metrics.scoring.names import known_names, title_of


@campaign_view(READS_RESULTS)
def metrics(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    runs = metric_runs(request, campaign)
    page = MetricsPage(campaign, runs, chosen_by(request, runs), request.GET)
    context = _state(runs) | {
        "query": page.address(),
        "page": page,
        "where": runs.chosen.requested.where,
        "problem": runs.chosen.problem or page.unknown_order,
        "is_stale": runs.is_stale,
    }
    organises, template = has_role(request.user, campaign, *RUNS_IT), "researcher/automatic_metrics/page.html"
    context["suggesting"] = [(name, title_of(name)) for name in suggesting_metrics(campaign)] if organises else []
    return campaign_page(request, campaign, template, "metrics", context, organises=organises)


def _etag(request: SignedInRequest, campaign: Campaign) -> str:
    return metric_runs(request, campaign).etag


@campaign_view(READS_RESULTS)
@condition(etag_func=_etag)
def metrics_state(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The progress of the page's runs; asks for a reload as soon as one of them has ended."""
    runs = metric_runs(request, campaign)
    waited_for = request.GET.getlist("wait")
    ended = any(name not in runs.pending for name in waited_for)
    return render(request, "researcher/automatic_metrics/state.html", _state(runs) | {"is_news": ended})


@campaign_view(READS_RESULTS, POST)
def score(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Asks for the chosen metrics to be counted, unless a counting is under way."""
    chosen = request.POST.getlist("metrics")
    names = [name for name in known_names() if name in chosen]
    if not names:
        known = _("There are: %(known)s.") % {"known": ", ".join(known_names())} if chosen else ""
        messages.error(request, f"{_('Choose a metric first.')} {known}".strip())
    elif "scoring" not in metric_runs(request, campaign).pending:
        tokenizer = request.POST.get("tokenizer") if "bleu" in names else None
        arguments = {"metrics": names} | ({"tokenizer": tokenizer} if tokenizer else {})
        try:
            queue_run(kind="metric_scores", test_set=campaign.test_set, arguments=arguments, created_by=request.user)
        except InvalidRun as error:
            messages.error(request, str(error))
    return _back(request, campaign)


@campaign_view(READS_RESULTS, POST)
def cancel_scoring(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Scores computed so far are stored and used next time."""
    runs = metric_runs(request, campaign)
    if runs.scoring is not None and "scoring" in runs.pending:
        cancel_run(run=runs.scoring)
        messages.success(request, _("Stopped. Scores computed so far are kept."))
    return _back(request, campaign)


@campaign_view(READS_RESULTS, POST)
def correlate(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    metric_runs(request, campaign).correlations.queue(request.user)
    return _back(request, campaign)


@campaign_view(RUNS_IT, POST)
def suggest(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Annotators start from the errors that the chosen metric marked."""
    try:
        suggested = suggest_spans(campaign=campaign, metric=request.POST.get("metric", ""), by=request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        words = _(
            "Annotators start from these spans: %(spans)d. Outputs without a score: %(unscored)d, severities made "
            "milder: %(milder)d."
        )
        messages.success(request, words % asdict(suggested))
    return _back(request, campaign)


def _state(runs: MetricRuns) -> dict[str, Any]:
    return {
        "campaign": runs.campaign,
        "scoring": runs.scoring,
        "correlating": runs.correlating,
        "pending": runs.pending,
        "printed_recipe": runs.chosen.printed_as((runs.part.run.result or {}).get("recipe", "")) if runs.part else "",
        "done": runs.part.run if runs.part else None,
        "no_worker": runs.no_worker,
    }


def _back(request: SignedInRequest, campaign: Campaign) -> HttpResponseRedirect:
    page = resolve_url("researcher-metrics", campaign.slug)
    query = request.GET.urlencode()
    return redirect(f"{page}?{query}" if query else page)
