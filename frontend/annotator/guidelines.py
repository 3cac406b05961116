"""Guidelines and consent before the first item; readable again at any time."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from annotation.protocols import protocol_for
from campaigns.actions.memberships import give_consent, note_guidelines_read
from campaigns.guideline_changes import changes_to_read
from frontend.access import SignedInRequest, get_membership_for
from frontend.annotator.tasks import first_work
from frontend.campaign_pages import FORM, POST, signed_in


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
        "changes": changes_to_read(membership),
        "seen_at": timezone.now().isoformat(),
    }
    return render(request, "annotator/guidelines.html", context)


@signed_in(POST)
def guidelines_read(request: SignedInRequest, slug: str) -> HttpResponse:
    """What was changed up to `seen_at`, when the text was fetched, is known from now on."""
    membership = get_membership_for(request.user, slug)
    seen_at = parse_datetime(request.POST.get("seen_at", "")[:40]) if request.POST.get("seen_at") else None
    if seen_at is not None and timezone.is_aware(seen_at):
        note_guidelines_read(membership=membership, seen_at=seen_at)
    return redirect("annotator-guidelines", slug)
