"""The folder of media: a file stands under the hash of its content, so that equal files are stored once.

A file is there before its row, and is removed after it. So a file without a row may be about to get one: only those
that nobody has stored again within the last hour are removed.
"""

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings

from campaigns.models import Medium

PIECE = 1024 * 1024
UNUSED_SECONDS = 3600
_AT_ONCE = 500
_HASH = re.compile(r"[0-9a-f]{64}")


def path_of(file_hash: str) -> Path:
    if not _HASH.fullmatch(file_hash):
        raise ValueError(file_hash)
    return Path(settings.MEDIA_DIR) / file_hash[:2] / file_hash


def pieces_of_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece


def hash_of(pieces: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def store_pieces(pieces: Iterable[bytes]) -> str:
    """The hash under which the file can be read from now on: whole, or not there."""
    home = Path(settings.MEDIA_DIR)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    handle, name = tempfile.mkstemp(prefix="incoming-", dir=home)
    try:
        with os.fdopen(handle, "wb") as target:
            for piece in pieces:
                digest.update(piece)
                target.write(piece)
            target.flush()
            os.fsync(target.fileno())
        path = path_of(digest.hexdigest())
        path.parent.mkdir(mode=0o700, exist_ok=True)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return digest.hexdigest()


def remove_unused_files(among: Iterable[str] | None = None) -> int:
    """Files that no test set has any more, of all or among these hashes; how many were removed."""
    names = sorted(_stored_names()) if among is None else sorted(set(among))
    removed = 0
    for start in range(0, len(names), _AT_ONCE):
        several = names[start : start + _AT_ONCE]
        used = set(Medium.objects.filter(file_hash__in=several).values_list("file_hash", flat=True))
        removed += sum(_remove_if_old(_file_called(name)) for name in several if name not in used)
    return removed


def _stored_names() -> Iterator[str]:
    """Also what an interrupted upload left."""
    home = Path(settings.MEDIA_DIR)
    if home.is_dir():
        yield from (path.name for path in home.glob("incoming-*"))
        yield from (path.name for path in home.glob("[0-9a-f][0-9a-f]/*") if _HASH.fullmatch(path.name))


def _file_called(name: str) -> Path:
    return path_of(name) if _HASH.fullmatch(name) else Path(settings.MEDIA_DIR) / name


def _remove_if_old(path: Path) -> bool:
    try:
        if path.stat().st_mtime > time.time() - UNUSED_SECONDS:
            return False
        path.unlink()
    except FileNotFoundError:
        return False
    return True
