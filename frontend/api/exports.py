"""A campaign's files, streamed; a campaign rebuilt from its archive; links to its results."""

from typing import Any

from django.http import Http404, HttpResponseBase
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from annotation.campaign_spec import NAME_LIMIT
from annotation.protocols import PROTOCOLS
from campaigns.actions.links import make_share_link, revoke_share_link
from campaigns.models import Account, Campaign, ShareLink
from campaigns.site_address import site_address
from exchange.export_formats import ExportRefusedError
from exchange.export_sizes import measured
from exchange.exported_judgments import ExportChoice
from exchange.exports import FORMATS, file_name
from frontend.access import get_share_link_in
from frontend.api.errors import InvalidPayload, messages_by_field
from frontend.api.requests import read, refuse_unknown
from frontend.api.runs import RunSerializer, queued
from frontend.api.uploads import stored_files
from frontend.api.views import (
    AsTheFileIs,
    ListView,
    OrganiserView,
    ReaderView,
    ResourceView,
    listed,
    nothing_left,
    operation,
)
from frontend.downloads import CODES, INCLUDED, LABELS, DownloadForm, archive_download, export_download
from jobs.actions import queue_run

TAG = "Exports"

# of all formats: a test compares them
MEDIA_TYPES = (
    "text/csv",
    "application/x-ndjson",
    "text/tab-separated-values",
    "application/json",
    "application/xml",
    "application/zip",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)

WHOSE = [
    OpenApiParameter(
        "names", OpenApiTypes.STR, enum=[CODES], description="Codes replace annotators, the same in each file."
    ),
    OpenApiParameter(
        "annotators",
        OpenApiTypes.STR,
        enum=[INCLUDED],
        description="Without the judgments of those who were left out of the results.",
    ),
    OpenApiParameter(
        "labels",
        OpenApiTypes.STR,
        enum=[LABELS],
        description="Tables of judgments have the labels of a crowd's link as columns; for organisers, not with codes.",
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
    rows = serializers.IntegerField(allow_null=True, help_text="null if counting would take as long as the file.")
    size = serializers.IntegerField(allow_null=True, help_text="In bytes.")
    is_exact = serializers.BooleanField(help_text="If not, estimated from some judgments.")
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="Why this campaign cannot be written in this format."
    )
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="What of this campaign has no equal in this format."
    )


class ArchiveSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=NAME_LIMIT, help_text="Of the campaign to be made.")
    archive = serializers.FileField()


class ExportsView(ReaderView):
    @operation("export_formats", FormatsSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """Available formats."""
        return {
            "results": [
                {**vars(format), "name": name, "file_name": file_name(campaign, name)}
                for name, format in FORMATS.items()
            ]
        }


class ExportView(ReaderView):
    content_negotiation_class = AsTheFileIs

    @operation("export", {(200, media_type): OpenApiTypes.BINARY for media_type in MEDIA_TYPES}, parameters=WHOSE)
    def get(self, request: Request, campaign: Campaign, format: str) -> HttpResponseBase:
        """One file, written while it is sent."""
        choice = _choice(request, campaign, self.account)
        try:
            return export_download(campaign, format, choice)
        except ExportRefusedError as refused:
            raise InvalidPayload({"format": refused.reasons}) from refused


class ExportSizeView(ReaderView):
    content_negotiation_class = AsTheFileIs  # `format` in the address does not choose another renderer

    @operation("export_size", SizeSerializer, parameters=WHOSE)
    def get(self, request: Request, campaign: Campaign, format: str) -> Any:
        """Size of a file, before it is downloaded."""
        if format not in FORMATS:
            raise Http404
        choice = _choice(request, campaign, self.account)
        measurement = measured(campaign, format, choice)
        size = vars(measurement) if measurement else {"rows": None, "size": None, "is_exact": False}
        refused = FORMATS[format].refusals(campaign)
        return {**size, "refused": refused, "notes": [] if refused else FORMATS[format].losses(campaign, choice)}


class ArchiveView(ReaderView):
    content_negotiation_class = AsTheFileIs

    @operation(
        "archive",
        {(200, "application/zip"): OpenApiTypes.BINARY},
        parameters=[
            OpenApiParameter(
                "names", OpenApiTypes.STR, enum=["yes"], description="Leaves annotators their names, not numbers."
            )
        ],
    )
    def get(self, request: Request, campaign: Campaign) -> HttpResponseBase:
        """The whole campaign as one file from which it can be rebuilt."""
        return archive_download(campaign, names=request.query_params.get("names"))


class RebuildView(ResourceView):
    parser_classes = [MultiPartParser]

    @operation(
        "rebuild_campaign", {202: RunSerializer}, request={"multipart/form-data": ArchiveSerializer}, tags=["Campaigns"]
    )
    def post(self, request: Request) -> Response:
        """Rebuild a campaign from its archive; the run's result names it."""
        account, body = self.creator, read(request, ArchiveSerializer)
        upload, files = stored_files([body["archive"]], "archive")
        arguments = {"upload": str(upload), "files": files, "name": body["name"]}
        return queued(queue_run(kind="rebuilding", arguments=arguments, created_by=account), request)


class CampaignFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=NAME_LIMIT, help_text="Of the campaign and test set to be made.")
    file = serializers.FileField(
        help_text="A campaign of Pearmut, batches of Appraise, or judgments; a ZIP file, where they are of several."
    )
    source_language = serializers.CharField(max_length=35, help_text="BCP 47, such as en or pt-BR.")
    target_language = serializers.CharField(max_length=35)
    campaign_id = serializers.CharField(default="", allow_blank=True, help_text="Which of several in the file.")
    protocol = serializers.ChoiceField(
        choices=[*PROTOCOLS], default="", allow_blank=True, help_text="Of judgments, instead of what the file names."
    )


