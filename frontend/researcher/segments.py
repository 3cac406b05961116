"""The segments of a campaign, by how far annotators disagree; each with all answers to it, and its tags."""

from collections.abc import Callable, Iterator

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse

from campaigns.actions.tags import tag_segment, untag_segment
from campaigns.models import Campaign, Segment
from campaigns.site_address import site_address
from exchange.cells import safe_name, safe_text
from exchange.exported_judgments import answers_to
from exchange.tables.csv_and_json import as_number, csv_pieces
from frontend.access import READS_RESULTS, SignedInRequest, get_segment_of
from frontend.campaign_pages import POST, ErrorsShown, campaign_view
from frontend.downloads import CSV_TYPE, attachment, export_download
from frontend.researcher.segment_page import disagreement_runs, query_of, segments_page
from frontend.segment_search_form import SegmentSearchForm
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


segments = campaign_view(READS_RESULTS)(segments_page)


@campaign_view(READS_RESULTS)
def segments_csv(request: SignedInRequest, campaign: Campaign) -> HttpResponseBase:
    """The whole filtered and ordered list, written while it is read."""
    runs = disagreement_runs(request, campaign)
    search = Search(campaign, SegmentSearchForm(campaign, runs.done, request.GET).search_request, runs.done)
    own = site_address(reverse("researcher-segments", args=[campaign.slug]))
    pieces = csv_pieces(COLUMNS, _rows(search, own, runs.done.signature if runs.done else ""))
    headers = attachment(f"{campaign.slug}-segments.csv")
    return StreamingHttpResponse(pieces, content_type=CSV_TYPE, headers=headers)


@campaign_view(READS_RESULTS)
def segment_csv(_request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponseBase:
    """Everything that was answered of one segment, as the file of judgments has it."""
    segment = get_segment_of(campaign, pk)
    name = f"{campaign.slug}-segment-{segment.pk}.csv"
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


@campaign_view(READS_RESULTS, POST)
def add_tag(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    return _changed(request, campaign, pk, tag_segment)


@campaign_view(READS_RESULTS, POST)
def remove_tag(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    return _changed(request, campaign, pk, untag_segment)


def _changed(request: SignedInRequest, campaign: Campaign, pk: int, change: Callable[..., Segment]) -> HttpResponse:
    segment = get_segment_of(campaign, pk)
    with ErrorsShown(request):
        change(segment=segment, tag=request.POST.get("tag", ""), campaign=campaign, by=request.user)
    page = resolve_url("researcher-segments", campaign.slug)
    return redirect(f"{page}?{query_of(request, segment=segment.pk)}#tags")
