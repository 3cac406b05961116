"""Links to results that an organiser makes: shown once, listed, revoked."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaigns.actions import make_share_link, revoke_share_link
from campaigns.models import ShareLink
from campaigns.site_address import site_address
from frontend.access import HIGHEST_KEY, RUNS_IT, SignedInRequest, get_campaign_for
from frontend.researcher.exports import exports_context
from frontend.researcher.share_form import ShareForm
from frontend.run_pages import analysis_runs


@login_required
@require_POST
def share(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    form = ShareForm(request.POST, prefix="share")
    if not form.is_valid():
        context = exports_context(request, campaign) | {"share_form": form}
        return render(request, "researcher/exports.html", context, status=422)
    choice = analysis_runs(request, campaign).arguments
    link, secret = make_share_link(campaign=campaign, by=request.user, choice=choice, **form.cleaned_data)
    address = site_address(resolve_url("shared-results", secret=secret))
    context = exports_context(request, campaign) | {"new_share": link, "share_address": address}
    return render(request, "researcher/exports.html", context)


@login_required
@require_POST
def revoke_share(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    link = get_object_or_404(ShareLink, campaign=campaign, pk=min(pk, HIGHEST_KEY))
    revoke_share_link(link=link, by=request.user)
    messages.success(request, _("The link “%(name)s” has ended.") % {"name": link.name})
    return redirect("researcher-exports", slug=slug)
