"""Files of media: each is stored under the hash of its content, so that equal files are stored once.

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

from campaigns.file_stores import PIECE, media_store
from campaigns.models import Medium

UNUSED_SECONDS = 3600
_AT_ONCE = 500
_HASH = re.compile(r"[0-9a-f]{64}")
_INCOMING = "incoming-"


def name_of(file_hash: str) -> str:
    """What the store calls the file."""
    if not _HASH.fullmatch(file_hash):
        raise ValueError(file_hash)
    return f"{file_hash[:2]}/{file_hash}"


def pieces_of_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece


def hash_of(pieces: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def stored_pieces(file_hash: str) -> Iterator[bytes] | None:
    """The content of a file; None of one that is lost."""
    store, name = media_store(), name_of(file_hash)
    try:
        store.size(name)
    except FileNotFoundError:
        return None
    return store.pieces(name)


def store_pieces(pieces: Iterable[bytes]) -> str:
    """The hash under which the file can be read from now on: whole, or not there."""
    store = media_store()
    digest = hashlib.sha256()
    handle, name = tempfile.mkstemp(prefix=_INCOMING, dir=store.scratch())
    try:
        with os.fdopen(handle, "wb") as target:
            for piece in pieces:
                digest.update(piece)
                target.write(piece)
            target.flush()
            os.fsync(target.fileno())
        store.put(name_of(digest.hexdigest()), Path(name))
    finally:
        Path(name).unlink(missing_ok=True)
    return digest.hexdigest()


def remove_unused_files(among: Iterable[str] | None = None) -> int:
    """Files that no test set has any more, of all or among these hashes; how many were removed."""
    names = sorted(_stored_names()) if among is None else sorted({name_of(each) for each in among})
    removed = 0
    for start in range(0, len(names), _AT_ONCE):
        several = {name: name.rpartition("/")[2] for name in names[start : start + _AT_ONCE]}
        used = set(Medium.objects.filter(file_hash__in=several.values()).values_list("file_hash", flat=True))
        removed += sum(_remove_if_old(name) for name, file_hash in several.items() if file_hash not in used)
    return removed


def _stored_names() -> Iterator[str]:
    """Also what an interrupted upload left."""
    for name, _changed_at in media_store().names():
        file_hash = name.rpartition("/")[2]
        if name.startswith(_INCOMING) or (_HASH.fullmatch(file_hash) and name == name_of(file_hash)):
            yield name


def _remove_if_old(name: str) -> bool:
    store = media_store()
    try:
        if store.changed_at(name) > time.time() - UNUSED_SECONDS:
            return False
    except FileNotFoundError:
        return False
    store.remove(name)
    return True
