"""Files of a test set: uploaded, read by a run, and the report on them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from drf_spectacular.utils import extend_schema_field

from campaigns.languages import language_problem
from campaigns.models import Account
from exchange.formats.genmt_mending import Mended, doubled_sentences
from exchange.formats.genmt_segments import AUTO, SPLITS
from exchange.formats.test_set_lines import OBJECTS
from exchange.formats.test_set_table import MEANINGS, MOST_COLUMNS, role_of
from exchange.reading import NAME_LIMIT, SHORT_LIMIT
from exchange.test_set_files import EMPTY_OUTPUTS, JUDGED_AS_EMPTY
from exchange.upload_folders import delete_upload, forget_old_folders
from exchange.uploaded_files import SIDES, FileSide
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read
from frontend.api.views import ResourceView, nothing_left, operation
from frontend.uploads import (
    UploadError,
    find_inspection,
    get_inspection,
    queue_inspection,
    store_upload,
)
from jobs.models import Run, RunStatus

TAG = "Test sets"

MOST_FILES = 200
LONGEST_LANGUAGE = 35


class UploadedTextsSerializer(serializers.Serializer[Any]):
    """The languages of an upload's files."""

    source_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    target_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    skip_bad_rows = serializers.BooleanField(default=False)
    empty_outputs = serializers.ChoiceField(
        choices=EMPTY_OUTPUTS,
        default=JUDGED_AS_EMPTY,
        help_text="Empty translations: judged as empty, or gaps of their systems alone.",
    )
    confirm_realigned = serializers.BooleanField(
        default=False,
        help_text="Somebody looked at the documents whose paragraphs were merged or split; otherwise they are refused.",
    )


def uploaded_texts(values: Mapping[str, Any], account: Account, errors: dict[str, list[str]]) -> dict[str, Any]:
    """An upload's files, as a run takes them; errors are added to `errors`."""
    upload = values.get("upload")
    run = find_inspection(account, upload)
    if run is None:
        errors.setdefault("upload", [_("Upload the files of a test set first, and name the upload.")])
    for field in ("source_language", "target_language"):
        if field not in errors and (problem := language_problem(values.get(field, ""))):
            errors[field] = [problem]
    return {"upload": str(upload or ""), "files": run.arguments["files"] if run else []}


def stored_files(files: list[Any], field: str, *, unpacks: bool = False) -> tuple[UUID, list[dict[str, Any]]]:
    """Stores uploaded files; an error is reported for `field`."""
    forget_old_folders()
    try:
        return store_upload(files, unpacks=unpacks)
    except UploadError as error:
        raise InvalidPayload({field: [str(error)]}) from error


class FilesSerializer(serializers.Serializer[Any]):
    """One file with everything, or several sides of a parallel text, such as source.en.txt and Heron.de.txt."""

    files = serializers.ListField(child=serializers.FileField(), max_length=MOST_FILES)


class SideSerializer(serializers.Serializer[Any]):
    side = serializers.ChoiceField(choices=[*SIDES, "none"])
    name = serializers.CharField(default="", allow_blank=True, max_length=150)


class ColumnSerializer(serializers.Serializer[Any]):
    column = serializers.CharField(max_length=1000, help_text="Its title, or its number as #2.")
    meaning = serializers.ChoiceField(choices=[*MEANINGS, *OBJECTS])
    name = serializers.CharField(
        default="", allow_blank=True, max_length=SHORT_LIMIT, help_text="Of a reference or a system."
    )


class MendedSerializer(serializers.Serializer[Any]):
    """A document of a system, or of a reference, divided by hand: the words of its text in their order."""

    system = serializers.CharField(max_length=SHORT_LIMIT)
    document = serializers.CharField(max_length=NAME_LIMIT)
    parts = serializers.ListField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), help_text="One for each segment."
    )


