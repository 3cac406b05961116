"""What is told of segments: a line of the list, and one in full with everything that was answered of it."""

from typing import Any

from rest_framework import serializers

from drf_spectacular.utils import extend_schema_field

from annotation.models import PROBLEM_REASONS, ItemKind
from campaigns.models import Reference, System
from frontend.api.adjudications import DecidedSerializer
from metrics.segments.search import Found
from metrics.segments.sheet import SegmentSheet


class FoundSerializer(serializers.Serializer[Any]):
    """Numbers are null until a run has compared the judgments, and where there is nothing to compare."""

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

    def get_system(self, found: Found) -> str | None:
        return found.system.name if isinstance(found.system, System) else None

    def get_domain(self, found: Found) -> str:
        return found.segment.domain or found.segment.document.domain


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
    quote = serializers.CharField(allow_blank=True, help_text="What was marked; empty for what is missing.")


class AnsweredSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="judgment.client_id")
    item = serializers.UUIDField(source="judgment.item.public_id")
    annotator = serializers.CharField(source="judgment.annotator.username")
    kind = serializers.ChoiceField(source="judgment.item.kind", choices=ItemKind.values)
    is_left_out = serializers.BooleanField(help_text="By a decision on its annotator, or because it came too many.")
    cannot_judge = serializers.CharField(source="judgment.cannot_judge", allow_blank=True)
    values = serializers.DictField(child=serializers.FloatField(), help_text="By measure, derived ones too.")
    errors = ErrorSerializer(many=True)  # type: ignore[assignment]
    post_edit = serializers.CharField(source="after", allow_null=True, help_text="Where the translation was corrected.")
    damaged = serializers.CharField(allow_null=True, help_text="What was shown in place of the translation.")
    beside = serializers.ListField(
        child=serializers.CharField(), help_text="Systems whose outputs stood on the same screen."
    )
    comment = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField(allow_null=True)
    submitted_at = serializers.DateTimeField(source="judgment.submitted_at")


class OutputSerializer(serializers.Serializer[Any]):
    """One text, of all systems that wrote it."""

    systems = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(source="translation.text", allow_null=True)
    spread = serializers.FloatField(allow_null=True)
    mean = serializers.FloatField(allow_null=True, help_text="Of the first measure.")
    metrics = serializers.DictField(child=serializers.FloatField())
    metric_gap = serializers.FloatField(allow_null=True)
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


class SheetSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="segment.pk")
    document = serializers.CharField(source="segment.document.name")
    segment = serializers.CharField(source="segment.name")
    domain = serializers.SerializerMethodField()
    tags = serializers.ListField(source="segment.tags", child=serializers.CharField())
    source = serializers.CharField(source="segment.source", allow_null=True)  # type: ignore[assignment]
    references = serializers.SerializerMethodField(help_text="Texts by name.")
    outputs = OutputSerializer(many=True)
    document_scores = DocumentScoreSerializer(many=True, help_text="Of the whole document, where it was asked about.")
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
