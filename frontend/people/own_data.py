"""A person's own data, to read and to download; and withdrawal of consent."""

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from campaigns.models import Membership, Role, Withdrawal
from frontend.access import SignedInRequest, get_membership_for
from frontend.campaign_pages import FORM, READ, signed_in
from frontend.downloads import data_download
from metrics.actions.forgetting import withdraw_consent
from metrics.personal_data import counted


@signed_in(READ)
def own_data(request: SignedInRequest) -> HttpResponse:
    places = Membership.objects.filter(account=request.user, role=Role.ANNOTATOR).select_related("campaign")
    context = {
        "kinds": [(kind.title, count) for kind, count in counted(request.user) if count],
        "places": places.exclude(consented_at=None, withdrawn_at=None).order_by("campaign__name"),
    }
    return render(request, "people/own_data.html", context)


@signed_in(READ)
def own_data_file(request: SignedInRequest) -> StreamingHttpResponse:
    return data_download(request.user)


@signed_in(FORM)
def withdraw(request: SignedInRequest, slug: str) -> HttpResponse:
    """The page explains the effects first, because they cannot be undone."""
    membership = get_membership_for(request.user, slug)
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    if request.method == "POST":
        withdraw_consent(membership=membership)
        messages.success(request, _("Your consent is withdrawn."))
        return redirect("annotator-guidelines", slug)
    erases = membership.campaign.on_withdrawal == Withdrawal.ERASED
    return render(request, "people/withdraw.html", {"campaign": membership.campaign, "erases": erases})
