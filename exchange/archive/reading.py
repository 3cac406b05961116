"""A file that claims to be an archive, opened with care: its content is read in place and never unpacked."""

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.utils.translation import gettext as _

from campaigns.reading.problems import Problems
from exchange.archive import FORMAT, MANIFEST, VERSION
from exchange.archive.tables import ANNOTATORS, ROWS, TABLES
from exchange.json_values import JSONError, read_json

LARGEST = 16 * 1024**3
UNPACKED_AT_MOST = 200  # times the file's own size: rows of an archive compress to a tenth, zip bombs to a thousandth
ALWAYS_ALLOWED = 16 * 1024**2
MOST_FILES = 20_000  # a picture for each segment
LONGEST_LINE = 32 * 1024**2
LARGEST_MANIFEST = 1024**2
LARGEST_DIRECTORY = 4 * 1024**2  # bytes; so many files need three quarters of it
# the end of the directory, and the record before it where numbers are large: number of entries, number of bytes
_END, _LARGE_END, _LOCATOR = struct.Struct("<10xHL6x"), struct.Struct("<32xQQ8x"), 20
_END_WITHIN = 65_535 + _END.size + _LOCATOR + _LARGE_END.size
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ArchiveFile:
    """An archive whose outside has been checked: known names, true sizes, a manifest."""

    def __init__(self, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
        self._zip, self.manifest = archive, manifest

    def rows(self, path: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of a file of rows with their lines; anything else is a problem. A missing file has none."""
        if path not in self._zip.NameToInfo:
            return
        for number, line in enumerate(_lines(self._zip, path, problems), start=1):
            row = _object(line, path, number, problems)
            if row is not None:
                yield number, row

    def open(self, path: str) -> IO[bytes] | None:
        """None for a file that is not there."""
        return self._zip.open(path) if path in self._zip.NameToInfo else None


@contextmanager
def open_archive(path: Path, problems: Problems) -> Iterator[ArchiveFile | None]:
    """None, with the reasons among the problems, if the file is not a readable archive."""
    with ExitStack() as opened:
        archive = _opened(path, opened, problems)
        manifest = None
        if archive is not None:
            _check_outside(archive, path, problems)
            manifest = None if problems.count else _manifest(archive, path, problems)
        yield None if archive is None or manifest is None else ArchiveFile(archive, manifest)


def _opened(path: Path, opened: ExitStack, problems: Problems) -> zipfile.ZipFile | None:
    try:
        if problem := _directory_error(path):
            problems.add(path.name, None, "", problem)
            return None
        stream = opened.enter_context(_Guarded(path.open("rb", buffering=0)))
        return opened.enter_context(zipfile.ZipFile(stream))
    except OSError as error:
        problems.add(path.name, None, "", _("the file cannot be read: %(why)s.") % {"why": error.strerror or error})
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        problems.add(path.name, None, "", _("this is not a ZIP file, or it is damaged."))
    return None


class _Guarded(io.BufferedReader):
    """Never reads more at once than a directory may have, however the end of a ZIP file contradicts itself."""

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = os.fstat(self.fileno()).st_size - self.tell() if size is None or size < 0 else size
        if wanted > LARGEST_DIRECTORY:
            raise zipfile.BadZipFile
        return super().read(size)


def _directory_error(path: Path) -> str | None:
    """What is wrong with the directory, by the end of the ZIP file, before anything reads it; None for other files."""
    with path.open("rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _END_WITHIN))
        end = stream.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or len(end) - at < _END.size:
        return None
    count, size = _END.unpack_from(end, at)
    if at >= _LARGE_END.size + _LOCATOR and end[at - _LOCATOR :].startswith(b"PK\x06\x07"):
        large = _LARGE_END.unpack_from(end, at - _LOCATOR - _LARGE_END.size)
        count, size = max(count, large[0]), max(size, large[1])
    if count > MOST_FILES:
        return _("it contains %(count)d files, more than an archive has.") % {"count": count}
    if size > LARGEST_DIRECTORY:
        return _("its directory has %(size)d kB, more than that of an archive.") % {"size": size // 1000}
    return None


def _check_outside(archive: zipfile.ZipFile, path: Path, problems: Problems) -> None:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        message = _("it contains %(count)d files, more than an archive has.")
        problems.add(path.name, None, "", message % {"count": len(entries)})
        return
    allowed = min(LARGEST, max(ALWAYS_ALLOWED, UNPACKED_AT_MOST * path.stat().st_size))
    size = sum(entry.file_size for entry in entries)
    if size > allowed:
        problems.add(path.name, None, "", _("unpacked it would have %(size)d MB, too much for an archive of this size.")
                     % {"size": size // 1_000_000})  # fmt: skip
    seen: set[str] = set()
    for entry in entries:
        for problem in _entry_errors(entry, seen):
            problems.add(path.name, None, entry.filename[:100], problem)
        seen.add(entry.filename)


def _entry_errors(entry: zipfile.ZipInfo, seen: set[str]) -> Iterator[str]:
    name = PurePosixPath(entry.filename)
    if name.is_absolute() or ".." in name.parts or "\\" in entry.filename or ":" in entry.filename:
        yield _("the name points outside the archive.")
    if entry.filename in seen:
        yield _("there are two files with this name.")
    if (entry.external_attr >> 28) == 0xA:
        yield _("this is a link. An archive contains only files.")
    if entry.flag_bits & 0x1:
        yield _("this file is encrypted.")
    elif entry.compress_type not in _METHODS:
        yield _("this file is compressed by a method that archives do not use.")


def _manifest(archive: zipfile.ZipFile, path: Path, problems: Problems) -> dict[str, Any] | None:
    """The manifest, checked as far as everything else relies on it."""
    if MANIFEST not in archive.NameToInfo:
        message = _("there is no %(name)s, so this is not an archive of Assay.")
        problems.add(path.name, None, "", message % {"name": MANIFEST})
        return None
    if archive.NameToInfo[MANIFEST].file_size > LARGEST_MANIFEST:
        problems.add(MANIFEST, None, "", _("this file is too long."))
        return None
    manifest = _object(b"".join(_lines(archive, MANIFEST, problems)), MANIFEST, None, problems)
    if manifest is None:
        return None
    version = manifest.get("version")
    if manifest.get("format") != FORMAT:
        problems.add(MANIFEST, None, "format", _("this is not an archive of Assay."))
    elif not isinstance(version, int) or not 1 <= version <= VERSION:
        message = _("a newer version of Assay wrote this archive. Use that version to read it.")
        problems.add(MANIFEST, None, "version", message)
    elif not isinstance(manifest.get("rows"), dict):
        problems.add(MANIFEST, None, "rows", _("the counts of rows are missing."))
    else:
        known = {f"{ROWS}/{name}.jsonl" for name in (ANNOTATORS, *(table.name for table in TABLES))}
        for name in archive.NameToInfo:
            if name.startswith(f"{ROWS}/") and name not in known:
                problems.add(name, None, "", _("unknown rows (written by a newer version?)"))
    return None if problems.count else manifest


def _lines(archive: zipfile.ZipFile, path: str, problems: Problems) -> Iterator[bytes]:
    """Until the end, or the first place that cannot be decompressed."""
    number = 0
    try:
        with archive.open(path) as stream:
            while line := stream.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    problems.add(path, number, "", _("this line is too long."), is_fatal=True)
                    return
                yield line
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, RuntimeError, struct.error, zlib.error):
        problems.add(path, number + 1, "", _("the file is damaged from here on."), is_fatal=True)


def _object(line: bytes, path: str, number: int | None, problems: Problems) -> dict[str, Any] | None:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        problems.add(path, number, "", _("this is not UTF-8."))
        return None
    try:
        value = read_json(text)
    except JSONError as error:
        what = _("this is not JSON.") if error.column is not None else str(error)
        problems.add(path, number, "", what, text)
        return None
    if not isinstance(value, dict):
        problems.add(path, number, "", _("this is not a JSON object."), text)
        return None
    return value
