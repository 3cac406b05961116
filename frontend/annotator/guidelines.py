"""Guidelines and consent before the first item; readable again at any time."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from annotation.protocols import protocol_for
from campaigns.actions.memberships import give_consent
from frontend.access import SignedInRequest, get_membership_for
from frontend.annotator.tasks import first_work
from frontend.campaign_pages import FORM, signed_in


class ConsentForm(forms.Form):
    name = forms.CharField(
        label=_("Name shown to the organiser"),
        help_text=_("Optional; never published."),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    agree = forms.BooleanField(
        label=_("I agree that my answers are recorded and published as described."),
        error_messages={"required": _("Agree to begin, or leave the page. Nothing has been recorded.")},
    )


@signed_in(FORM)
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    form = ConsentForm(request.POST or None, initial={"name": request.user.name}, label_suffix="")
    if request.method == "POST" and membership.withdrawn_at is None and form.is_valid():
        give_consent(membership=membership, name=form.cleaned_data["name"])
        return first_work(membership) or redirect("home")
    campaign = membership.campaign
    context = {
        "campaign": campaign,
        "membership": membership,
        "protocol": protocol_for(campaign.protocol, campaign.options),
        "form": form,
        "has_practice": campaign.practice_items.exists(),
    }
    return render(request, "annotator/guidelines.html", context)
