"""Leaving an annotator out of the results, or counting them again: tried out first, then decided with a reason."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from annotation.actions import exclude_annotator, readmit_annotator
from annotation.actions.exclusions import LONGEST_REASON
from annotation.queries.annotator_work import exclusion_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from frontend.access import RUNS_IT, SignedInRequest, get_annotator_of, get_campaign_for
from frontend.downloads import csv_file
from frontend.exclusion_words import trial_sentences
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.exclusion import NO_TRIAL, SystemTwice, Trial, systems_before_and_after
from metrics.analysis_runs import trial_arguments
from metrics.results.tables import one_file

NOT_CANCELLED = {"cancel_address": ""}  # a trial is over in a moment; the usual runs have another way to end


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("It is recorded with your name and the time."),
        max_length=LONGEST_REASON,
        widget=forms.Textarea,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave_out(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    """What would change, then the decision; of somebody who is left out already, the way back."""
    campaign, annotator, runs = _trial(request, slug, username)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        try:
            exclude_annotator(
                campaign=campaign, annotator=annotator, reason=form.cleaned_data["reason"], by=request.user
            )
        except InvalidInput as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, _("%(name)s is excluded from all results computed from now on.") % {"name": annotator}
            )
            return redirect("organiser-annotator", slug=slug, username=username)
    context = _frame(request, campaign, annotator, runs) | {"form": form, **_effect(runs)}
    return render(request, "organiser/leave_out.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def take_back(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    annotator = get_annotator_of(campaign, username)
    try:
        readmit_annotator(campaign=campaign, annotator=annotator, by=request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, _("%(name)s is included again in all results computed from now on.") % {"name": annotator}
        )
    return redirect("organiser-annotator", slug=slug, username=username)


@login_required
@require_POST
def try_out(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    """Asks for the effect to be computed, unless it is on its way, and leads back to where it is shown."""
    _trial(request, slug, username)[2].queue(request.user)
    page = resolve_url("organiser-leave-out", slug=slug, username=username)
    query = request.GET.urlencode()
    return redirect(f"{page}?{query}" if query else page)


def _etag(request: SignedInRequest, slug: str, username: str) -> str:
    return _trial(request, slug, username)[2].etag


@login_required
@require_safe
@condition(etag_func=_etag)
def effect_state(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    """How far the computation is, asked for while it is under way."""
    runs = _trial(request, slug, username)[2]
    return render(request, "researcher/run_state.html", runs.as_context() | NOT_CANCELLED)


@login_required
@require_safe
def effect_csv(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    _campaign, annotator, runs = _trial(request, slug, username)
    effect = runs.result_of(Trial, "exclusion") or NO_TRIAL
    table = systems_before_and_after(effect, runs.done.signature if runs.done else "")
    return csv_file(f"{slug}-without-{annotator.username}", *one_file([table]))


def _trial(request: SignedInRequest, slug: str, username: str) -> tuple[Campaign, Account, PageRuns]:
    """The runs that try the decision out, by the recipe in the address: the one that is open to this annotator."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    annotator = get_annotator_of(campaign, username)
    runs = analysis_runs(request, campaign)
    return campaign, annotator, replace(runs, arguments=trial_arguments(campaign, annotator, runs.arguments))


def _effect(runs: PageRuns) -> dict[str, Any]:
    """What the finished trial found, in sentences and, of each measure, its systems."""
    effect = runs.result_of(Trial, "exclusion")
    if effect is None:
        return {"effect": None}
    titles = {name: measure.title for name, measure in runs.measures.items()}
    by_measure: dict[str, list[SystemTwice]] = {}
    for system in effect.systems:
        by_measure.setdefault(system.measure, []).append(system)
    tables = [(titles.get(name, name), systems) for name, systems in by_measure.items()]
    return {"effect": effect, "tables": tables, "sentences": trial_sentences(effect, titles)}


def _frame(request: SignedInRequest, campaign: Campaign, annotator: Account, runs: PageRuns) -> dict[str, Any]:
    return {
        **runs.as_context(),
        **NOT_CANCELLED,
        "query": request.GET.urlencode(),
        "annotator": annotator,
        "exclusion": exclusion_of(campaign, annotator),
        "tab": "agreement",
        "organises": True,
    }
