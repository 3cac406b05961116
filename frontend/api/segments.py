"""Segments of a campaign: searched as on the page, shown in full, compared by a run, tagged."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field

from annotation.models import PROBLEM_REASONS, ItemKind
from campaigns.actions.tags import tag_segment, untag_segment
from campaigns.models import Campaign, MediumKind, Reference, Segment, System
from frontend.access import HIGHEST_KEY, get_segment_of
from frontend.api.adjudications import DecidedSerializer
from frontend.api.errors import InvalidPayload, messages_by_field
from frontend.api.requests import read, refuse_unknown
from frontend.api.runs import RunSerializer, queued_once
from frontend.api.views import MOST_ROWS, ReaderView, no_cursor, nothing_left, operation, whole_number
from frontend.segment_search_form import SORTS, SegmentSearchForm
from jobs.models import Run, RunStatus
from jobs.queries import runs_of
from metrics.flagged_outputs import TITLES
from metrics.queries import has_newer_evidence
from metrics.segments.search import ON_A_PAGE, Page, Search, SearchRequest, SegmentRow
from metrics.segments.sheet import SegmentSheet, segment_sheet

TAG = "Results"


class FoundSerializer(serializers.Serializer[Any]):
    """Numbers are null until a run has compared the judgments, and if there is nothing to compare."""

    id = serializers.IntegerField(source="segment.pk")
    document = serializers.CharField(source="segment.document.name")
    segment = serializers.CharField(source="segment.name")
    system = serializers.SerializerMethodField(help_text="Where outputs are listed: one of those that wrote it.")
    domain = serializers.SerializerMethodField()
    tags = serializers.ListField(source="segment.tags", child=serializers.CharField())
    source = serializers.CharField(source="segment.source", allow_null=True)  # type: ignore[assignment]
    judgments = serializers.IntegerField(allow_null=True)
    spread = serializers.FloatField(allow_null=True, help_text="How far judgments lie apart, in the measure's units.")
    metric_gap = serializers.FloatField(
        source="gap", allow_null=True, help_text="How far metrics rank it above people (below zero: beneath), of 1."
    )

    def get_system(self, row: SegmentRow) -> str | None:
        return row.system.name if isinstance(row.system, System) else None

    def get_domain(self, row: SegmentRow) -> str:
        return row.segment.domain or row.segment.document.domain


class FoundPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    run = serializers.IntegerField(allow_null=True, help_text="The one that compared judgments; null: none has yet.")
    is_stale = serializers.BooleanField(help_text="Judgments came in since.")
    results = FoundSerializer(many=True)


class ErrorSerializer(serializers.Serializer[Any]):
    side = serializers.CharField(source="span.side")
    start = serializers.IntegerField(source="span.start", help_text="In code points; the end is not part of it.")
    end = serializers.IntegerField(source="span.end")
    category = serializers.CharField(source="span.category", allow_blank=True)
    severity = serializers.CharField(source="span.severity")
    note = serializers.CharField(source="span.note", allow_blank=True)
    quote = serializers.CharField(allow_blank=True, help_text="The marked text; empty for an omission.")


class AnsweredSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="judgment.client_id")
    item = serializers.UUIDField(source="judgment.item.public_id")
    annotator = serializers.CharField(source="judgment.annotator.username")
    kind = serializers.ChoiceField(source="judgment.item.kind", choices=ItemKind.values)
    is_left_out = serializers.BooleanField(help_text="Because its annotator is excluded, or it is surplus.")
    cannot_judge = serializers.CharField(source="judgment.cannot_judge", allow_blank=True)
    values = serializers.DictField(child=serializers.FloatField(), help_text="By measure, including derived ones.")
    errors = ErrorSerializer(many=True)  # type: ignore[assignment]
    post_edit = serializers.CharField(source="after", allow_null=True, help_text="Where the translation was corrected.")
    damaged = serializers.CharField(allow_null=True, help_text="What was shown in place of the translation.")
    beside = serializers.ListField(
        source="others_shown", child=serializers.CharField(), help_text="Systems with outputs on the same screen."
    )
    comment = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField(allow_null=True)
    submitted_at = serializers.DateTimeField(source="judgment.submitted_at")


class MetricMarkSerializer(serializers.Serializer[Any]):
    """Half-open, in code points of the text."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    severity = serializers.CharField()


