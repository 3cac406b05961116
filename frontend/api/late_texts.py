"""Systems and documents that are added to a running campaign."""

from pathlib import Path
from typing import Any

from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.late_additions import additions_of
from campaigns.models import Campaign
from exchange.formats.parallel_text import ImportFiles
from exchange.late_texts import add_late_texts, check_late_texts
from exchange.reading import ImportFileError
from exchange.test_set_files import EMPTY_OUTPUTS, JUDGED_AS_EMPTY
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read
from frontend.api.views import OrganiserView, operation
from frontend.uploads import UploadError, store_upload

TAG = "Work"


class LateAdditionSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    systems = serializers.ListField(child=serializers.CharField())
    documents = serializers.ListField(child=serializers.CharField())


class LateAdditionsSerializer(serializers.Serializer[Any]):
    results = LateAdditionSerializer(many=True)


class LateFileSerializer(serializers.Serializer[Any]):
    """A test set in a table, JSON lines or XML, as docs/formats.md describes them."""

    file = serializers.FileField()
    questions = serializers.FileField(
        allow_null=True, default=None, help_text="Comprehension questions on further documents."
    )
    systems = serializers.ListField(
        child=serializers.CharField(max_length=150),
        allow_null=True,
        default=None,
        help_text="Systems of the file to add; by default those that the test set does not have.",
    )
    empty_outputs = serializers.ChoiceField(choices=list(EMPTY_OUTPUTS), default=JUDGED_AS_EMPTY)
    dry_run = serializers.BooleanField(default=False, help_text="Check the file and store nothing.")


class LateTextsSerializer(serializers.Serializer[Any]):
    """`given` tasks are for annotators who know the texts; the other ones wait. Nothing is planned by a dry run."""

    systems = serializers.ListField(child=serializers.CharField())
    documents = serializers.ListField(child=serializers.CharField())
    tasks = serializers.IntegerField(allow_null=True)
    given = serializers.IntegerField(allow_null=True)
    judgments = serializers.IntegerField(allow_null=True)


class LateTextsView(OrganiserView):
    parser_classes = [MultiPartParser]

    @operation("late_additions", LateAdditionsSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """Systems and documents that were added while the campaign ran."""
        return {"results": additions_of(campaign)}

    @operation(
        "add_late_texts",
        {201: LateTextsSerializer, 200: LateTextsSerializer},
        request={"multipart/form-data": LateFileSerializer},
    )
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Add further systems or documents, and plan their judgments.

        What the test set has already is compared, not stored again; the same file a second time is refused. A dry run
        (200) lists every problem of the file, or what it would add.
        """
        body = read(request, LateFileSerializer)
        try:
            _upload, stored = store_upload([body[name] for name in ("file", "questions") if body[name]])
            paths = [Path(each["path"]) for each in stored]
            files = ImportFiles(
                path=paths[0],
                questions=paths[1] if body["questions"] else None,
                names={path: each["name"] for path, each in zip(paths, stored, strict=True)},
            )
            wanted = {"systems": body["systems"], "empty_outputs": body["empty_outputs"]}
            if body["dry_run"]:
                checked = check_late_texts(files, campaign, **wanted)
                if checked.problems.count:
                    raise ImportFileError(problems=checked.problems)
                about = {"systems": checked.chosen, "documents": checked.documents}
                return _answer(about | {"tasks": None, "given": None, "judgments": None}, 200)
            added = add_late_texts(files, campaign, **wanted, by=self.account)
        except (ImportFileError, UploadError) as error:
            raise InvalidPayload({"file": str(error).splitlines()}) from error
        counts = {"tasks": added.tasks, "given": added.given, "judgments": added.judgments}
        return _answer({"systems": added.addition.systems, "documents": added.addition.documents, **counts}, 201)


def _answer(about: dict[str, Any], code: int) -> Response:
    return Response(LateTextsSerializer(about).data, status=code)
