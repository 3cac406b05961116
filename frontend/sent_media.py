"""Pictures, audio and video that are sent for a test set, on a page or by a program."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from campaigns.actions.media_folders import FolderOutcome, SentFile, add_sent_media
from campaigns.models import Account, TestSet
from exchange.upload_folders import delete_upload
from frontend.uploads import store_upload


def add_uploaded_media(
    test_set: TestSet, files: "Sequence[UploadedFile[Any]]", by: Account, *, paths: Sequence[str] = ()
) -> FolderOutcome:
    """`paths` say where the files of a folder lie in it. Raises UploadError or MediaError, with everything that is
    wrong; then nothing was stored."""
    upload, stored = store_upload(files, paths=paths, shares=False)
    try:
        sent = [SentFile(file["name"], Path(file["path"]), file.get("inner", "")) for file in stored]
        return add_sent_media(test_set=test_set, files=sent, by=by)
    finally:
        delete_upload(upload)
