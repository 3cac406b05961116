"""What annotators of a campaign read before they begin, and agree to."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaigns.actions import change_texts, choose_on_withdrawal
from campaigns.models import Campaign, Withdrawal
from campaigns.queries import may_choose_on_withdrawal
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for

LONGEST = 100_000


class WithdrawalField(forms.ChoiceField):
    def __init__(self, *, initial: str | None = None) -> None:
        super().__init__(
            label=gettext_lazy("Answers of annotators who withdraw their consent"),
            help_text=gettext_lazy(
                "Annotators read this before they agree. It cannot be changed once somebody has agreed."
            ),
            choices=Withdrawal.choices,
            required=False,
            initial=initial,
        )


class TextsForm(forms.Form):
    guidelines = forms.CharField(
        label=gettext_lazy("Guidelines"),
        help_text=gettext_lazy("Markdown. Empty: three short rules that fit every campaign."),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "dir": "auto"}),
    )
    consent = forms.CharField(
        label=gettext_lazy("Consent"),
        help_text=gettext_lazy("Markdown, shown before the first item, below what Assay records of everybody."),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    on_withdrawal = WithdrawalField()

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        initial = {name: getattr(campaign, name) for name in ("guidelines", "consent", "on_withdrawal")}
        super().__init__(data, initial=initial)
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
