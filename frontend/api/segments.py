"""Segments of a campaign: looked for as on the page, looked at in full, and the run that compares their judgments."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from campaigns.actions import tag_segment, untag_segment
from campaigns.models import Campaign, Segment
from frontend.access import HIGHEST_KEY, READS_RESULTS, get_campaign_for, get_segment_of
from frontend.api.errors import InvalidPayload, messages_by_field
from frontend.api.idempotency import idempotent
from frontend.api.pagination import MOST_ROWS, no_cursor, whole_number
from frontend.api.payloads import read, refuse_unknown
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued_once
from frontend.api.segment_serializers import FoundPageSerializer, SheetSerializer
from frontend.segment_search_form import SORTS, SegmentSearchForm
from jobs.models import Run, RunStatus
from jobs.queries import newest_run
from metrics.queries import has_newer_evidence
from metrics.segments.search import ON_A_PAGE, Page, Search, SearchRequest
from metrics.segments.sheet import segment_sheet

PLACE = ("document", "segment", "tag")
KIND = "disagreement"
NEED_A_RUN = ("metric", "system", "spread", "gap", "decided", "queue")
BEHIND, BEFORE = "behind", "before"
_TEXT, _NUMBER, _YES = OpenApiTypes.STR, OpenApiTypes.DOUBLE, OpenApiTypes.BOOL
FILTERS = [
    OpenApiParameter("text", _TEXT, description="In a source, a reference or an output."),
    OpenApiParameter("document", _TEXT, description="Its name, or a part of it."),
    OpenApiParameter("system", _TEXT, description="Lists the outputs of this one."),
    OpenApiParameter("domain", _TEXT),
    OpenApiParameter("tag", _TEXT),
    OpenApiParameter("spread", _NUMBER, description="Judgments this far apart, or further."),
    OpenApiParameter("gap", _NUMBER, description="Metrics this far from people, or further: from 0 to 100 places."),
    OpenApiParameter("metric", _TEXT, description="Compared with people; left out: all together."),
    OpenApiParameter("reported", _YES, description="With problem reports."),
    OpenApiParameter("decided", _TEXT, enum=["yes", "no"], description="Whether an answer was adjudicated."),
    OpenApiParameter("queue", _YES, description="Outputs on which judgments differ and nobody has decided."),
    OpenApiParameter("sort", _TEXT, enum=list(SORTS), default="spread"),
    OpenApiParameter("cursor", _TEXT, description="As `next` and `previous` of a page have it."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"{ON_A_PAGE} rows unless told, at most {MOST_ROWS}."),
]


class ComparisonSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField(
        allow_null=True, default=None, max_length=100, help_text="Compared with people; null: all together."
    )


class CampaignSegmentsView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="campaign_segments",
        summary="Segments, those that people quarrel about first",
        parameters=FILTERS,
        responses=FoundPageSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        refuse_unknown(request, [filter.name for filter in FILTERS])
        size = whole_number(request, "page_size", usual=ON_A_PAGE, most=MOST_ROWS)
        run, place = _from_cursor(request, campaign)
        page = Search(campaign, _search_request(request, campaign, run), run).page(**place, size=size)
        found = {
            **_neighbours(request, run, page),
            "run": run.pk if run else None,
            "is_stale": run is not None and has_newer_evidence(run),
            "results": page.rows,
        }
        return Response(FoundPageSerializer(found).data)


class CampaignSegmentView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="campaign_segment",
        summary="One segment with every output and all judgments of it side by side",
        responses=SheetSerializer,
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        sheet = segment_sheet(campaign, get_segment_of(campaign, pk), _newest(campaign, None))
        return Response(SheetSerializer(sheet).data)


class ComparisonView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="compare_judgments",
        summary="Have the judgments of all segments compared, unless the same is under way",
        request=ComparisonSerializer,
        responses={202: RunSerializer, 200: RunSerializer},
        examples=[OpenApiExample("With one metric", {"metric": "chrf"}, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        arguments = dict(read(request, ComparisonSerializer))
        return queued_once(request, kind=KIND, campaign=campaign, arguments=arguments, by=self.account)


def _newest(campaign: Campaign, metric: str | None) -> Run | None:
    return newest_run(campaign, KIND, status=RunStatus.DONE, arguments={"metric": metric})


def _search_request(request: Request, campaign: Campaign, run: Run | None) -> SearchRequest:
    form = SegmentSearchForm(campaign, run, request.query_params)
    if not form.is_valid():
        raise InvalidPayload(messages_by_field(form.errors))
    missing = [name for name in NEED_A_RUN if run is None and form.cleaned_data.get(name)]
    if missing:
        said = _("No run has compared the judgments yet. Ask for one first.")
        raise InvalidPayload({name: [said] for name in missing})
    return form.search_request


def _from_cursor(request: Request, campaign: Campaign) -> tuple[Run | None, Mapping[str, int]]:
    """The run the first page was made of stays that of the others, so that nothing shifts."""
    given = request.query_params.get("cursor")
    if given is None:
        metric = request.query_params.get("metric", "").replace("\x00", "")  # a database would refuse to look for it
        return _newest(campaign, metric or None), {}
    try:
        way, key, place = base64.urlsafe_b64decode(given.encode("ascii")).decode("ascii").split(".")
        known = {BEHIND: "after", BEFORE: "before"}[way]
        pk, number = int(key), min(max(int(place), 0), HIGHEST_KEY)
    except (ValueError, KeyError, binascii.Error) as error:
        raise no_cursor() from error
    if not pk:
        return None, {known: number}
    run = Run.objects.filter(campaign=campaign, kind=KIND, pk=min(max(pk, 0), HIGHEST_KEY)).first()
    if run is None or not run.disagreements.exists():  # only the newest is kept
        raise no_cursor()
    return run, {known: number}


def _neighbours(request: Request, run: Run | None, page: Page) -> dict[str, str | None]:
    def leading(way: str, place: int) -> str:
        cursor = f"{way}.{run.pk if run else 0}.{place}".encode("ascii")
        return replace_query_param(
            request.build_absolute_uri(), "cursor", base64.urlsafe_b64encode(cursor).decode("ascii")
        )

    rows = page.rows
    return {
        "next": leading(BEHIND, rows[-1].place) if rows and page.has_after else None,
        "previous": leading(BEFORE, rows[0].place) if rows and page.has_before else None,
    }


class TagSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(max_length=255)
    segment = serializers.CharField(max_length=255)
    tag = serializers.CharField(max_length=100)


class TagsSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(source="document.name")
    segment = serializers.CharField(source="name")
    tags = serializers.ListField(child=serializers.CharField())


class SegmentTagsView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="tag_segment",
        summary="Give a segment a tag, for all campaigns on these texts",
        request=TagSerializer,
        responses={201: TagsSerializer},
        examples=[
            OpenApiExample("An idiom", {"document": "ferry", "segment": "1", "tag": "idiom"}, request_only=True),
        ],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        body = read(request, TagSerializer)
        tagged = tag_segment(segment=_segment(campaign, body), tag=body["tag"], campaign=campaign, by=self.account)
        return Response(TagsSerializer(tagged).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="untag_segment",
        summary="Take back a tag that was given here",
        parameters=[OpenApiParameter(name, str, required=True) for name in PLACE],
        responses={204: OpenApiResponse(description="It is gone; what came with the texts stays.")},
    )
    def delete(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        refuse_unknown(request, PLACE)
        filled = TagSerializer(data=request.query_params)
        filled.is_valid(raise_exception=True)
        body = filled.validated_data
        untag_segment(segment=_segment(campaign, body), tag=body["tag"], campaign=campaign, by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _segment(campaign: Campaign, body: Mapping[str, Any]) -> Segment:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).select_related("document")
    found = own.filter(document__name=body["document"], name=body["segment"]).first()
    if found is None:
        raise InvalidPayload({"segment": [_("These texts have no such segment.")]})
    return found
