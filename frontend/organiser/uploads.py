"""Files an organiser drops: kept in a folder of their own until the test set is made from them."""

import shutil
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _

KEPT_SECONDS = 7 * 24 * 3600


class UploadError(Exception):
    """A sentence for the organiser: what is wrong with what was dropped."""


def store_upload(files: "Sequence[UploadedFile[Any]]") -> tuple[uuid.UUID, list[dict[str, Any]]]:
    """Writes the files under a random name and returns it with what was stored: name, path and size of each."""
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
    return upload, stored


def upload_folder(upload: uuid.UUID) -> Path:
    return Path(settings.UPLOAD_DIR) / "incoming" / str(upload)


def forget_old_uploads() -> None:
    """Removes what nobody used for a week."""
    incoming = Path(settings.UPLOAD_DIR) / "incoming"
    if not incoming.is_dir():
        return
    for folder in incoming.iterdir():
        if folder.stat().st_mtime < time.time() - KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _safe_name(file: "UploadedFile[Any]") -> str:
    try:
        return get_valid_filename(Path(file.name or "file").name)[-100:]
    except ValueError:
        return "file"
