"""Items as annotators see them, for who runs the campaign: the first texts of the plan, and any one with its answer."""

from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import extend_schema

from annotation.models import ItemKind, ItemLevel
from annotation.queries.item_sheet import item_sheet
from annotation.queries.items_page import first_texts_of
from frontend.access import RUNS_IT, get_campaign_for, get_item_of
from frontend.api.resource_view import ResourceView
from frontend.api.segment_serializers import SegmentReportSerializer
from frontend.workbench import ItemsPageSerializer, StoredAnswerField


class SheetSlotSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField(source="shown.label")
    text = serializers.CharField(allow_blank=True, source="shown.text")
    systems = serializers.ListField(child=serializers.CharField())
    genuine = serializers.CharField(allow_null=True, help_text="In whose place a damaged text was shown.")


class SheetQuestionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(source="shown.text")
    given = serializers.CharField(allow_null=True)
    accepted = serializers.ListField(child=serializers.CharField(), source="shown.accepted")


class SheetScoreSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    measure = serializers.CharField()
    value = serializers.FloatField()


class SheetAnswerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="judgment.client_id")
    annotator = serializers.CharField(source="judgment.annotator.username")
    revision = serializers.IntegerField(source="judgment.revision")
    answer = StoredAnswerField(source="judgment.answer", allow_null=True)
    scores = serializers.SerializerMethodField()
    cannot_judge = serializers.CharField(source="judgment.cannot_judge", allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField(allow_null=True)
    submitted_at = serializers.DateTimeField(source="judgment.submitted_at")

    def get_scores(self, answer: Any) -> list[dict[str, Any]]:
        return [dict(zip(("system", "measure", "value"), score, strict=True)) for score in answer.scores]


class ItemSheetSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="item.public_id")
    assignment = serializers.IntegerField(source="item.assignment_id")
    annotator = serializers.CharField(source="item.assignment.annotator.username", allow_null=True, default=None)
    document = serializers.CharField(source="item.document.name")
    segment = serializers.CharField(source="item.segment.name", allow_null=True, default=None)
    level = serializers.ChoiceField(source="item.level", choices=ItemLevel.values)
    kind = serializers.ChoiceField(source="item.kind", choices=ItemKind.values)
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    reference = serializers.CharField(allow_null=True)
    slots = SheetSlotSerializer(many=True)
    questions = SheetQuestionSerializer(many=True)
    answer = SheetAnswerSerializer(allow_null=True, help_text="Null while it was not judged.")
    reports = SegmentReportSerializer(many=True)


class PreviewView(ResourceView):
    @extend_schema(
        operation_id="preview",
        summary="The first texts as annotators will see them, before anything is entered",
        responses=ItemsPageSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        page = first_texts_of(get_campaign_for(self.account, slug, *RUNS_IT))
        if page is None:
            raise Http404
        return Response(ItemsPageSerializer(page).data)


class ShownItemView(ResourceView):
    tag = "Work"

    @extend_schema(
        operation_id="item",
        summary="One item as its annotator was shown it, with what only organisers may know",
        responses=ItemSheetSerializer,
    )
    def get(self, request: Request, slug: str, item: UUID) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        return Response(ItemSheetSerializer(item_sheet(campaign, get_item_of(campaign, item))).data)
