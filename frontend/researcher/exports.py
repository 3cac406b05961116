"""Exports of a campaign: files, tokens for programs that fetch them, and links to its results."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols import PROTOCOLS
from annotation.queries.progress import stored_judgments
from campaigns.actions.links import make_share_link, revoke_share_link
from campaigns.actions.tokens import make_api_token, revoke_api_token
from campaigns.models import ApiToken, Campaign, CrowdPlace, Scope
from campaigns.site_address import site_address
from exchange.export_formats import ExportRefusedError
from exchange.export_sizes import measured
from exchange.exported_judgments import EVERYTHING
from exchange.exports import FORMATS
from exchange.tables.papers import methods_of, paper_tables_of_run
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    SignedInRequest,
    get_own,
    get_share_link_in,
    has_role,
)
from frontend.campaign_pages import POST, campaign_page, campaign_view
from frontend.downloads import DownloadForm, archive_download, export_download
from frontend.figures import figures_of
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
        end = timezone.now() + timedelta(days=values["days"]) if values["days"] else None
        return {"name": values["name"], "scopes": (values["may"] or READS).split(), "expires_at": end}


class ShareForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("For whom or for what"), max_length=100)
    days = forms.IntegerField(label=gettext_lazy("Days it opens"), min_value=1, max_value=730, initial=90)
    shows_texts = forms.BooleanField(label=gettext_lazy("Also show the texts"), required=False)


@campaign_view(READS_RESULTS)
def exports(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    return _page(request, campaign)


@campaign_view(READS_RESULTS)
def export_file(request: SignedInRequest, campaign: Campaign, format: str) -> HttpResponseBase:
    form = DownloadForm(request.GET)
    if not form.is_valid():
        raise Http404
    try:
        return export_download(campaign, format, form.choice(campaign, request.user))
    except ExportRefusedError as refused:
        for reason in refused.reasons:
            messages.error(request, reason)
        return redirect("researcher-exports", campaign.slug)


@campaign_view(READS_RESULTS)
def export_sizes(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The size of one `?file=`, requested after the page has loaded."""
    name = request.GET.get("file", "")
    if name not in _files(campaign):
        raise Http404
    refusals = FORMATS[name].refusals(campaign)
    notes = refusals or FORMATS[name].losses(campaign, EVERYTHING)
    file = {"name": name, "measured": measured(campaign, name, EVERYTHING), "notes": notes, "is_refused": refusals}
    return render(request, "researcher/export_sizes.html", {"file": file})


def _files(campaign: Campaign) -> list[str]:
    """Formats that are not another one's table in other words, and that this campaign can fill."""
    has_errors = any(each.measure == PENALTY for each in derivations_of(campaign.protocol))
    has_screens = PROTOCOLS[campaign.protocol].shows_whole_documents
    fitting = {name: made for name, made in FORMATS.items() if not made.same_as and made.takes(campaign)}
    return [
        name
        for name, made in fitting.items()
        if (has_errors or not made.is_of_errors) and (has_screens or not made.is_of_screens)
    ]


@campaign_view(READS_RESULTS)
def archive_file(request: SignedInRequest, campaign: Campaign) -> HttpResponseBase:
    """The whole campaign, written while it is sent; `?names=yes` leaves annotators their names."""
    return archive_download(campaign, names=request.GET.get("names"))


@campaign_view(READS_RESULTS, POST)
def new_token(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, form=form)
    token, secret = make_api_token(
        account=request.user, by=request.user, origin=origin_of(request), **form.fields_of_token()
    )
    return _page(request, campaign, new_token=token, secret=secret)


@campaign_view(READS_RESULTS, POST)
def revoke_token(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    token = revoke_api_token(token=get_own(ApiToken, request.user, pk), by=request.user)
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect("researcher-exports", campaign.slug)


def _page(request: SignedInRequest, campaign: Campaign, *, status: int = 200, **entered: object) -> HttpResponse:
    """`entered` are a form with its errors, or what is shown once; the other forms are empty."""
    runs = analysis_runs(request, campaign)
    context = {
        **runs.as_context(),
        "tables": paper_tables_of_run(runs),
        "figures": [(name, title) for name, (title, _draw) in figures_of(runs).items()],
        "methods": methods_of(runs.done) if runs.done else None,
        "formats": [
            (name, FORMATS[name], FORMATS[name].suffix.rpartition(".")[2].upper()) for name in _files(campaign)
        ],
        "judgments": stored_judgments(campaign),
        "download": _download_form(request, campaign),
        "tokens": request.user.api_tokens.select_related("made_with").order_by("-created_at"),
        "form": TokenForm(),
        "share_form": ShareForm(prefix="share"),
        "shares": campaign.share_links.order_by("-created_at"),
        "now": timezone.now(),
        "site": site_address("/"),
        **entered,
    }
    organises = has_role(request.user, campaign, *RUNS_IT)
    template = "researcher/exports.html"
    return campaign_page(request, campaign, template, "exports", context, organises=organises, status=status)


def _download_form(request: SignedInRequest, campaign: Campaign) -> DownloadForm:
    """Labels are offered where there are some, to who may have them."""
    form = DownloadForm()
    has_some = (
        has_role(request.user, campaign, *RUNS_IT) and CrowdPlace.objects.filter(crowd__campaign=campaign).exists()
    )
    if not has_some:
        del form.fields["labels"]
    return form


@campaign_view(RUNS_IT, POST)
def share(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    form = ShareForm(request.POST, prefix="share")
    if not form.is_valid():
        return _page(request, campaign, share_form=form, status=422)
    choice = analysis_runs(request, campaign).arguments
    link, secret = make_share_link(campaign=campaign, by=request.user, choice=choice, **form.cleaned_data)
    address = site_address(resolve_url("shared-results", secret=secret))
    return _page(request, campaign, new_share=link, share_address=address)


@campaign_view(RUNS_IT, POST)
def revoke_share(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    link = get_share_link_in(campaign, pk)
    revoke_share_link(link=link, by=request.user)
    messages.success(request, _("The link “%(name)s” is revoked.") % {"name": link.name})
    return redirect("researcher-exports", campaign.slug)
