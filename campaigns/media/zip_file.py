"""A ZIP file of media or texts, unpacked into a folder: counted while it is unpacked, whatever its directory says."""

import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.file_stores import PIECE
from campaigns.media.errors import MediaError
from campaigns.reading.problems import Problems

MOST_FILES = 20_000
LONGEST_NAME = 255
_MEGABYTE = 1_000_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (
    zipfile.BadZipFile,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    struct.error,
    zlib.error,
)


def unpack(path: Path, target: Path, *, name: str, megabytes: int | None = None) -> None:
    """Raises MediaError with everything that is wrong; then nothing of the folder may be used.

    `megabytes` is the limit of all files together, by default that of a test set's media.
    """
    problems = Problems()
    limit = settings.MEDIA_MEGABYTES["test_set"] if megabytes is None else megabytes
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES:
                message = _("It contains %(count)d files; at most %(limit)d are allowed.")
                problems.add(name, None, "", message % {"count": len(entries), "limit": MOST_FILES})
            else:
                for entry in entries:
                    if problem := _entry_error(entry):
                        problems.add(name, None, entry.filename[:LONGEST_NAME], problem)
            if not problems.count:
                _unpack_all(archive, entries, target, limit)
    except _TooMuchError:
        problems.add(name, None, "", _("Unpacked it has more than %(limit)d MB.") % {"limit": limit})
    except _DAMAGED:
        problems.add(name, None, "", _("This is not a ZIP file, or it is damaged."))
    if problems.count:
        raise MediaError(problems)


class _TooMuchError(Exception):
    pass


def path_error(path: str) -> str:
    """What is wrong with a path below a folder; empty if nothing is."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path or "\0" in path:
        return _("The path must lie below the folder, without “..”. Correct it.")
    return _("The name is too long.") if len(path) > LONGEST_NAME else ""


def _entry_error(entry: zipfile.ZipInfo) -> str:
    if error := path_error(entry.filename):
        return error
    if (entry.external_attr >> 28) == 0xA:
        return _("This is a link. Put the file itself there.")
    if entry.flag_bits & 0x1:
        return _("The file is encrypted.")
    return "" if entry.compress_type in _METHODS else _("The file is compressed in a way that Assay does not read.")


def _unpack_all(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], target: Path, megabytes: int) -> None:
    left = megabytes * _MEGABYTE
    for entry in entries:
        place = target.joinpath(*PurePosixPath(entry.filename).parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as stream, place.open("xb") as file:
            while piece := stream.read(PIECE):
                left -= len(piece)
                if left < 0:
                    raise _TooMuchError
                file.write(piece)
