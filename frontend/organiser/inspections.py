"""The newest reading of files that somebody dropped, while the files are there."""

import uuid

from django.http import Http404

from campaigns.models import Account
from frontend.organiser.uploads import upload_folder
from metrics.models import Run


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