class OutputSerializer(serializers.Serializer[Any]):
    """One text, with all systems that wrote it."""

    systems = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(source="translation.text", allow_null=True)
    spread = serializers.FloatField(allow_null=True)
    mean = serializers.FloatField(allow_null=True, help_text="Of the first measure.")
    metrics = serializers.DictField(child=serializers.FloatField())
    metric_gap = serializers.FloatField(allow_null=True)
    metric_marks = serializers.DictField(
        child=serializers.ListField(child=MetricMarkSerializer()),
        help_text="By metrics that mark errors, such as XCOMET; of the text as it is now.",
    )
    judgments = AnsweredSerializer(source="answers", many=True)
    decision = DecidedSerializer(allow_null=True)
    history = DecidedSerializer(many=True, help_text="Decisions that were undone.")


class SegmentReportSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    item = serializers.UUIDField(source="item.public_id")
    reason = serializers.ChoiceField(choices=list(PROBLEM_REASONS))
    note = serializers.CharField(allow_blank=True)
    reported_at = serializers.DateTimeField()


class DocumentScoreSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="judgment.annotator.username")
    system = serializers.CharField(source="system.name", allow_null=True, default=None)
    measure = serializers.CharField()
    value = serializers.FloatField()


class SegmentMediumSerializer(serializers.Serializer[Any]):
    file = serializers.CharField(help_text="The last part of its address, below `media/` of the campaign.")
    kind = serializers.ChoiceField(choices=MediumKind.choices)
    content_type = serializers.CharField(source="type")
    name = serializers.CharField()
    alt = serializers.CharField(allow_blank=True)
    of_document = serializers.BooleanField(help_text="False: it belongs to this segment alone.")


class SheetSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="segment.pk")
    document = serializers.CharField(source="segment.document.name")
    segment = serializers.CharField(source="segment.name")
    domain = serializers.SerializerMethodField()
    tags = serializers.ListField(source="segment.tags", child=serializers.CharField())
    source = serializers.CharField(source="segment.source", allow_null=True)  # type: ignore[assignment]
    references = serializers.SerializerMethodField(help_text="Texts by name.")
    media = SegmentMediumSerializer(many=True)
    outputs = OutputSerializer(many=True)
    document_scores = DocumentScoreSerializer(
        many=True, help_text="Of the whole document, if it was judged as a whole."
    )
    reports = SegmentReportSerializer(many=True)
    decided_fields = serializers.ListField(
        child=serializers.CharField(), help_text="What an adjudicated answer has; empty: nothing can be decided."
    )

    def get_domain(self, sheet: SegmentSheet) -> str:
        return sheet.segment.domain or sheet.segment.document.domain

    @extend_schema_field(serializers.DictField(child=serializers.CharField()))
    def get_references(self, sheet: SegmentSheet) -> dict[str, str]:
        references: list[Reference] = list(sheet.references)
        return {reference.name: reference.text for reference in references}


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
    OpenApiParameter("flag", _TEXT, enum=list(TITLES), description="With an output that has this flag."),
    OpenApiParameter("sort", _TEXT, enum=list(SORTS), default="spread"),
    OpenApiParameter("cursor", _TEXT, description="As `next` and `previous` of a page have it."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"By default {ON_A_PAGE} rows, at most {MOST_ROWS}."),
]


class ComparisonSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField(
        allow_null=True, default=None, max_length=100, help_text="Compared with people; null: all together."
    )


class CampaignSegmentsView(ReaderView):
    @operation("campaign_segments", FoundPageSerializer, parameters=FILTERS)
    def get(self, request: Request, campaign: Campaign) -> Any:
        """Segments, ordered by annotator disagreement."""
        refuse_unknown(request, [filter.name for filter in FILTERS])
        size = whole_number(request, "page_size", usual=ON_A_PAGE, most=MOST_ROWS)
        run, place = _from_cursor(request, campaign)
        page = Search(campaign, _search_request(request, campaign, run), run).page(**place, size=size)
        return {
            **_neighbours(request, run, page),
            "run": run.pk if run else None,
            "is_stale": run is not None and has_newer_evidence(run),
            "results": page.rows,
        }


