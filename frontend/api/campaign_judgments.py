"""Judgments as they were entered, with what they count."""

from typing import Any

from django.db.models import F, Prefetch
from django.db.models.functions import Coalesce
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import extend_schema

from annotation.models import Credit, ErrorSpan, ItemKind, ItemLevel, Judgment, Score, Slot, is_surplus
from frontend.access import READS_RESULTS, get_campaign_for
from frontend.api.resource_view import ListView
from frontend.filters import JudgmentFilter
from frontend.workbench import AnswerSerializer

SYSTEM = "The system whose output it is of."


class ShownSlotSerializer(serializers.Serializer[Any]):
    """What stood under one label: the output of all these systems."""

    slot = serializers.CharField(source="label")
    systems = serializers.SerializerMethodField()

    def get_systems(self, slot: Slot) -> list[str]:
        return [slot.system.name, *(credit.system.name for credit in slot.credits.all())]


class ScoreSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField()
    system = serializers.CharField(source="system_name", allow_null=True, help_text=SYSTEM)
    measure = serializers.CharField()
    value = serializers.FloatField()


class SpanSerializer(serializers.Serializer[Any]):
    system = serializers.CharField(source="system_name", help_text=SYSTEM)
    side = serializers.ChoiceField(choices=["source", "target"])
    start = serializers.IntegerField(help_text="In code points; the end is not part of it.")
    end = serializers.IntegerField()
    category = serializers.CharField(allow_blank=True)
    severity = serializers.CharField()
    note = serializers.CharField(allow_blank=True)


class JudgmentSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="client_id")
    item = serializers.UUIDField(source="item.public_id")
    annotator = serializers.CharField(source="annotator.username")
    assignment = serializers.IntegerField(source="item.assignment_id")
    document = serializers.CharField(source="item.document.name")
    segment = serializers.CharField(source="item.segment.name", allow_null=True, default=None)
    level = serializers.ChoiceField(source="item.level", choices=ItemLevel.values)
    kind = serializers.ChoiceField(source="item.kind", choices=ItemKind.values)
    revision = serializers.IntegerField()
    is_current = serializers.BooleanField()
    is_surplus = serializers.BooleanField(source="counts_not", help_text="Left out of analyses by default.")
    cannot_judge = serializers.CharField(allow_blank=True)
    answer = AnswerSerializer(help_text="As it was entered.")
    slots = ShownSlotSerializer(source="item.slots", many=True)
    scores = ScoreSerializer(many=True)
    spans = SpanSerializer(source="error_spans", many=True)
    started_at = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField()
    elapsed_ms = serializers.IntegerField(allow_null=True)
    active_ms = serializers.IntegerField(allow_null=True)


_SHOWN = (
    "client_id", "annotator__username", "item__public_id", "item__assignment_id", "item__document__name",
    "item__segment__name", "item__level", "item__kind", "revision", "is_current", "cannot_judge", "answer",
    "started_at", "submitted_at", "elapsed_ms", "active_ms",
)  # fmt: skip


class CampaignJudgmentsView(ListView):
    tag = "Results"
    queryset = Judgment.objects.none()
    serializer_class = JudgmentSerializer
    filterset_class = JudgmentFilter

    def rows(self, **place: Any) -> Any:
        """Five queries, however many there are, and no texts: of outputs nothing is told but whose they are."""
        campaign = get_campaign_for(self.account, place["slug"], *READS_RESULTS)
        own = Judgment.objects.filter(item__assignment__campaign=campaign).annotate(counts_not=is_surplus())
        related = own.select_related("annotator", "item__document", "item__segment").only(*_SHOWN)
        system_of_score = Coalesce("translation__system__name", "system__name")
        return related.prefetch_related(
            Prefetch("scores", Score.objects.annotate(system_name=system_of_score).order_by("pk")),
            Prefetch(
                "error_spans", ErrorSpan.objects.annotate(system_name=F("translation__system__name")).order_by("pk")
            ),
            Prefetch("item__slots", Slot.objects.select_related("system").order_by("label")),
            Prefetch("item__slots__credits", Credit.objects.select_related("system").order_by("pk")),
        )

    @extend_schema(
        operation_id="campaign_judgments",
        summary="Judgments in the order they were stored, every revision",
        responses=JudgmentSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)