class CampaignImportView(ResourceView):
    parser_classes = [MultiPartParser]

    @operation(
        "import_campaign",
        {202: RunSerializer},
        request={"multipart/form-data": CampaignFileSerializer},
        tags=["Campaigns"],
    )
    def post(self, request: Request) -> Response:
        """Make a campaign of a file of Pearmut or Appraise, or a closed one of judgments; the run's result names it."""
        account, body = self.creator, read(request, CampaignFileSerializer)
        upload, files = stored_files([body["file"]], "file", unpacks=True)
        about = {name: value for name, value in body.items() if name not in ("file", "protocol")}
        arguments = {"upload": str(upload), "files": files, "judged_as": body["protocol"], **about}
        return queued(queue_run(kind="campaign_import", arguments=arguments, created_by=account), request)


def _choice(request: Request, campaign: Campaign, account: Account) -> ExportChoice:
    """Unknown parameters are refused, so that a typing error cannot reveal a name."""
    refuse_unknown(request, DownloadForm.base_fields)
    form = DownloadForm(request.query_params)
    if not form.is_valid():
        raise InvalidPayload(messages_by_field(form.errors))
    try:
        return form.choice(campaign, account)
    except ExportRefusedError as refused:
        raise InvalidPayload({"labels": refused.reasons}) from refused


MOST_DAYS = 730


class ShareRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100, help_text="The person or purpose it is for.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=90)
    shows_texts = serializers.BooleanField(default=False)


class ShareSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    shows_texts = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewShareSerializer(ShareSerializer):
    link = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")


@listed("shares", "Links to the results", ShareLink, ShareSerializer, tags=["Results"])
class SharesView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.share_links.all()

    @operation("share_results", {201: NewShareSerializer}, request=ShareRequestSerializer, tags=["Results"])
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Make a link that shows the results, annotators as numbers."""
        share, secret = make_share_link(campaign=campaign, by=self.account, **read(request, ShareRequestSerializer))
        link = site_address(reverse("shared-results", kwargs={"secret": secret}))
        return Response({**ShareSerializer(share).data, "link": link}, status=status.HTTP_201_CREATED)


class ShareView(OrganiserView):
    @operation("revoke_share", nothing_left("It has ended."), tags=["Results"])
    def delete(self, _request: Request, campaign: Campaign, pk: int) -> None:
        """Revoke a link to the results."""
        revoke_share_link(link=get_share_link_in(campaign, pk), by=self.account)
