"""One annotator in one campaign: tasks, answers, excluding them from the results, forgetting them."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import condition

from annotation.actions.decisions import LONGEST_REASON, exclude_annotator, readmit_annotator
from annotation.actions.returning import reassign_assignment, reset_assignment, return_assignment
from annotation.models import IN_HAND, Assignment, AssignmentStatus, OrganiserNote
from annotation.protocols import PROTOCOLS
from annotation.queries.annotator_work import assignments_of, exclusion_of, newest_answers
from annotation.queries.task_list import takers_of
from campaigns.models import Account, Campaign, Withdrawal
from exchange.tables.finished_runs import EXCLUSION
from frontend.access import (
    RUNS_IT,
    SignedInRequest,
    get_annotator_of,
    get_assignment_in,
)
from frontend.campaign_pages import FORM, POST, ErrorsShown, campaign_page, campaign_view
from frontend.downloads import csv_file
from frontend.exclusion_words import trial_sentences
from frontend.run_pages import PageRuns, analysis_runs
from frontend.shown_table import ShownTable
from metrics.actions.forgetting import Forgotten, campaigns_to_forget_in, forget_person
from metrics.analyses.exclusion import Trial, tables_by_measure
from metrics.analysis_runs import trial_arguments

ANYBODY = ""


class TakerForm(forms.Form):
    """The next annotator of the rest; by default any annotator."""

    def __init__(self, takers: list[Account], *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        people = [(taker.username, str(taker)) for taker in takers]
        self.fields["to"] = forms.ChoiceField(
            label=gettext_lazy("Give it to"),
            required=False,
            choices=[(ANYBODY, gettext_lazy("The next annotator who asks")), *people],
        )


@campaign_view(RUNS_IT)
def annotator_page(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username)
    context = {
        "annotator": annotator,
        "own_note": OrganiserNote.objects.filter(campaign=campaign, annotator=annotator).first(),
        "exclusion": exclusion_of(campaign, annotator),
        "assignments": assignments_of(campaign, annotator),
        "answers": newest_answers(campaign, annotator),
        "in_hand": IN_HAND,
        "archived": AssignmentStatus.ARCHIVED,
    }
    return campaign_page(request, campaign, "organiser/annotator.html", "overview", context)


@campaign_view(RUNS_IT, FORM)
def reassign(request: SignedInRequest, campaign: Campaign, username: str, pk: int) -> HttpResponse:
    """Judged items stay; the rest goes to others. The page shows both before anything happens."""
    assignment = get_assignment_in(campaign, pk, annotator__username=username)
    takers = list(takers_of(assignment))
    form = TakerForm(takers, request.POST or None)
    if request.method == "POST" and form.is_valid():
        to = next((taker for taker in takers if taker.username == form.cleaned_data["to"]), None)
        with ErrorsShown(form):
            if to is None:
                return_assignment(assignment=assignment, by=request.user)
                message = _("The items not judged yet go to the next annotator who asks.")
            else:
                reassign_assignment(assignment=assignment, to=to, by=request.user)
                message = _("The items not judged yet go to %(name)s.") % {"name": to}
            messages.success(request, message)
            return redirect("organiser-annotator", campaign.slug, username)
    return _confirm(request, "organiser/reassign.html", assignment, form)


@campaign_view(RUNS_IT, FORM)
def reset(request: SignedInRequest, campaign: Campaign, username: str, pk: int) -> HttpResponse:
    assignment = get_assignment_in(campaign, pk, annotator__username=username)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with ErrorsShown(form):
            reset_assignment(assignment=assignment, by=request.user)
            message = _("Task %(number)d starts again from the beginning.")
            messages.success(request, message % {"number": assignment.position})
            return redirect("organiser-annotator", campaign.slug, username)
    return _confirm(request, "organiser/reset.html", assignment, form)


def _confirm(request: SignedInRequest, template: str, assignment: Assignment, form: forms.Form) -> HttpResponse:
    context = {
        "annotator": assignment.annotator,
        "assignment": assignment,
        "left": assignment.total - assignment.done,
        "reads_once": PROTOCOLS[assignment.campaign.protocol].reads_once,
        "form": form,
    }
    return campaign_page(request, assignment.campaign, template, "overview", context)


NOT_CANCELLED = {"cancel_address": ""}  # a trial is over in a moment; the usual runs have another way to end


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("It is recorded with your name and the time."),
        max_length=LONGEST_REASON,
        widget=forms.Textarea,
    )


@campaign_view(RUNS_IT, FORM)
def leave_out(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    """The effects, then the decision; for an excluded annotator, the way back."""
    annotator, runs = _trial(request, campaign, username)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        with ErrorsShown(form):
            exclude_annotator(campaign=campaign, annotator=annotator, **form.cleaned_data, by=request.user)
            message = _("%(name)s is excluded from all results computed from now on.")
            messages.success(request, message % {"name": annotator})
            return redirect("organiser-annotator", campaign.slug, username)
    context = runs.as_context() | {
        **NOT_CANCELLED,
        **_effect(runs),
        "query": request.GET.urlencode(),
        "annotator": annotator,
        "exclusion": exclusion_of(campaign, annotator),
        "form": form,
    }
    return campaign_page(request, campaign, "organiser/leave_out.html", "agreement", context)


@campaign_view(RUNS_IT, POST)
def take_back(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username)
    with ErrorsShown(request):
        readmit_annotator(campaign=campaign, annotator=annotator, by=request.user)
        message = _("%(name)s is included again in all results computed from now on.")
        messages.success(request, message % {"name": annotator})
    return redirect("organiser-annotator", campaign.slug, username)


@campaign_view(RUNS_IT, POST)
def try_out(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    """Asks for the effect to be computed, unless it is on its way, and leads back to where it is shown."""
    _trial(request, campaign, username)[1].queue(request.user)
    page = resolve_url("organiser-leave-out", campaign.slug, username)
    query = request.GET.urlencode()
    return redirect(f"{page}?{query}" if query else page)


def _etag(request: SignedInRequest, campaign: Campaign, username: str) -> str:
    return _trial(request, campaign, username)[1].etag


@campaign_view(RUNS_IT)
@condition(etag_func=_etag)
def effect_state(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    """The progress of the computation, requested while it is running."""
    runs = _trial(request, campaign, username)[1]
    return render(request, "partials/run_state.html", runs.as_context() | NOT_CANCELLED)


@campaign_view(RUNS_IT)
def effect_csv(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator, runs = _trial(request, campaign, username)
    return csv_file(f"{campaign.slug}-without-{annotator.username}", *EXCLUSION(runs))


def _trial(request: SignedInRequest, campaign: Campaign, username: str) -> tuple[Account, PageRuns]:
    """The runs that try the decision out, by the recipe in the address: the one that is open to this annotator."""
    annotator = get_annotator_of(campaign, username)
    runs = analysis_runs(request, campaign)
    return annotator, replace(runs, arguments=trial_arguments(campaign, annotator, runs.arguments))


def _effect(runs: PageRuns) -> dict[str, Any]:
    """The results of a finished trial, in sentences and, for each measure, its systems."""
    effect = runs.result_of(Trial, "exclusion")
    if effect is None:
        return {"effect": None}
    titles = {name: measure.title for name, measure in runs.measures.items()}
    tables = [ShownTable(table) for table in tables_by_measure(effect, titles)]
    return {"effect": effect, "tables": tables, "sentences": trial_sentences(effect, titles)}


HOW = (
    (Withdrawal.PSEUDONYMISED, gettext_lazy("Keep the answers under a random number")),
    (Withdrawal.ERASED, gettext_lazy("Erase the answers")),
)


class ForgettingForm(forms.Form):
    how = forms.ChoiceField(label=gettext_lazy("What happens to the answers"), choices=HOW, widget=forms.RadioSelect)
    everywhere = forms.BooleanField(required=False)

    def __init__(self, annotator: Account, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if annotator.is_number:
            self.fields["how"].choices = HOW[1:]  # type: ignore[attr-defined]  # of a choice's field


@campaign_view(RUNS_IT, FORM)
def forget(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username, to_forget=True)
    form = ForgettingForm(annotator, request.POST if request.method == "POST" else None)
    if form.is_valid():
        campaigns = None if form.cleaned_data["everywhere"] else [campaign]
        with ErrorsShown(form):
            done = forget_person(account=annotator, how=form.cleaned_data["how"], by=request.user, campaigns=campaigns)
            messages.success(request, _forgotten_message(done, str(annotator)))
            return redirect(f"{resolve_url('organiser-people', campaign.slug)}#members")
    others = campaigns_to_forget_in(annotator, request.user).exclude(pk=campaign.pk)
    context = {"annotator": annotator, "form": form, "others": others}
    return campaign_page(request, campaign, "organiser/forget.html", "people", context)


def _forgotten_message(done: Forgotten, name: str) -> str:
    if done.numbers:
        numbers = ", ".join(number.username for number in done.numbers)
        return _("%(name)s is forgotten. The answers are kept as %(numbers)s.") % {"name": name, "numbers": numbers}
    return _("%(name)s is forgotten, and the answers are erased. Their items go to other annotators.") % {"name": name}
