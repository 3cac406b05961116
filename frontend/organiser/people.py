"""Who is part of a campaign; invitations are made here and their links shown once."""

import csv
import io
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from campaigns.actions import (
    IssuedInvitation,
    allow_to_adjudicate,
    invite_account,
    invite_annotators,
    revoke_invitation,
)
from campaigns.models import Campaign, Invitation, Role
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for, get_researcher_of


class InvitationForm(forms.Form):
    count = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=500, initial=3)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.ANNOTATOR)


@login_required
@require_safe
def people(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    return render(request, "organiser/people.html", _context(campaign, InvitationForm()))


@login_required
@require_POST
def invite(request: SignedInRequest, slug: str) -> HttpResponse:
    """New accounts with their links: on the page, where they are shown once, with the file to save beside them."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return render(request, "organiser/people.html", _context(campaign, form), status=422)
    issued = invite_annotators(
        campaign=campaign, count=form.cleaned_data["count"], by=request.user, role=Role(form.cleaned_data["role"])
    )
    return _shown_once(request, campaign, issued)


@login_required
@require_POST
def renew(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """A lost link is replaced: the old one ends, the account and its work stay."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    old = get_object_or_404(Invitation.objects.select_related("account"), campaign=campaign, pk=pk)
    issued = invite_account(campaign=campaign, account=old.account, role=Role(old.role), by=request.user)
    revoke_invitation(invitation=old, by=request.user)
    return _shown_once(request, campaign, [issued])


@login_required
@require_POST
def revoke(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    invitation = get_object_or_404(Invitation.objects.select_related("account"), campaign=campaign, pk=pk)
    revoke_invitation(invitation=invitation, by=request.user)
    messages.success(request, _("The link of %(name)s opens nothing any more.") % {"name": invitation.account})
    return redirect("organiser-people", slug=slug)


@login_required
@require_POST
def allow_adjudicating(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """`may` is yes or no; organisers always may."""
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    researcher = get_researcher_of(campaign, pk)
    allow_to_adjudicate(membership=researcher, may=request.POST.get("may") == "yes", by=request.user)
    said = _("%(name)s adjudicates, too.") if researcher.may_adjudicate else _("%(name)s adjudicates no more.")
    messages.success(request, said % {"name": researcher.account})
    return redirect(f"{resolve_url('organiser-people', slug=slug)}#members")


def _shown_once(request: SignedInRequest, campaign: Campaign, issued: list[IssuedInvitation]) -> HttpResponse:
    context = _context(campaign, InvitationForm())
    response = render(request, "organiser/people.html", {**context, "issued": issued, "links_csv": _links_csv(issued)})
    response["Cache-Control"] = "no-store"
    return response


def _links_csv(issued: list[IssuedInvitation]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["annotator", "link"])
    writer.writerows([each.invitation.account.username, each.link] for each in issued)
    return text.getvalue()


def _context(campaign: Campaign, form: InvitationForm) -> dict[str, Any]:
    invitations = campaign.invitations.select_related("account").order_by("account__username", "-created_at")
    return {
        "campaign": campaign,
        "tab": "people",
        "organises": True,
        "form": form,
        "invitations": invitations,
        "members": campaign.memberships.select_related("account").order_by("role", "account__username"),
        "now": timezone.now(),
    }
