"""What annotators of a campaign read before they begin, and agree to."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaigns.actions import change_texts
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for

LONGEST = 100_000


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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    form = TextsForm(request.POST or None, initial={"guidelines": campaign.guidelines, "consent": campaign.consent})
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        change_texts(campaign=campaign, **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved. Annotators see it from now on."))
        return redirect("organiser-guidelines", slug=slug)
    shown = form.cleaned_data if form.is_bound and form.is_valid() else form.initial
    context = {"campaign": campaign, "tab": "guidelines", "organises": True, "form": form, "shown": shown}
    return render(request, "organiser/guidelines.html", context, status=200 if not form.errors else 422)
