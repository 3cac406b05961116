"""A campaign's files, written while they are sent; and a campaign rebuilt from its archive, by a run."""

from typing import Any

from django.http import Http404, HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from annotation.campaign_spec import NAME_LIMIT
from campaigns.models import Campaign
from exchange.export_choice import ExportChoice
from exchange.exports import FORMATS, file_name, measured
from frontend.access import READS_RESULTS, get_campaign_for
from frontend.api.errors import InvalidPayload
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read, refuse_unknown
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued
from frontend.downloads import CODES, INCLUDED, DownloadForm, archive_download, export_download
from frontend.uploads import UploadError, forget_old_uploads, store_upload
from jobs.actions import queue_run

MEDIA_TYPES = ("text/csv", "application/x-ndjson", "text/tab-separated-values")  # of all formats: a test compares

WHOSE = [
    OpenApiParameter(
        "names", OpenApiTypes.STR, enum=[CODES], description="Codes stand for annotators, the same in each file."
    ),
    OpenApiParameter(
        "annotators",
        OpenApiTypes.STR,
        enum=[INCLUDED],
        description="Without the judgments of those who were left out of the results.",
    ),
]


class FormatSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    file_name = serializers.CharField()
    content_type = serializers.CharField()


class FormatsSerializer(serializers.Serializer[Any]):
    results = FormatSerializer(many=True)


class SizeSerializer(serializers.Serializer[Any]):
    rows = serializers.IntegerField(allow_null=True, help_text="null where counting would take as long as the file.")
    size = serializers.IntegerField(allow_null=True, help_text="In bytes.")
    is_exact = serializers.BooleanField(help_text="Estimated from some judgments where it is not.")


class ArchiveSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=NAME_LIMIT, help_text="Of the campaign to be made.")
    archive = serializers.FileField()


class AsTheFileIs(BaseContentNegotiation):
    """The address says which format it is, whatever a program accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:  # noqa: ARG002 - DRF fixes the signature
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type


class ExportsView(ResourceView):
    tag = "Exports"

    @extend_schema(operation_id="export_formats", summary="Formats there are", responses=FormatsSerializer)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        formats = [
            {
                "name": name,
                "title": made.title,
                "description": made.description,
                "file_name": file_name(campaign, name),
                "content_type": made.content_type,
            }
            for name, made in FORMATS.items()
        ]
        return Response(FormatsSerializer({"results": formats}).data)


class ExportView(ResourceView):
    tag = "Exports"
    content_negotiation_class = AsTheFileIs

    @extend_schema(
        operation_id="export",
        summary="One file, as long as it takes",
        parameters=WHOSE,
        responses={(200, media_type): OpenApiTypes.BINARY for media_type in MEDIA_TYPES},
    )
    def get(self, request: Request, slug: str, format: str) -> HttpResponseBase:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        return export_download(campaign, format, _choice(request, campaign))


class ExportSizeView(ResourceView):
    tag = "Exports"
    content_negotiation_class = AsTheFileIs  # the part of the address does not ask for another renderer

    @extend_schema(
        operation_id="export_size",
        summary="How much is in a file, before it is fetched",
        parameters=WHOSE,
        responses=SizeSerializer,
    )
    def get(self, request: Request, slug: str, format: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        if format not in FORMATS:
            raise Http404
        found = measured(campaign, format, _choice(request, campaign))
        unknown = {"rows": None, "size": None, "is_exact": False}
        return Response(SizeSerializer(found or unknown).data)


class ArchiveView(ResourceView):
    tag = "Exports"
    content_negotiation_class = AsTheFileIs

    @extend_schema(
        operation_id="archive",
        summary="The whole campaign as one file from which it can be rebuilt",
        parameters=[
            OpenApiParameter(
                "names", OpenApiTypes.STR, enum=["yes"], description="Leaves annotators their names, not numbers."
            )
        ],
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        return archive_download(campaign, names=request.query_params.get("names"))


class RebuildView(ResourceView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="rebuild_campaign",
        summary="Have a campaign rebuilt from its archive: the run's result names it",
        request={"multipart/form-data": ArchiveSerializer},
        responses={202: RunSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        body = read(request, ArchiveSerializer)
        forget_old_uploads()
        try:
            upload, files = store_upload([body["archive"]])
        except UploadError as error:
            raise InvalidPayload({"archive": [str(error)]}) from error
        arguments = {"upload": str(upload), "files": files, "name": body["name"]}
        return queued(queue_run(kind="rebuilding", arguments=arguments, created_by=self.account), request)


def _choice(request: Request, campaign: Campaign) -> ExportChoice:
    """Unknown parameters are refused: a name must not slip out by a typing error."""
    refuse_unknown(request, DownloadForm.base_fields)
    form = DownloadForm(request.query_params)
    if not form.is_valid():
        raise InvalidPayload({name: [str(each) for each in errors] for name, errors in form.errors.items()})
    return form.choice(campaign)
