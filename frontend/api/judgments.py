"""Judgments as they were entered, the items as annotators saw them, and where two annotators disagree most."""

from typing import Any
from uuid import UUID

from django.db.models import F, Prefetch
from django.db.models.functions import Coalesce
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from annotation.models import Credit, ErrorSpan, ItemKind, ItemLevel, Judgment, Score, Slot, is_surplus
from annotation.queries.annotator_work import item_sheet
from annotation.queries.items_page import first_texts_of
from annotation.queries.progress import judgments_by_key
from campaigns.models import Campaign, System
from frontend.access import get_annotators_of, get_item_of
from frontend.api.requests import refuse_unknown
from frontend.api.segments import SegmentReportSerializer
from frontend.api.views import ListView, OrganiserView, ReaderView, listed, operation, whole_number
from frontend.filters import JudgmentFilter
from frontend.workbench import AnswerSerializer, ItemsPageSerializer, StoredAnswerField
from metrics.pair_disagreements import MOST_IN_FILE, MOST_SHOWN, pair_disagreements

TAG = "Results"

SYSTEM = "The system whose output it is of."


class ShownSlotSerializer(serializers.Serializer[Any]):
    """The output under one label, with all systems that wrote it."""

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


@listed(
    "campaign_judgments",
    "Judgments in the order they were stored, every revision",
    Judgment,
    JudgmentSerializer,
    JudgmentFilter,
)
class CampaignJudgmentsView(ReaderView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        """Five queries, however many rows there are, and no texts: outputs are named by their systems alone."""
        own = judgments_by_key(campaign).annotate(counts_not=is_surplus())
        system = self.request.query_params.get("system")
        if system and not System.objects.filter(test_set=campaign.test_set_id, name=system).exists():
            own = own.none()  # which a database would learn from the last judgment only
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


class SheetSlotSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField(source="shown.label")
    text = serializers.CharField(allow_blank=True, source="shown.text")
    systems = serializers.ListField(child=serializers.CharField())
    genuine = serializers.CharField(allow_null=True, help_text="The text that a degraded one replaced.")


class SheetQuestionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(source="shown.text")
    given = serializers.CharField(allow_null=True)
    accepted = serializers.ListField(child=serializers.CharField(), source="shown.accepted")


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


class PreviewView(OrganiserView):
    @operation("preview", ItemsPageSerializer, tags=["Campaigns"])
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """The first documents as annotators will see them, before anything is entered."""
        page = first_texts_of(campaign)
        if page is None:
            raise Http404
        return page


class ShownItemView(OrganiserView):
    @operation("item", ItemSheetSerializer, tags=["Work"])
    def get(self, _request: Request, campaign: Campaign, item: UUID) -> Any:
        """One item as its annotator was shown it, with what only organisers may know."""
        return item_sheet(campaign, get_item_of(campaign, item))


PARAMETERS = [
    OpenApiParameter("first", OpenApiTypes.STR, required=True, description="A username."),
    OpenApiParameter("second", OpenApiTypes.STR, required=True, description="Another one."),
    OpenApiParameter("measure", OpenApiTypes.STR, description="By default the first."),
    OpenApiParameter(
        "most", OpenApiTypes.INT, description=f"How many: by default {MOST_SHOWN}, at most {MOST_IN_FILE}."
    ),
]


class MarkSerializer(serializers.Serializer[Any]):
    side = serializers.CharField()
    severity = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    words = serializers.CharField(allow_blank=True)


class GivenSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField()
    text = serializers.CharField(allow_blank=True, help_text="A translation as it was corrected.")
    comment = serializers.CharField(allow_blank=True)
    marks = MarkSerializer(many=True)
    questions = serializers.SerializerMethodField(help_text="What was answered, by question.")

    def get_questions(self, answer: Any) -> dict[str, str]:
        return dict(answer.to_questions)


class BothSerializer(serializers.Serializer[Any]):
    systems = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(allow_blank=True)
    answers = GivenSerializer(many=True, help_text="The first annotator's, then the second's.")


class DifferenceSerializer(serializers.Serializer[Any]):
    apart = serializers.FloatField(help_text="In the measure's units; of preferences, comparisons.")
    document = serializers.CharField()
    segment = serializers.CharField(source="segment.name", allow_null=True, default=None)
    segment_id = serializers.IntegerField(source="segment.pk", allow_null=True, default=None)
    outputs = BothSerializer(many=True)


class DisagreementsSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    measure = serializers.CharField(source="measure.name")
    shared = serializers.IntegerField(help_text="Outputs (or comparisons) both judged.")
    alike = serializers.IntegerField(help_text="Of these, with the same answer.")
    results = DifferenceSerializer(source="differences", many=True)


class DisagreementsView(ReaderView):
    @operation("disagreements", DisagreementsSerializer, parameters=PARAMETERS)
    def get(self, request: Request, campaign: Campaign) -> Any:
        """Where two annotators disagree most, with both answers."""
        refuse_unknown(request, [parameter.name for parameter in PARAMETERS])
        most = whole_number(request, "most", usual=MOST_SHOWN, most=MOST_IN_FILE)
        first, second, measure = (request.query_params.get(name, "") for name in ("first", "second", "measure"))
        pair = get_annotators_of(campaign, first, second)
        disagreements = pair_disagreements(campaign, pair, measure, most=most)
        if disagreements is None:
            raise Http404
        return {**vars(disagreements), "first": pair[0].username, "second": pair[1].username}
