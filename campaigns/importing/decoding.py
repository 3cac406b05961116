"""From bytes to text: encodings told by their marks, foreign files by their first bytes, bad signs by their place."""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TextIO

from django.utils.translation import gettext as _

from campaigns.importing.foreign import LOOKED_AT, kind_of
from campaigns.importing.problems import Problems, UnreadableFileError

LONGEST_ROW = 10_000_000  # characters that are in memory at once: of a line, or of the lines of a row

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NOT_UTF_8 = re.compile("[\udc80-\udcff]+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")
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


class Lines:
    """The lines of a text. Those of one row, from one `begin` to the next, are never more than memory should hold."""

    def __init__(self, stream: TextIO, name: str, problems: Problems) -> None:
        self._stream, self._name, self._problems = stream, name, problems
        self._number = self._begins = self._held = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(LONGEST_ROW)
        if not line:
            raise StopIteration
        self._number += 1
        self._held += len(line)
        if self._held >= LONGEST_ROW:
            message = _(
                "A row of more than %(limit)d characters begins here. Shorten it; in a table, look for a quotation "
                "mark that is not closed."
            )
            at = max(self._begins, 1)
            self._problems.add(self._name, at, "", message % {"limit": LONGEST_ROW}, is_fatal=True)
            raise UnreadableFileError
        return line

    def begin(self) -> None:
        self._begins, self._held = self._number + 1, 0


def numbered_lines(stream: TextIO, name: str, problems: Problems) -> Iterator[tuple[int, str]]:
    """Each line is a row of its own."""
    lines = Lines(stream, name, problems)
    lines.begin()
    for number, line in enumerate(lines, start=1):
        yield number, line
        lines.begin()


@contextmanager
def open_text(path: Path, *, newline: str | None) -> Iterator[TextIO]:
    """The text, read as it is needed; bytes that are no text come as surrogates, to be found by `fault_in`."""
    encoding = encoding_of(path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else _HALVED
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
