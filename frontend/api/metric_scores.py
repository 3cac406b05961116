"""Scores of a test set by metrics: computed here by a run, or imported from a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

import numpy as np

from exchange.formats.metric_scores import ScoreFile
from exchange.reading import ImportFileError
from exchange.score_files import import_scores
from frontend.access import get_imported_scores_of, get_own_test_set_for, get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read
from frontend.api.runs import RunSerializer, queued
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation
from frontend.filters import SegmentScoreFilter
from frontend.uploads import UploadError, store_upload
from jobs.actions import queue_run
from metrics.actions.imported_scores import forget_scores
from metrics.models import ImportedScores, ScoreLevel, SegmentScore
from metrics.scoring import INTERVAL_NOTES
from metrics.scoring.neural_states import STATES, NeuralMetric, can_do_without_reference, listed_metrics
from metrics.scoring.reading import MetricScores, read_metric_scores

TAG = "Test sets"
_ABOUT = ("interval", "interval_signature", "interval_note", "unavailable")


class SystemScoreSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    score = serializers.FloatField(
        allow_null=True, help_text="In the metric's own units; null where it is unavailable."
    )
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
        help_text="Why the interval is missing, or does not contain the score.",
    )
    unavailable = serializers.CharField(allow_null=True, help_text="Why a model could not score it, and what to do.")


class MetricSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    higher_is_better = serializers.BooleanField()
    is_imported = serializers.BooleanField(help_text="Computed elsewhere; else counted here.")
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField(allow_blank=True)
    systems = SystemScoreSerializer(many=True)


class NeuralMetricSerializer(serializers.Serializer[Any]):
    """A metric with a model; without a colon in its name it has none yet."""

    name = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=list(STATES))
    reason = serializers.CharField(allow_blank=True, help_text="Why it is not ready, and the command that helps.")
    licence = serializers.CharField(allow_blank=True, help_text="Of the model's weights.")
    needs_reference = serializers.BooleanField()


class MetricsSerializer(serializers.Serializer[Any]):
    results = MetricSerializer(many=True)
    neural = NeuralMetricSerializer(many=True)


class ScoringRequestSerializer(serializers.Serializer[Any]):
    """By default the usual metrics against all references. Neural ones are named with their model, `comet:NAME`."""

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
    @operation("metrics", MetricsSerializer)
    def get(self, _request: Request, slug: str) -> Any:
        """Scores of the systems by automatic metrics, computed here or imported."""
        test_set = get_test_set_for(self.account, slug)
        scores = read_metric_scores(test_set, with_segments=False)
        return {
            "neural": [_neural(one) for one in listed_metrics(test_set)],
            "results": [
                {**vars(metric), "signature": metric.signature, "systems": _scores(metric, scores.systems)}
                for metric in scores.metrics
            ],
        }

    @operation("score_test_set", {202: RunSerializer}, request=ScoringRequestSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Score a test set by automatic metrics; the run's result has intervals and comparisons."""
        test_set = get_test_set_for(self.account, slug)
        body = read(request, ScoringRequestSerializer)
        run = queue_run(kind="metric_scores", test_set=test_set, arguments=body, created_by=self.account)
        return queued(run, request)


def _scores(metric: MetricScores, systems: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for system, score, signature in zip(systems, metric.systems.tolist(), metric.signatures, strict=True):
        entry = metric.entries.get(system)
        about = {key: getattr(entry, key, None) for key in _ABOUT}
        if not np.isnan(score):
            yield {"system": system, "score": score, "signature": signature, **about}
        elif about["unavailable"]:
            yield {"system": system, "score": None, "signature": getattr(entry, "signature", ""), **about}


def _neural(one: NeuralMetric) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "state": one.state,
        "reason": one.reason,
        "licence": one.model.licence if one.model else "",
        "needs_reference": not can_do_without_reference(one.name),
    }


class SegmentScoreSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField(source="scores.metric")
    document = serializers.CharField(source="translation.segment.document.name")
    segment = serializers.CharField(source="translation.segment.name")
    system = serializers.CharField(source="translation.system.name")
    score = serializers.FloatField(source="value")


class ScoreFileSerializer(serializers.Serializer[Any]):
    """A `.seg.score` or `.sys.score` file, or a table, as docs/formats.md describes them."""

    file = serializers.FileField()
    metric = serializers.CharField(max_length=100, help_text="As it is to be called, such as COMET.")
    level = serializers.ChoiceField(
        choices=ScoreLevel.values, allow_null=True, default=None, help_text="Else as columns or the file's name say."
    )
    lower_is_better = serializers.BooleanField(default=False)
    skip_bad_rows = serializers.BooleanField(default=False)
    references = serializers.ListField(
        child=serializers.CharField(max_length=100),
        allow_null=True,
        default=None,
        help_text="Names of those the metric compared with; else as the file says.",
    )
    replace = serializers.BooleanField(default=False, help_text="In place of scores of this name and level.")


class StoredScoresSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField()
    level = serializers.ChoiceField(choices=ScoreLevel.values)
    higher_is_better = serializers.BooleanField()
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField()


class ScoreImportSerializer(StoredScoresSerializer):
    id = serializers.IntegerField()
    file_name = serializers.CharField()
    imported_by = serializers.CharField(source="imported_by.username", allow_null=True, default=None)
    imported_at = serializers.DateTimeField()


@listed(
    "imported_scores",
    "Imported scores of single translations",
    SegmentScore,
    SegmentScoreSerializer,
    SegmentScoreFilter,
)
class ImportedScoresView(ListView):
    parser_classes = [MultiPartParser]

    def rows(self, **place: Any) -> Any:
        test_set = get_test_set_for(self.account, place["slug"])
        own = SegmentScore.objects.filter(scores__test_set=test_set, scores__is_whole=True)
        return own.select_related("scores", "translation__segment__document", "translation__system")

    @operation(
        "import_scores",
        {201: StoredScoresSerializer, 200: StoredScoresSerializer},
        request={"multipart/form-data": ScoreFileSerializer},
        is_repeatable=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import a metric's scores that were computed elsewhere; the same file again changes nothing."""
        test_set = get_own_test_set_for(self.account, slug)
        body = read(request, ScoreFileSerializer)
        try:
            outcome = import_scores(
                _file(body),
                test_set=test_set,
                skip_bad_rows=body["skip_bad_rows"],
                replace=body["replace"],
                imported_by=self.account,
            )
        except (ImportFileError, UploadError) as error:
            raise InvalidPayload({"file": str(error).splitlines()}) from error
        code = status.HTTP_201_CREATED if outcome.created else status.HTTP_200_OK
        return Response(StoredScoresSerializer(outcome.scores).data, status=code)


@listed("score_imports", "Files of scores that were imported", ImportedScores, ScoreImportSerializer)
class ScoreImportsView(ListView):
    def rows(self, **place: Any) -> Any:
        test_set = get_test_set_for(self.account, place["slug"])
        return ImportedScores.objects.filter(test_set=test_set, is_whole=True).select_related("imported_by")


class ScoreImportView(ResourceView):
    @operation("forget_scores", nothing_left("They are gone."))
    def delete(self, _request: Request, slug: str, pk: int) -> None:
        """Delete imported scores."""
        test_set = get_own_test_set_for(self.account, slug)
        forget_scores(get_imported_scores_of(test_set.pk, pk), by=self.account)


def _file(body: Any) -> ScoreFile:
    """Stored for a week with other uploads, in case somebody wants to see what was sent."""
    _upload, (stored,) = store_upload([body["file"]])
    return ScoreFile(
        path=Path(stored["path"]),
        name=stored["name"],
        metric=body["metric"].strip(),
        level=body["level"],
        higher_is_better=not body["lower_is_better"],
        references=None if body["references"] is None else tuple(body["references"]),
    )
