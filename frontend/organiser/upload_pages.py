"""Files dropped on the new-campaign page: stored, read by a run, and their contents shown."""

import re
import shutil
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from exchange.formats.test_set_table import MOST_COLUMNS, role_of
from exchange.test_set_files import EMPTY_OUTPUTS, JUDGED_AS_EMPTY
from exchange.uploaded_files import FileSide, whole_file
from frontend.access import SignedInRequest
from frontend.campaign_pages import FORM, POST, signed_in
from frontend.uploads import (
    UploadError,
    forget_old_uploads,
    get_inspection,
    queue_inspection,
    store_upload,
    upload_folder,
)
from jobs.models import Run, RunStatus

SIDE_CHOICES = (
    ("whole", gettext_lazy("The whole test set")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("documents", gettext_lazy("Document of each line")),
    ("questions", gettext_lazy("Questions")),
    ("none", gettext_lazy("Ignore")),
)
MEANING_CHOICES = (
    ("document", gettext_lazy("Document")),
    ("segment", gettext_lazy("Segment")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("title", gettext_lazy("Title of the document")),
    ("domain", gettext_lazy("Domain")),
    ("tags", gettext_lazy("Tags")),
    ("none", gettext_lazy("Not used")),
)
OBJECT_CHOICES = (
    ("references", gettext_lazy("References by name")),
    ("translations", gettext_lazy("Translations by system")),
    ("suggested", gettext_lazy("Suggested errors")),
)
EMPTY_OUTPUT_CHOICES = tuple(
    zip(EMPTY_OUTPUTS, (gettext_lazy("Judge as empty"), gettext_lazy("Leave a gap")), strict=True)
)
_SIDE_FIELD = re.compile(r"side-(\d{1,4})")
_COLUMN_FIELD = re.compile(r"column-(\d{1,4})")


@signed_in(POST)
def uploads(request: SignedInRequest) -> HttpResponse:
    """Takes the files and has them read; the answer is the piece of page that waits for the findings."""
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    forget_old_uploads()
    try:
        upload, files = store_upload(request.FILES.getlist("files"))
    except UploadError as error:
        return render(request, "organiser/findings_error.html", {"error": str(error)}, status=422)
    return findings(request, queue_inspection(request.user, upload, files), request.POST)


@signed_in(FORM)
def upload_state(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    """The findings so far, with their frame if `whole`; a POST describes the files and has them read again."""
    run = get_inspection(request.user, upload)
    if request.method == "POST":
        sides, columns = _sides_in(request.POST), columns_in(request.POST) or None
        again = queue_inspection(request.user, upload, run.arguments["files"], sides, columns)
        return findings(request, again, request.POST)
    if "whole" in request.GET:
        return findings(request, run, request.GET)
    return render(request, "organiser/findings_body.html", findings_context(run, request.GET))


@signed_in(POST)
def remove_upload(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    get_inspection(request.user, upload)
    shutil.rmtree(upload_folder(upload), ignore_errors=True)
    return HttpResponse("", content_type="text/html")


def findings(request: SignedInRequest, run: Run, decided: Mapping[str, Any]) -> HttpResponse:
    return render(request, "organiser/findings.html", findings_context(run, decided))


def findings_context(run: Run, decided: Mapping[str, Any]) -> dict[str, Any]:
    """`decided` are the form's values: what was decided about bad rows and empty outputs outlives another reading."""
    files = run.arguments["files"]
    inspection = run.result if run.status == RunStatus.DONE else None
    empty = inspection.get("empty_outputs", {}) if inspection else {}
    return {
        "run": run,
        "upload": run.arguments["upload"],
        "files": files,
        "sides": files if len(files) > 1 else [],
        "side_choices": SIDE_CHOICES,
        "suggested_name": _name_from(files[0]["name"]),
        "error": run.error if run.status in (RunStatus.FAILED, RunStatus.CANCELLED) else "",
        "inspection": inspection,
        "meanings": MEANING_CHOICES + (OBJECT_CHOICES if inspection and inspection["format"] == "jsonl" else ()),
        "skip_bad_rows": bool(decided.get("skip_bad_rows")),
        "empty_outputs": decided.get("empty_outputs") or JUDGED_AS_EMPTY,
        "empty_count": sum(empty.values()),
        "empty_choices": EMPTY_OUTPUT_CHOICES,
    }


def _name_from(file: str) -> str:
    """A name for the campaign: `harbour-notices.en-de.csv` is about harbour notices."""
    words = re.sub(r"[-_\s]+", " ", file.partition(".")[0]).strip()
    return words[:1].upper() + words[1:]


def _sides_in(posted: Mapping[str, str]) -> dict[int, FileSide]:
    """The page's selects (`side-0`, `name-0`, …) by the file's number."""
    numbers = [match[1] for field in posted if (match := _SIDE_FIELD.fullmatch(field))]
    return {int(number): FileSide(posted[f"side-{number}"], posted.get(f"name-{number}", "")) for number in numbers}


def columns_in(posted: Mapping[str, str]) -> dict[str, str]:
    """The page's selects (`column-2`, `column-name-2`, …) by number, as an import takes them."""
    numbers = {match[1]: posted[field] for field in posted if (match := _COLUMN_FIELD.fullmatch(field))}
    return {
        f"#{number}": role_of(meaning, posted.get(f"column-name-{number}", ""))
        for number, meaning in sorted(numbers.items(), key=lambda each: int(each[0]))[:MOST_COLUMNS]
    }


def changed_since(
    files: Sequence[dict[str, Any]], shown: Sequence[Mapping[str, Any]], posted: Mapping[str, str]
) -> bool:
    """Whether the page describes the columns differently from the last reading."""
    read_as = {f"#{column['number']}": role_of(column["meaning"], column["name"]) for column in shown}
    chosen = columns_in(posted)
    return whole_file(files) is not None and any(read_as.get(key) not in (role, None) for key, role in chosen.items())
