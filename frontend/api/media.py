"""Pictures, audio and video beside the texts of a test set, sent by a program."""

from typing import Any

from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from campaigns.media.errors import MediaError
from frontend.access import get_own_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.views import ResourceView, operation
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
