"""From bytes to text: encodings told by their marks, foreign files by their first bytes."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from campaigns.reading.foreign_files import LOOKED_AT, kind_of
from campaigns.reading.problems import Problems, UnreadableFileError

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_HALVED = "assay-halved"


def _halved(error: UnicodeError) -> tuple[str, int]:
    return "\ud800", error.end if isinstance(error, UnicodeDecodeError) else 0


codecs.register_error(_HALVED, _halved)


def encoding_of(path: Path) -> str:
    head = _head(path)
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "utf-8")


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