class CampaignSegmentView(ReaderView):
    @operation("campaign_segment", SheetSerializer)
    def get(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """One segment with every output and all judgments of it side by side."""
        return segment_sheet(campaign, get_segment_of(campaign, pk), _newest(campaign, None))


class ComparisonView(ReaderView):
    @operation("compare_judgments", {202: RunSerializer, 200: RunSerializer}, request=ComparisonSerializer)
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Compare the judgments of all segments, unless the same run is pending."""
        arguments = dict(read(request, ComparisonSerializer))
        return queued_once(request, kind=KIND, campaign=campaign, arguments=arguments, by=self.account)


def _newest(campaign: Campaign, metric: str | None) -> Run | None:
    return runs_of(campaign, KIND, status=RunStatus.DONE, arguments={"metric": metric}).first()


def _search_request(request: Request, campaign: Campaign, run: Run | None) -> SearchRequest:
    form = SegmentSearchForm(campaign, run, request.query_params)
    if not form.is_valid():
        raise InvalidPayload(messages_by_field(form.errors))
    missing = [name for name in NEED_A_RUN if run is None and form.cleaned_data.get(name)]
    if missing:
        message = _("No run has compared the judgments yet. Start one first.")
        raise InvalidPayload({name: [message] for name in missing})
    return form.search_request


def _from_cursor(request: Request, campaign: Campaign) -> tuple[Run | None, Mapping[str, int]]:
    """All pages use the run of the first page, so that rows do not move."""
    text = request.query_params.get("cursor")
    if text is None:
        metric = request.query_params.get("metric", "").replace("\x00", "")  # a database would refuse it
        return _newest(campaign, metric or None), {}
    try:
        way, key, place = base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").split(".")
        known = {BEHIND: "after", BEFORE: "before"}[way]
        pk, number = int(key), min(max(int(place), 0), HIGHEST_KEY)
    except (ValueError, KeyError, binascii.Error) as error:
        raise no_cursor() from error
    if not pk:
        return None, {known: number}
    run = Run.objects.filter(campaign=campaign, kind=KIND, pk=min(max(pk, 0), HIGHEST_KEY)).first()
    if run is None or not run.disagreements.exists():  # only the newest is stored
        raise no_cursor()
    return run, {known: number}


def address_with_cursor(request: Request, cursor: str) -> str:
    """The request's own, for another page of its list."""
    written = base64.urlsafe_b64encode(cursor.encode("ascii")).decode("ascii")
    return replace_query_param(request.build_absolute_uri(), "cursor", written)


def _neighbours(request: Request, run: Run | None, page: Page) -> dict[str, str | None]:
    def leading(way: str, place: int) -> str:
        return address_with_cursor(request, f"{way}.{run.pk if run else 0}.{place}")

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


class SegmentTagsView(ReaderView):
    @operation("tag_segment", {201: TagsSerializer}, request=TagSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Add a tag to a segment, for all campaigns on this test set."""
        body = read(request, TagSerializer)
        return tag_segment(segment=_segment(campaign, body), tag=body["tag"], campaign=campaign, by=self.account)

    @operation(
        "untag_segment",
        nothing_left("It is removed; tags from the file stay."),
        parameters=[OpenApiParameter(name, str, required=True) for name in PLACE],
    )
    def delete(self, request: Request, campaign: Campaign) -> None:
        """Remove a tag that was added here."""
        refuse_unknown(request, PLACE)
        filled = TagSerializer(data=request.query_params)
        filled.is_valid(raise_exception=True)
        body = filled.validated_data
        untag_segment(segment=_segment(campaign, body), tag=body["tag"], campaign=campaign, by=self.account)


def _segment(campaign: Campaign, body: Mapping[str, Any]) -> Segment:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).select_related("document")
    segment = own.filter(document__name=body["document"], name=body["segment"]).first()
    if segment is None:
        raise InvalidPayload({"segment": [_("This test set has no such segment.")]})
    return segment
