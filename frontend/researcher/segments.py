"""The segments of a campaign, by how far annotators disagree; each with all answers to it, and its tags."""

from collections.abc import Callable, Iterator

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.views.decorators.http import condition, require_POST, require_safe

from campaigns.actions.tags import tag_segment, untag_segment
from campaigns.invalid_input import InvalidInput
from campaigns.models import Segment
from campaigns.site_address import site_address
from exchange.cells import safe_name, safe_text
from exchange.exported_judgments import answers_to
from exchange.tables.csv_and_json import as_number, csv_pieces
from frontend.access import READS_RESULTS, SignedInRequest, get_campaign_for, get_segment_of
from frontend.downloads import export_download
from frontend.researcher.segment_page import disagreement_runs, query_of, segments_page
from frontend.run_pages import is_offered
from frontend.segment_search_form import SegmentSearchForm
from jobs.run_kinds import InvalidRun
from metrics.segments.search import Search

COLUMNS = (
    "document",
    "segment",
    "system",
    "domain",
    "tags",
    "judgments",
    "spread",
    "metric_gap",
    "source",
    "link",
    "signature",
)


@login_required
@require_safe
def segments(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    return render(request, "researcher/segments.html", segments_page(request, campaign))


def _etag(request: SignedInRequest, slug: str) -> str:
    return disagreement_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS)).etag


@login_required
@require_safe
@condition(etag_func=_etag)
def segments_state(request: SignedInRequest, slug: str) -> HttpResponse:
    """The progress of the newest run, requested while one is running."""
    runs = disagreement_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    return render(request, "researcher/run_state.html", runs.as_context() | {"is_offered": is_offered(request, runs)})


@login_required
@require_POST
def compute_segments(request: SignedInRequest, slug: str) -> HttpResponse:
    """Asks for another look at where people differ, unless one waits already, and leads back to the page."""
    runs = disagreement_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    try:
        runs.queue(request.user)
    except InvalidRun as error:
        messages.error(request, str(error))
    return _back(request, slug)


@login_required
@require_POST
def refresh_segments(request: SignedInRequest, slug: str) -> HttpResponse:
    """An automatic request of the page: 202 when a run is under way then, 204 when none is due."""
    runs = disagreement_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    try:
        return HttpResponse(status=202 if runs.refresh() else 204)
    except InvalidRun as error:
        return HttpResponse(str(error), status=422, content_type="text/plain")


@login_required
@require_POST
def cancel_segments(request: SignedInRequest, slug: str) -> HttpResponse:
    """Cancels the search for disagreement; readers of results may request another."""
    runs = disagreement_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    runs.cancel()
    return _back(request, slug)


def _back(request: SignedInRequest, slug: str) -> HttpResponse:
    page, query = resolve_url("researcher-segments", slug=slug), query_of(request, after=None, before=None)
    return redirect(f"{page}?{query}" if query else page)


@login_required
@require_safe
def segments_csv(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """The whole filtered and ordered list, written while it is read."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = disagreement_runs(request, campaign)
    search = Search(campaign, SegmentSearchForm(campaign, runs.done, request.GET).search_request, runs.done)
    own = site_address(reverse("researcher-segments", args=[slug]))
    signature = runs.done.signature if runs.done else ""
    response = StreamingHttpResponse(
        csv_pieces(COLUMNS, _rows(search, own, signature)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{slug}-segments.csv"'
    return response


@login_required
@require_safe
def segment_csv(request: SignedInRequest, slug: str, pk: int) -> HttpResponseBase:
    """Everything that was answered of one segment, as the file of judgments has it."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    segment = get_segment_of(campaign, pk)
    name = f"{slug}-segment-{segment.pk}.csv"
    return export_download(campaign, "csv", answers_to(campaign, segment), called=name)


def _rows(search: Search, page: str, signature: str) -> Iterator[list[str]]:
    for row in search.all():
        segment = row.segment
        numbers = [row.judgments, row.spread, row.gap]
        yield [
            safe_name(segment.document.name),
            safe_name(segment.name),
            safe_name(row.system.name) if row.system else "",
            safe_name(segment.domain or segment.document.domain),
            safe_name(", ".join(map(str, segment.tags))),
            *("" if number is None else as_number(number) for number in numbers),
            safe_text(segment.source),
            f"{page}?segment={segment.pk}",
            safe_name(signature),
        ]


@login_required
@require_POST
def add_tag(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    return _changed(request, slug, pk, tag_segment)


@login_required
@require_POST
def remove_tag(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    return _changed(request, slug, pk, untag_segment)


def _changed(request: SignedInRequest, slug: str, pk: int, change: Callable[..., Segment]) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    segment = get_segment_of(campaign, pk)
    try:
        change(segment=segment, tag=request.POST.get("tag", ""), campaign=campaign, by=request.user)
    except InvalidInput as error:
        messages.error(request, str(error))
    page = resolve_url("researcher-segments", slug=slug)
    return redirect(f"{page}?{query_of(request, segment=segment.pk)}#tags")
