"""Forgetting a person who asks for it: answers erased, or kept under a number."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaigns.actions import AccountError
from campaigns.models import Account, Campaign, Withdrawal
from frontend.access import RUNS_IT, SignedInRequest, get_annotator_to_forget, get_campaign_for
from metrics.actions import Forgotten, campaigns_to_forget_in, forget_person

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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: SignedInRequest, slug: str, username: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    annotator = get_annotator_to_forget(campaign, username)
    form = ForgettingForm(annotator, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            done = _forgotten(request.user, campaign, annotator, form)
        except AccountError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _said(done, str(annotator)))
            return redirect(f"{resolve_url('organiser-people', slug=slug)}#members")
    others = campaigns_to_forget_in(annotator, request.user).exclude(pk=campaign.pk)
    context = {"campaign": campaign, "annotator": annotator, "tab": "people", "organises": True, "form": form}
    return render(request, "organiser/forget.html", {**context, "others": others}, status=422 if form.errors else 200)


def _forgotten(by: Account, campaign: Campaign, annotator: Account, form: ForgettingForm) -> Forgotten:
    campaigns = None if form.cleaned_data["everywhere"] else [campaign]
    return forget_person(account=annotator, how=form.cleaned_data["how"], by=by, campaigns=campaigns)


def _said(done: Forgotten, name: str) -> str:
    if done.numbers:
        numbers = ", ".join(number.username for number in done.numbers)
        return _("%(name)s is forgotten. The answers are kept as %(numbers)s.") % {"name": name, "numbers": numbers}
    return _("%(name)s is forgotten, and the answers are erased. Their items go to other annotators.") % {"name": name}
