"""The newest reading of files that somebody dropped, while the files are there."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404

from campaigns.models import Account
from frontend.organiser.file_columns import with_columns
from frontend.organiser.file_sides import sides_of
from frontend.organiser.uploads import upload_folder
from jobs.actions import queue_run
from jobs.models import Run


def find_inspection(account: Account, upload: uuid.UUID) -> Run | None:
    """None for another's upload, and for one that was removed or forgotten."""
    if not upload_folder(upload).is_dir():
        return None
    return Run.objects.filter(kind="inspection", created_by=account, arguments__upload=str(upload)).first()


def inspection_of(account: Account, upload: uuid.UUID) -> Run:
    run = find_inspection(account, upload)
    if run is None:
        raise Http404
    return run


def queue_inspection(
    account: Account,
    upload: uuid.UUID,
    files: list[dict[str, Any]],
    sides: Mapping[str, str],
    columns: Mapping[str, str] | None = None,
) -> Run:
    """Has stored files read: what each is goes by `sides`, else by its name; what its columns are by `columns`, else
    as was said before."""
    if len(files) > 1:
        files = sides_of(files, sides)
    if columns is not None:
        files = with_columns(files, columns)
    arguments = {"upload": str(upload), "files": files}
    return queue_run(kind="inspection", arguments=arguments, created_by=account)
