"""From bytes to text: encodings told by their marks, foreign files by their first bytes, bad signs by their place."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from campaigns.importing.problems import Problems, UnreadableFileError

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_FOREIGN = (
    (b"PK\x03\x04", "This is a ZIP archive or an Excel workbook. Unpack it, or save the sheet as CSV, and try again."),
    (b"PK\x05\x06", "This is an empty ZIP archive. Choose the file that was meant to be in it."),
    (b"\xd0\xcf\x11\xe0", "This is an old Excel or Word file. Save it as CSV and try again."),
    (b"\x1f\x8b", "This file is compressed with gzip. Unpack it and try again."),
    (b"BZh", "This file is compressed with bzip2. Unpack it and try again."),
    (b"\xfd7zXZ", "This file is compressed with xz. Unpack it and try again."),
    (b"7z\xbc\xaf", "This is a 7-Zip archive. Unpack it and try again."),
    (b"%PDF", "This is a PDF. Export the texts as CSV or plain text and try again."),
    (b"SQLite format 3", "This is a database file. Export the texts as CSV and try again."),
)
_NOT_UTF_8 = re.compile("[\udc80-\udcff]+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")


def encoding_of(path: Path) -> str:
    head = _head(path)
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "utf-8")


def _head(path: Path, size: int = 4096) -> bytes:
    with path.open("rb") as stream:
        return stream.read(size)


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
    for mark, message in _FOREIGN:
        if head.startswith(mark):
            problems.add(name, None, "", message, is_fatal=True)
            raise UnreadableFileError
    if encoding_of(path) == "utf-8" and head.count(0) > len(head) // 8:
        message = "This is no text in UTF-8. If it is UTF-16, save it with a byte order mark, or better as UTF-8."
        problems.add(name, None, "", message, is_fatal=True)
        raise UnreadableFileError


@contextmanager
def open_text(path: Path, *, newline: str | None) -> Iterator[TextIO]:
    """The text, read as it is needed; bytes that are no UTF-8 come as surrogates, to be found by `fault_in`."""
    encoding = encoding_of(path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    with path.open(encoding=encoding, errors=errors, newline=newline) as stream:
        yield stream


def fault_in(text: str) -> str | None:
    """What is wrong with a text as such, or None."""
    bad = _NOT_UTF_8.search(text)
    if bad:
        at = len(text[: bad.start()].encode("utf-8", "surrogatepass")) + 1
        return f"Not UTF-8 at byte {at} of this value. Save the file as UTF-8."
    if _LONE.search(text):
        return "Half of a character (a lone surrogate). Correct the text."
    control = _CONTROLS.search(text)
    if control:
        return f"Control character U+{ord(control.group()):04X} at character {control.start() + 1}. Remove it."
    return None
