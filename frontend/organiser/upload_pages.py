"""Files dropped on the new-campaign page: stored, read by a run, and what was found shown back."""

import shutil
import uuid
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from frontend.access import SignedInRequest
from frontend.organiser.file_columns import columns_in, meaning_choices
from frontend.organiser.inspections import inspection_of, queue_inspection
from frontend.organiser.uploads import UploadError, forget_old_uploads, store_upload, upload_folder
from jobs.models import Run, RunStatus

SIDE_CHOICES = (
    ("whole", gettext_lazy("The whole test set")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("documents", gettext_lazy("Document of each line")),
    ("questions", gettext_lazy("Questions")),
    ("none", gettext_lazy("Leave out")),
)


@login_required
@require_POST
def uploads(request: SignedInRequest) -> HttpResponse:
    """Takes the files and has them read; the answer is the piece of page that waits for the findings."""
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    forget_old_uploads()
    try:
        upload, files = store_upload(request.FILES.getlist("files"))
    except UploadError as error:
        return render(request, "organiser/findings_error.html", {"error": str(error)}, status=422)
    return findings(request, queue_inspection(request.user, upload, files, {}))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def upload_state(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    """What was found so far, with `whole` its frame too; a POST says what each file is, and has them read again."""
    run = inspection_of(request.user, upload)
    if request.method == "POST":
        columns = columns_in(request.POST) or None
        return findings(request, queue_inspection(request.user, upload, run.arguments["files"], request.POST, columns))
    if "whole" in request.GET:
        return findings(request, run, skip_bad_rows="skip_bad_rows" in request.GET)
    return render(request, "organiser/findings_body.html", findings_context(run))


@login_required
@require_POST
def remove_upload(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    inspection_of(request.user, upload)
    shutil.rmtree(upload_folder(upload), ignore_errors=True)
    return HttpResponse("", content_type="text/html")


def findings(request: SignedInRequest, run: Run, *, skip_bad_rows: bool = False) -> HttpResponse:
    return render(request, "organiser/findings.html", findings_context(run, skip_bad_rows=skip_bad_rows))


def findings_context(run: Run, *, skip_bad_rows: bool = False) -> dict[str, Any]:
    files = run.arguments["files"]
    inspection = run.result if run.status == RunStatus.DONE else None
    return {
        "run": run,
        "upload": run.arguments["upload"],
        "files": files,
        "sides": files if len(files) > 1 else [],
        "side_choices": SIDE_CHOICES,
        "error": run.error if run.status in (RunStatus.FAILED, RunStatus.CANCELLED) else "",
        "inspection": inspection,
        "meanings": meaning_choices(inspection["format"]) if inspection else (),
        "skip_bad_rows": skip_bad_rows,
    }
