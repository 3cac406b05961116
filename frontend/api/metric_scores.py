"""Automatic metrics of a test set: their scores of systems, and the run that counts more."""

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import numpy as np
from drf_spectacular.utils import OpenApiExample, extend_schema

from frontend.access import get_test_set_for
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued
from jobs.actions import queue_run
from metrics.scoring import INTERVAL_NOTES
from metrics.scoring.reading import MetricScores, read_metric_scores


class SystemScoreSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    score = serializers.FloatField(help_text="In the metric's own units.")
    signature = serializers.CharField(allow_blank=True)
    interval = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="The ends of the 95 % interval, of scores counted here.",
    )
    interval_signature = serializers.CharField(allow_null=True, help_text="Everything that can change the interval.")
    interval_note = serializers.ChoiceField(
        choices=list(INTERVAL_NOTES),
        allow_null=True,
        help_text="Why there is no interval, or that it misses the score.",
    )


class MetricSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    higher_is_better = serializers.BooleanField()
    is_imported = serializers.BooleanField(help_text="Computed elsewhere; else counted here.")
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField(allow_blank=True)
    systems = SystemScoreSerializer(many=True)


class MetricsSerializer(serializers.Serializer[Any]):
    results = MetricSerializer(many=True)


class ScoringWishSerializer(serializers.Serializer[Any]):
    """Nothing named: the usual metrics against all references."""

    metrics = serializers.ListField(
        child=serializers.CharField(max_length=100), allow_null=True, default=None, max_length=100
    )
    references = serializers.ListField(
        child=serializers.CharField(max_length=100), allow_null=True, default=None, max_length=100
    )
    by = serializers.ChoiceField(choices=["document", "domain", "tag"], allow_null=True, default=None)
    tokenizer = serializers.CharField(
        max_length=100,
        allow_null=True,
        default=None,
        help_text="BLEU's, such as ja-mecab; else the usual one of the target language.",
    )


class MetricsView(ResourceView):
    tag = "Test sets"

    @extend_schema(
        operation_id="metrics",
        summary="What metrics say of the systems, counted here or computed elsewhere",
        responses=MetricsSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        found = read_metric_scores(get_test_set_for(self.account, slug), with_segments=False)
        results = [_shown(metric, found.systems) for metric in found.metrics]
        return Response(MetricsSerializer({"results": results}).data)

    @extend_schema(
        operation_id="score_test_set",
        summary="Have a test set scored by metrics; intervals and comparisons are the run's result",
        request=ScoringWishSerializer,
        responses={202: RunSerializer},
        examples=[OpenApiExample("Two metrics", {"metrics": ["chrf", "bleu"]}, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        test_set = get_test_set_for(self.account, slug)
        body = read(request, ScoringWishSerializer)
        run = queue_run(kind="metric_scores", test_set=test_set, arguments=body, created_by=self.account)
        return queued(run, request)


def _shown(metric: MetricScores, systems: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        "higher_is_better": metric.higher_is_better,
        "is_imported": metric.is_imported,
        "references": metric.references,
        "signature": metric.signature,
        "systems": list(_scores(metric, systems)),
    }


def _scores(metric: MetricScores, systems: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for system, score, signature in zip(systems, metric.systems.tolist(), metric.signatures, strict=True):
        if not np.isnan(score):
            entry = metric.entries.get(system, {})
            about = {key: entry.get(key) for key in ("interval", "interval_signature", "interval_note")}
            yield {"system": system, "score": score, "signature": signature, **about}
