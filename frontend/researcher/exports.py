"""Exports of a campaign: files, tokens for programs that fetch them, and links to its results."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Judgment
from campaigns.actions.links import make_share_link, revoke_share_link
from campaigns.actions.tokens import make_api_token, revoke_api_token
from campaigns.models import ApiToken, Campaign, Scope, ShareLink
from campaigns.site_address import site_address
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS, measured
from frontend.access import HIGHEST_KEY, READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.downloads import DownloadForm, archive_download, export_download
from frontend.researcher.paper_files import paper_context
from frontend.run_pages import analysis_runs
from frontend.sessions import origin_of
from metrics.derivations import PENALTY, derivations_of

READS = str(Scope.READ)
MOST_DAYS = 3650


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the token"), max_length=100)
    may = forms.ChoiceField(
        label=gettext_lazy("May"),
        choices=[
            (READS, gettext_lazy("read")),
            (f"{READS} {Scope.WRITE}", gettext_lazy("read and change")),
            (" ".join(Scope.values), gettext_lazy("everything you may do")),
        ],
        required=False,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Expires after (days; empty: never)"),
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        initial=90,
    )

    def fields_of_token(self) -> dict[str, Any]:
        """As `make_api_token` takes it."""
        values = self.cleaned_data
        return {"name": values["name"], "scopes": (values["may"] or READS).split(), "expires_at": _end(values["days"])}


class ShareForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("For whom or for what"), max_length=100)
    days = forms.IntegerField(label=gettext_lazy("Days it opens"), min_value=1, max_value=730, initial=90)
    shows_texts = forms.BooleanField(label=gettext_lazy("Also show the texts"), required=False)


@login_required
@require_safe
def exports(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    return render(request, "researcher/exports.html", exports_context(request, campaign))


@login_required
@require_safe
def export_file(request: SignedInRequest, slug: str, format: str) -> HttpResponseBase:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    form = DownloadForm(request.GET)
    if not form.is_valid():
        raise Http404
    return export_download(campaign, format, form.choice(campaign))


@login_required
@require_safe
def export_sizes(request: SignedInRequest, slug: str) -> HttpResponse:
    """The size of one `?file=`, requested after the page has loaded."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    name = request.GET.get("file", "")
    if name not in _files(campaign):
        raise Http404
    file = {"name": name, "measured": measured(campaign, name, EVERYTHING)}
    return render(request, "researcher/export_sizes.html", {"file": file})


def _files(campaign: Campaign) -> list[str]:
    """Formats that are not another one's table in other words, and that this campaign can fill."""
    has_errors = any(each.measure == PENALTY for each in derivations_of(campaign.protocol))
    return [name for name, made in FORMATS.items() if not made.same_as and (has_errors or not made.is_of_errors)]


@login_required
@require_safe
def archive_file(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """The whole campaign, written while it is sent; `?names=yes` leaves annotators their names."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    return archive_download(campaign, names=request.GET.get("names"))


@login_required
@require_POST
def new_token(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    form = TokenForm(request.POST)
    if not form.is_valid():
        return render(
            request, "researcher/exports.html", exports_context(request, campaign) | {"form": form}, status=422
        )
    token, secret = make_api_token(
        account=request.user, by=request.user, origin=origin_of(request), **form.fields_of_token()
    )
    context = {**exports_context(request, campaign), "new_token": token, "secret": secret}
    return render(request, "researcher/exports.html", context)


@login_required
@require_POST
def revoke_token(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    get_campaign_for(request.user, slug, *READS_RESULTS)
    token = revoke_api_token(token=get_object_or_404(ApiToken, account=request.user, pk=pk), by=request.user)
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect("researcher-exports", slug=slug)


def exports_context(request: SignedInRequest, campaign: Campaign) -> dict[str, Any]:
    """Everything on the page; the forms are empty."""
    runs = analysis_runs(request, campaign)
    return {
        **runs.as_context(),
        **paper_context(runs),
        **share_context(campaign),
        "campaign": campaign,
        "tab": "exports",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "formats": [
            {
                "name": name,
                "title": made.title,
                "description": made.description,
                "kind": made.suffix.rpartition(".")[2].upper(),
                "as_lines": made.as_lines,
            }
            for name, made in ((name, FORMATS[name]) for name in _files(campaign))
        ],
        "judgments": Judgment.objects.filter(item__assignment__campaign=campaign).count(),
        "download": DownloadForm(),
        "tokens": request.user.api_tokens.select_related("made_with").order_by("-created_at"),
        "form": TokenForm(),
        "site": site_address("/"),
    }


def _end(days: int | None) -> datetime | None:
    return None if days is None else timezone.now() + timedelta(days=days)


def share_context(campaign: Campaign) -> dict[str, Any]:
    return {
        "share_form": ShareForm(prefix="share"),
        "shares": campaign.share_links.order_by("-created_at"),
        "now": timezone.now(),
    }


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
    messages.success(request, _("The link “%(name)s” is revoked.") % {"name": link.name})
    return redirect("researcher-exports", slug=slug)
