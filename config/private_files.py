"""What Assay stores is its owner's alone: people's names and answers, keys, and whatever is derived from them."""

import logging
import os
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

NOBODY_ELSE = 0o077
SQLITE_FILES = ("", "-wal", "-shm", "-journal")


def keep_files_private() -> None:
    """For every process, whatever it was started with: files made from now on, and those of earlier versions."""
    os.umask(NOBODY_ELSE)
    _close(Path(settings.DATA_DIR))
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        for ending in SQLITE_FILES:
            _close(Path(f"{database['NAME']}{ending}"))


def _close(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if mode & NOBODY_ELSE:
            path.chmod(mode & 0o777 & ~NOBODY_ELSE)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        logger.warning("Others of this machine may read %s: it cannot be closed to them (%s).", path, error.strerror)
