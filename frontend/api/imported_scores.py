"""Scores of single translations that a metric from elsewhere gave: brought as a file, read in pieces."""

from pathlib import Path
from typing import Any

from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiResponse, extend_schema

from exchange.formats.metric_scores import ScoreFile
from exchange.score_files import ScoreFileError, import_scores
from frontend.access import get_imported_scores_of, get_own_test_set_for, get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView
from frontend.filters import SegmentScoreFilter
from frontend.uploads import UploadError, store_upload
from metrics.actions import forget_scores
from metrics.models import ImportedScores, ScoreLevel, SegmentScore


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


class ImportedScoresView(ListView):
    tag = "Test sets"
    queryset = SegmentScore.objects.none()
    serializer_class = SegmentScoreSerializer
    filterset_class = SegmentScoreFilter
    parser_classes = [MultiPartParser]

    def rows(self, **place: Any) -> Any:
        test_set = get_test_set_for(self.account, place["slug"])
        own = SegmentScore.objects.filter(scores__test_set=test_set, scores__is_whole=True)
        return own.select_related("scores", "translation__segment__document", "translation__system")

    @extend_schema(
        operation_id="imported_scores",
        summary="Imported scores of single translations",
        responses=SegmentScoreSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)

    @extend_schema(
        operation_id="import_scores",
        summary="Bring the scores of a metric computed elsewhere; the same file again changes nothing",
        request={"multipart/form-data": ScoreFileSerializer},
        responses={201: StoredScoresSerializer, 200: StoredScoresSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
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
        except (ScoreFileError, UploadError) as error:
            raise InvalidPayload({"file": str(error).splitlines()}) from error
        code = status.HTTP_201_CREATED if outcome.created else status.HTTP_200_OK
        return Response(StoredScoresSerializer(outcome.scores).data, status=code)


class ScoreImportsView(ListView):
    tag = "Test sets"
    queryset = ImportedScores.objects.none()
    serializer_class = ScoreImportSerializer

    def rows(self, **place: Any) -> Any:
        test_set = get_test_set_for(self.account, place["slug"])
        return ImportedScores.objects.filter(test_set=test_set, is_whole=True).select_related("imported_by")

    @extend_schema(
        operation_id="score_imports",
        summary="Files of scores that were imported",
        responses=ScoreImportSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)


class ScoreImportView(ResourceView):
    tag = "Test sets"

    @extend_schema(
        operation_id="forget_scores",
        summary="Take imported scores away again",
        responses={204: OpenApiResponse(description="They are gone.")},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        test_set = get_own_test_set_for(self.account, slug)
        forget_scores(get_imported_scores_of(test_set.pk, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _file(body: Any) -> ScoreFile:
    """Kept for a week with other uploads, should somebody ask what was sent."""
    _upload, (stored,) = store_upload([body["file"]])
    return ScoreFile(
        path=Path(stored["path"]),
        name=stored["name"],
        metric=body["metric"].strip(),
        level=body["level"],
        higher_is_better=not body["lower_is_better"],
        references=None if body["references"] is None else tuple(body["references"]),
    )
