"""What annotators of a campaign read before they begin, and agree to."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.campaign_spec import parameters_in
from campaigns.actions import change_texts, choose_on_withdrawal
from campaigns.models import Campaign
from campaigns.queries import may_choose_on_withdrawal
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for
from frontend.organiser.spec_fields import parameter_field

ROWS = {"guidelines": 16, "consent": 6}


class TextsForm(forms.Form):
    """What a new campaign asks beside its plan."""

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        shown = parameters_in("form", of_plan=False)
        super().__init__(data, initial={each.name: getattr(campaign, each.name) for each in shown})
        self.fields.update({each.name: parameter_field(each) for each in shown})
        for name, rows in ROWS.items():
            self.fields[name].widget.attrs["rows"] = rows
        self.fields["on_withdrawal"].disabled = not may_choose_on_withdrawal(campaign)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    form = TextsForm(campaign, request.POST or None)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        chosen = form.cleaned_data.pop("on_withdrawal") or campaign.on_withdrawal
        choose_on_withdrawal(campaign=campaign, on_withdrawal=chosen, by=request.user)
        change_texts(campaign=campaign, **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved. Annotators see it from now on."))
        return redirect("organiser-guidelines", slug=slug)
    shown = form.cleaned_data if form.is_bound and form.is_valid() else form.initial
    context = {"campaign": campaign, "tab": "guidelines", "organises": True, "form": form, "shown": shown}
    return render(request, "organiser/guidelines.html", context, status=200 if not form.errors else 422)
