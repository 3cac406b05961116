"""Files as they are read: from bytes to text, from text to JSON objects; and the error of one that is wrong."""

import codecs
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.utils.translation import gettext as _

from campaigns.reading.foreign_files import LOOKED_AT, kind_of
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from campaigns.reading.table_rows import numbered_lines
from exchange.json_values import JSONError, read_json

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_HALVED = "assay-halved"


def _halved(error: UnicodeError) -> tuple[str, int]:
    return "\ud800", error.end if isinstance(error, UnicodeDecodeError) else 0


codecs.register_error(_HALVED, _halved)


def encoding_of(path: Path) -> str:
    head = _head(path)
    return next((encoding for mark, encoding in _BOMS if head.startswith(mark)), "utf-8")


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)


def check_is_text(path: Path, name: str, problems: Problems) -> None:
    """Refuses what cannot be a text file, with a word on what it is."""
    try:
        head = _head(path)
    except OSError as error:
        problems.add(name, None, "", f"The file cannot be read: {error.strerror}.", is_fatal=True)
        raise UnreadableFileError from error
    if not head.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00"):
        problems.add(name, None, "", "The file is empty.", is_fatal=True)
        raise UnreadableFileError
    if foreign := kind_of(head):
        problems.add(name, None, "", foreign, is_fatal=True)
        raise UnreadableFileError
    if encoding_of(path) == "utf-8" and head.count(0) > len(head) // 8:
        message = "This file is not UTF-8 text. If it is UTF-16, save it with a byte order mark, or better as UTF-8."
        problems.add(name, None, "", message, is_fatal=True)
        raise UnreadableFileError


@contextmanager
def open_text(path: Path, *, newline: str | None) -> Iterator[TextIO]:
    """The text, read as it is needed; bytes that are no text come as surrogates, to be found by `text_error`."""
    encoding = encoding_of(path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else _HALVED
    with path.open(encoding=encoding, errors=errors, newline=newline) as stream:
        yield stream


def json_objects(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """One object a line, with its line."""
    with open_text(path, newline="\n") as stream:
        for line, text in numbered_lines(stream, name, problems):
            found = _object(text, line, name, problems) if text.strip() else None
            if found is not None:
                yield line, found


def _object(text: str, line: int, name: str, problems: Problems) -> dict[str, Any] | None:
    fault = text_error(text.rstrip("\r\n"))
    if fault:
        problems.add(name, line, "", fault)
        return None
    try:
        found = read_json(text.rstrip())
    except JSONError as error:
        column = "" if error.column is None else f"column {error.column}"
        remedy = "Every line must hold one whole object." if column else "Correct this line."
        problems.add(name, line, column, f"This is not JSON that can be stored: {error.reason}. {remedy}")
        return None
    if not isinstance(found, dict):
        problems.add(name, line, "", "Every line must hold one JSON object.", text.strip())
        return None
    return found


def add_to_digest(digest: "hashlib._Hash", path: Path, name: str) -> str:
    """The digest, with the bytes of one more file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, lambda: digest).hexdigest()
    except OSError as error:
        raise ImportFileError(
            _("%(file)s: the file cannot be read: %(reason)s.") % {"file": name, "reason": error.strerror}
        ) from error


class ImportFileError(Exception):
    """A file that cannot be imported as it is. Its text lists everything that is wrong, a line each.

    `usable` says how many segments or scores are left where the wrong lines may be skipped.
    """

    def __init__(self, *reasons: str, problems: Problems | None = None, usable: int = 0) -> None:
        self.problems, self.usable = problems or Problems(), usable
        super().__init__("\n".join([*reasons, *self.problems.sentences()]))
