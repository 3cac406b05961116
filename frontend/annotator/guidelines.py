"""What to know and to agree to before the first item; readable again at any time."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.protocols import protocol_for
from campaigns.actions import give_consent
from frontend.access import SignedInRequest, get_membership_for


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def guidelines(request: SignedInRequest, slug: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    campaign = membership.campaign
    refused = False
    if request.method == "POST":
        if request.POST.get("agree") == "on":
            give_consent(membership=membership)
            return redirect("home")
        refused = True
    context = {
        "campaign": campaign,
        "membership": membership,
        "protocol": protocol_for(campaign.protocol, campaign.options),
        "refused": refused,
    }
    return render(request, "annotator/guidelines.html", context)
