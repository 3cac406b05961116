"""The files of media in an archive: each is what its rows say, or nothing is stored."""

import json
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from campaigns.file_stores import PIECE
from campaigns.media.content import examine_medium
from campaigns.media.errors import MediumError
from campaigns.media.storage import hash_of, pieces_of_file, store_pieces
from campaigns.models import Medium
from campaigns.reading.problems import Problems
from exchange.archive import MEDIA
from exchange.archive.reading import ArchiveFile
from exchange.archive.tables import table_of

_DAMAGED = (zipfile.BadZipFile, EOFError, OSError, ValueError, RuntimeError, struct.error, zlib.error)


def store_media_files(archive: ArchiveFile, staged: sqlite3.Connection, problems: Problems) -> None:
    """Does nothing if there are problems already. A file that the archive lacks is named on the pages that need it."""
    if problems.count:
        return
    with tempfile.TemporaryDirectory(prefix="assay-media-") as folder:
        target = Path(folder) / "medium"
        for file_hash, content_types in _types_by_hash(staged):
            path = f"{MEDIA}/{file_hash}"
            try:
                stream = archive.open(path)
                if stream is not None:
                    _unpack(stream, target)
                    _check(target, file_hash, content_types)
                    store_pieces(pieces_of_file(target))
            except MediumError as error:
                problems.add(path, None, "", str(error))
            except _DAMAGED:
                problems.add(path, None, "", _("the file is damaged."))


def _types_by_hash(staged: sqlite3.Connection) -> Iterator[tuple[str, set[str]]]:
    types = "json_group_array(json_extract(body, '$.content_type')) AS types"
    columns = f"json_extract(body, '$.file_hash') AS hash, {types}"
    query = f"SELECT {columns} FROM {table_of(Medium).name} GROUP BY hash ORDER BY hash"  # noqa: S608 - our own name
    yield from ((row["hash"], set(json.loads(row["types"]))) for row in staged.execute(query).fetchall())


def _unpack(stream: IO[bytes], target: Path) -> None:
    with stream, target.open("wb") as file:
        while piece := stream.read(PIECE):
            file.write(piece)


def _check(path: Path, file_hash: str, content_types: set[str]) -> None:
    if hash_of(pieces_of_file(path)) != file_hash:
        raise MediumError(_("the content does not have the hash of its name."))
    content = examine_medium(path)
    if content_types != {content.content_type}:
        message = _("this is %(type)s, and not what its row says.")
        raise MediumError(message % {"type": content.content_type})
    if content.data is not None and len(content.data) != path.stat().st_size:
        raise MediumError(_("the picture contains metadata, which an archive never has."))
