"""The run that rebuilds a campaign from an archive somebody dropped. See `metrics/kinds.py`."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from campaigns.importing import ImportFileError
from metrics.archive.rebuilding import import_archive
from metrics.models import Run
from metrics.running import OnProgress, RunFailed


def perform_rebuilding(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    path = Path(run.arguments["files"][0]["path"])
    if not path.is_file():
        raise RunFailed(_("The file is not here any more. Drop it again."))
    try:
        name = run.arguments["name"]
        campaign = import_archive(path, name=name, created_by=run.created_by, on_progress=on_progress)
    except ImportFileError as error:
        raise RunFailed(str(error)) from error
    return {"campaign": campaign.slug}
