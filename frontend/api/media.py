"""Pictures, audio and video beside texts, sent and fetched by programs."""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from campaigns.media.errors import MediaError
from campaigns.models import Campaign
from frontend.access import get_medium_of, get_own_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.views import AsTheFileIs, ReaderView, ResourceView, operation
from frontend.media_files import captions_response, medium_response
from frontend.sent_media import add_uploaded_media
from frontend.uploads import UploadError

TAG = "Test sets"
MOST_FILES = 1_000


class MediaFilesSerializer(serializers.Serializer[Any]):
    """Files named like documents and segments, a ZIP file of a folder, or files with a table media.csv."""

    files = serializers.ListField(child=serializers.FileField(), max_length=MOST_FILES)


class AddedMediaSerializer(serializers.Serializer[Any]):
    added = serializers.IntegerField(source="added.added")
    replaced = serializers.IntegerField(source="added.replaced")
    unchanged = serializers.IntegerField(source="added.unchanged")
    unused = serializers.ListField(child=serializers.CharField(), help_text="Files that belong to no text.")
    unequal = serializers.ListField(
        child=serializers.CharField(),
        help_text="Documents without one picture for each segment, so none is used.",
    )
    documents_without = serializers.ListField(
        child=serializers.CharField(), source="without", help_text="Documents without a medium among these files."
    )


class MediaView(ResourceView):
    parser_classes = [MultiPartParser]

    @operation("add_media", {201: AddedMediaSerializer}, request={"multipart/form-data": MediaFilesSerializer})
    def post(self, request: Request, slug: str) -> Any:
        """Put pictures, audio and video beside the texts of a test set; all of them or none."""
        test_set = get_own_test_set_for(self.account, slug)
        try:
            return add_uploaded_media(test_set, request.FILES.getlist("files"), self.account)
        except UploadError as error:
            raise InvalidPayload({"files": [str(error)]}) from error
        except MediaError as error:
            raise InvalidPayload({"files": list(error.problems.sentences())}) from error


class MediumView(ReaderView):
    content_negotiation_class = AsTheFileIs

    @operation(
        "campaign_medium",
        {(200, "application/octet-stream"): OpenApiTypes.BINARY},
        parameters=[
            OpenApiParameter(
                "Range", OpenApiTypes.STR, OpenApiParameter.HEADER, description="A part, such as bytes=0-1023."
            )
        ],
    )
    def get(self, request: Request, campaign: Campaign, file_hash: str) -> HttpResponseBase:
        """A picture, sound or video beside the texts of a campaign.

        Its content type says what it is. One range is answered with 206, one beyond its end with 416.
        """
        return medium_response(request._request, get_medium_of(campaign, file_hash))  # noqa: SLF001 - what Django got


class CaptionsView(ReaderView):
    content_negotiation_class = AsTheFileIs

    @operation("campaign_captions", {(200, "text/vtt"): OpenApiTypes.STR})
    def get(self, _request: Request, campaign: Campaign, file_hash: str) -> HttpResponseBase:
        """The captions of a sound or video, as WebVTT; 404 where it has none (`has_captions`)."""
        return captions_response(get_medium_of(campaign, file_hash))
