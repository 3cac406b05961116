"""Whether there is room to write: what the database says when there is none, and a trial before it says so."""

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

from django.conf import settings
from django.db import connection

DISK_FULL = "53100"  # PostgreSQL's code
TRIED_BYTES = 1024 * 1024
# A sort that does not fit into memory: PostgreSQL writes it to the disk of the database, and nothing else of the
# database changes. 64 kB is the least that it can be given.
_SORT = (
    "SELECT count(*) FROM (SELECT number FROM generate_series(1, 4000) AS number ORDER BY md5(number::text)) AS sorted"
)


def is_disk_full(error: BaseException | None) -> bool:
    """Of the database's disk or of the folder of uploads; looked for in what caused the error, too."""
    while error is not None:
        if getattr(error, "pgcode", None) == DISK_FULL:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return True
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__
    return False


def try_to_write() -> None:
    """Raises the error a write would raise; stores nothing."""
    folders = [Path(settings.DATA_DIR)]
    if connection.vendor == "sqlite":
        folders.append(Path(str(connection.settings_dict["NAME"])).parent)
    for folder in folders:
        if folder.is_absolute() and os.access(folder, os.W_OK):
            _try_folder(folder)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET work_mem = '64kB'")
            try:
                cursor.execute(_SORT)
            finally:
                cursor.execute("RESET work_mem")


def _try_folder(folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, TRIED_BYTES)
    except OSError as error:
        if is_disk_full(error):  # some file systems reserve nothing, and say so in their own ways
            raise
