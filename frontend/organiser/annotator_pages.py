"""One annotator in one campaign: assignments with what an organiser can do about them, and the newest answers."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.actions import reassign_assignment, reset_assignment, return_assignment
from annotation.models import IN_HAND, Assignment, AssignmentStatus
from annotation.protocols import PROTOCOLS
from annotation.queries.annotator_work import assignments_of, exclusion_of, newest_answers
from annotation.queries.available_work import takers_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from frontend.access import RUNS_IT, SignedInRequest, get_annotator_of, get_assignment_of, get_campaign_for

ANYBODY = ""


class TakerForm(forms.Form):
    """Who is to have the rest; by default whoever asks next."""

    to = forms.ChoiceField(label=gettext_lazy("Give it to"), required=False)

    def __init__(self, takers: list[Account], *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        people = [(taker.username, str(taker)) for taker in takers]
        self.fields["to"] = forms.ChoiceField(
            label=gettext_lazy("Give it to"),
            required=False,
            choices=[(ANYBODY, gettext_lazy("The next annotator who asks")), *people],
        )


@login_required
@require_safe
def annotator_page(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    annotator = get_annotator_of(campaign, username)
    context = {
        **_frame(campaign, annotator),
        "exclusion": exclusion_of(campaign, annotator),
        "assignments": assignments_of(campaign, annotator),
        "answers": newest_answers(campaign, annotator),
        "in_hand": IN_HAND,
        "archived": AssignmentStatus.ARCHIVED,
    }
    return render(request, "organiser/annotator.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reassign(request: SignedInRequest, slug: str, username: str, pk: int) -> HttpResponse:
    """What is judged stays; the rest goes to others. The page names both before anything happens."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    assignment = get_assignment_of(campaign, username, pk)
    takers = list(takers_of(assignment))
    form = TakerForm(takers, request.POST or None)
    if request.method == "POST" and form.is_valid():
        to = next((taker for taker in takers if taker.username == form.cleaned_data["to"]), None)
        try:
            _hand_on(assignment, to, request.user)
        except InvalidInput as error:
            form.add_error(None, str(error))
        else:
            said = (
                _("The items not judged yet go to %(name)s.") % {"name": to}
                if to
                else _("The items not judged yet go to the next annotator who asks.")
            )
            messages.success(request, said)
            return redirect("organiser-annotator", slug=slug, username=username)
    return _confirm(request, "organiser/reassign.html", assignment, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: SignedInRequest, slug: str, username: str, pk: int) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    assignment = get_assignment_of(campaign, username, pk)
    form = forms.Form(request.POST or None)
    if request.method == "POST":
        try:
            reset_assignment(assignment=assignment, by=request.user)
        except InvalidInput as error:
            form = forms.Form({})
            form.add_error(None, str(error))
        else:
            messages.success(
                request, _("Task %(number)d starts again from the beginning.") % {"number": assignment.position}
            )
            return redirect("organiser-annotator", slug=slug, username=username)
    return _confirm(request, "organiser/reset.html", assignment, form)


def _hand_on(assignment: Assignment, to: Account | None, by: Account) -> Assignment:
    if to is None:
        return return_assignment(assignment=assignment, by=by)
    return reassign_assignment(assignment=assignment, to=to, by=by)


def _confirm(request: SignedInRequest, template: str, assignment: Assignment, form: forms.Form) -> HttpResponse:
    assert assignment.annotator is not None  # noqa: S101 - it was fetched by its annotator's name
    context = {
        **_frame(assignment.campaign, assignment.annotator),
        "assignment": assignment,
        "left": assignment.total - assignment.done,
        "reads_once": PROTOCOLS[assignment.campaign.protocol].reads_once,
        "form": form,
    }
    return render(request, template, context, status=422 if form.errors else 200)


def _frame(campaign: Campaign, annotator: Account) -> dict[str, Any]:
    return {"campaign": campaign, "annotator": annotator, "tab": "overview", "organises": True}
