import logging
import os
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

logger = logging.getLogger(__name__)

NOBODY_ELSE = 0o077
SQLITE_FILES = ("", "-wal", "-shm", "-journal")


def keep_files_private() -> None:
    """What Assay stores is for its owner alone: people's names and answers, keys, and what is derived from them.

    In every process, however it was started: for new files, and for those that earlier versions made.
    """
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
        logger.warning(
            "Other users of this machine can read %s: its permissions cannot be changed (%s).", path, error.strerror
        )


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Assay"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 - registers the system checks

        keep_files_private()