class GenmtSerializer(serializers.Serializer[Any]):
    """Of a file of WMT's general task; an empty field is chosen by the languages and the file."""

    pair = serializers.CharField(default="", allow_blank=True, max_length=80, help_text="Such as eng_Latn-deu_Latn.")
    set = serializers.CharField(default="", allow_blank=True, max_length=100, help_text="Such as WMT26.")
    split = serializers.ChoiceField(choices=SPLITS, default=AUTO, help_text="How documents become segments.")
    mended = MendedSerializer(
        many=True,
        required=False,
        help_text="Documents whose parts were mended by hand, which confirms them; replaces an earlier list.",
    )

    def validate_mended(self, mended: list[dict[str, Any]]) -> list[dict[str, Any]]:
        listed = [Mended(each["system"], each["document"], tuple(each["parts"])) for each in mended]
        if wrong := list(doubled_sentences(listed)):
            raise serializers.ValidationError(wrong)
        return [each.as_json() for each in listed]


class SidesSerializer(serializers.Serializer[Any]):
    """The side of each of several files, and the meanings of a table's columns or of the keys of JSON lines.

    Missing fields stay as they were or as guessed; `columns` replaces all earlier meanings.
    """

    sides = serializers.ListField(
        child=SideSerializer(),
        required=False,
        max_length=MOST_FILES,
        help_text="In the order of the files; none leaves one out.",
    )
    columns = serializers.ListField(
        child=ColumnSerializer(), required=False, max_length=MOST_COLUMNS, help_text="Those not named are guessed."
    )
    genmt = GenmtSerializer(required=False, help_text="The language pair, and set, of files that have several.")


class StoredFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    size = serializers.IntegerField()
    side = serializers.CharField(required=False)
    side_name = serializers.CharField(required=False, allow_blank=True)
    columns = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="The chosen meanings of its columns."
    )
    genmt = GenmtSerializer(required=False, help_text="The chosen pair, set and split, and what was mended.")


class UploadSerializer(serializers.Serializer[Any]):
    upload = serializers.UUIDField(source="arguments.upload")
    files = StoredFileSerializer(source="arguments.files", many=True)
    status = serializers.ChoiceField(choices=RunStatus.values)
    error = serializers.CharField()
    found = serializers.SerializerMethodField(
        help_text="What the files contain and what is wrong with them, once read."
    )

    @extend_schema_field({"type": "object", "additionalProperties": {}, "nullable": True})
    def get_found(self, run: Run) -> dict[str, Any] | None:
        return run.result


class UploadsView(ResourceView):
    parser_classes = [MultiPartParser]

    @operation("upload", {201: UploadSerializer}, request={"multipart/form-data": FilesSerializer})
    def post(self, request: Request) -> Any:
        """Upload the files of a test set; a run reads them."""
        return queue_inspection(self.creator, *stored_files(request.FILES.getlist("files"), "files", unpacks=True))


class UploadView(ResourceView):
    @operation("upload_state", UploadSerializer)
    def get(self, _request: Request, upload: UUID) -> Any:
        """What the files contain, and what is wrong with them."""
        return get_inspection(self.account, upload)

    @operation("set_sides", UploadSerializer, request=SidesSerializer)
    def put(self, request: Request, upload: UUID) -> Any:
        """Set the roles of files and columns, and read them again."""
        run = get_inspection(self.account, upload)
        body = read(request, SidesSerializer)
        sides = {index: FileSide(each["side"], each["name"]) for index, each in enumerate(body.get("sides", []))}
        columns = None
        if "columns" in body:
            columns = {each["column"]: role_of(each["meaning"], each["name"]) for each in body["columns"]}
        genmt = body.get("genmt")
        if genmt and "mended" in genmt:
            genmt = {**genmt, "drops_unfit": False}
        return queue_inspection(self.account, upload, run.arguments["files"], sides, columns, genmt)

    @operation("remove_upload", nothing_left("They are gone."))
    def delete(self, _request: Request, upload: UUID) -> None:
        """Remove the files."""
        get_inspection(self.account, upload)
        delete_upload(upload)
