"""Files that are sent to be read: stored in a folder of their own until used, and the runs that read them."""

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _

from campaigns.media.errors import MediaError
from campaigns.models import Account
from exchange.packed_uploads import unpacked
from exchange.upload_folders import delete_upload, is_upload_there, share_upload, upload_folder
from exchange.uploaded_files import FileSide, with_columns, with_genmt, with_sides
from jobs.actions import queue_run
from jobs.models import Run


class UploadError(Exception):
    """A sentence for the organiser about an error in the dropped files."""


def store_upload(
    files: "Sequence[UploadedFile[Any]]", *, unpacks: bool = False, shares: bool = True, paths: Sequence[str] = ()
) -> tuple[uuid.UUID, list[dict[str, Any]]]:
    """Writes the files under a random name and returns it with what was stored: name, path and size of each.

    `paths` say where the files of a folder lie in it, which is stored as `inner`. With `unpacks` the files within ZIP
    files are stored as if they had been sent themselves. With `shares` other machines can read them.
    """
    if not files:
        raise UploadError(_("No file arrived. Choose at least one."))
    size = sum(file.size or 0 for file in files)
    if size > settings.UPLOAD_MEGABYTES * 1_000_000:
        raise UploadError(
            _("%(size)d MB are more than the %(limit)d MB this installation takes. Import them on the command line.")
            % {"size": size // 1_000_000, "limit": settings.UPLOAD_MEGABYTES}
        )
    upload = uuid.uuid4()
    folder = upload_folder(upload)
    folder.mkdir(parents=True)
    stored = []
    for index, file in enumerate(files):
        path = folder / f"{index}-{_safe_name(file)}"
        with path.open("wb") as target:
            for chunk in file.chunks():
                target.write(chunk)
        stored.append({"name": file.name or path.name, "path": str(path), "size": file.size or 0})
    if len(paths) == len(stored):
        stored = [{**file, "inner": inner} if "/" in inner else file for file, inner in zip(stored, paths, strict=True)]
    if unpacks:
        try:
            stored = unpacked(stored, folder)
        except MediaError as error:
            delete_upload(upload)
            raise UploadError("\n".join(error.problems.sentences())) from error
    if shares:
        share_upload(upload)
    return upload, stored


def find_inspection(account: Account, upload: uuid.UUID | None) -> Run | None:
    """The newest reading of the files; None for another's upload, and for one that was removed or forgotten."""
    if not upload or not is_upload_there(upload):
        return None
    return Run.objects.filter(kind="inspection", created_by=account, arguments__upload=str(upload)).first()


def stored_files_of(account: Account, uploads: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The files of uploads that are still there, by upload, as their newest reading has them; one query."""
    runs = Run.objects.filter(kind="inspection", created_by=account, arguments__upload__in=list(uploads))
    files = {run.arguments["upload"]: run.arguments["files"] for run in runs.order_by("pk")}
    return {upload: own for upload, own in files.items() if is_upload_there(upload)}


def inspection_result(account: Account, upload: uuid.UUID | None) -> dict[str, Any] | None:
    """The contents of the files; None until they are read."""
    run = find_inspection(account, upload)
    return run.result if run else None


def get_inspection(account: Account, upload: uuid.UUID) -> Run:
    run = find_inspection(account, upload)
    if run is None:
        raise Http404
    return run


def queue_inspection(
    account: Account,
    upload: uuid.UUID,
    files: list[dict[str, Any]],
    sides: Mapping[int, FileSide] | None = None,
    columns: Mapping[str, str] | None = None,
    genmt: Mapping[str, Any] | None = None,
    confirmed: Sequence[str] = (),
) -> Run:
    """Has stored files read, as described in the arguments; without them, as before or by their names."""
    if len(files) > 1:
        files = with_sides(files, sides or {})
    if columns is not None:
        files = with_columns(files, columns)
    if genmt:
        files = with_genmt(files, genmt)
    arguments = {"upload": str(upload), "files": files, "confirmed": list(confirmed)}
    return queue_run(kind="inspection", arguments=arguments, created_by=account)


def _safe_name(file: "UploadedFile[Any]") -> str:
    try:
        return get_valid_filename(Path(file.name or "file").name)[-100:]
    except ValueError:
        return "file"
