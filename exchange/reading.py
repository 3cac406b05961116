"""Reading files: bytes to text, text to JSON objects, and checks of a line that report every error."""

import codecs
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
    """Refuses what cannot be a text file, and names what it is."""
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
    """The text, decoded as it is read; undecodable bytes become surrogates, which `text_error` reports."""
    encoding = encoding_of(path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else _HALVED
    with path.open(encoding=encoding, errors=errors, newline=newline) as stream:
        yield stream


def json_objects(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """One object a line, with its line."""
    with open_text(path, newline="\n") as stream:
        for line, text in numbered_lines(stream, name, problems):
            value = _object(text, line, name, problems) if text.strip() else None
            if value is not None:
                yield line, value


def _object(text: str, line: int, name: str, problems: Problems) -> dict[str, Any] | None:
    problem = text_error(text.rstrip("\r\n"))
    if problem:
        problems.add(name, line, "", problem)
        return None
    try:
        value = read_json(text.rstrip())
    except JSONError as error:
        column = "" if error.column is None else f"column {error.column}"
        remedy = "Every line must hold one whole object." if column else "Correct this line."
        problems.add(name, line, column, f"This JSON cannot be stored: {error.reason}. {remedy}")
        return None
    if not isinstance(value, dict):
        problems.add(name, line, "", "Every line must hold one JSON object.", text.strip())
        return None
    return value


def add_to_digest(digest: "hashlib._Hash", path: Path, name: str) -> str:
    """Updates the digest with the bytes of one more file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, lambda: digest).hexdigest()
    except OSError as error:
        raise ImportFileError(
            _("%(file)s: the file cannot be read: %(reason)s.") % {"file": name, "reason": error.strerror}
        ) from error


class ImportFileError(Exception):
    """A file that cannot be imported as it is. Its text lists every error, a line each.

    `usable` is how many segments or scores are left if the wrong lines may be skipped.
    """

    def __init__(self, *reasons: str, problems: Problems | None = None, usable: int = 0) -> None:
        self.problems, self.usable = problems or Problems(), usable
        super().__init__("\n".join([*reasons, *self.problems.sentences()]))


NAME_LIMIT = 255
SHORT_LIMIT = 100


@dataclass(frozen=True)
class Line:
    """Each check returns whether a value is right; if not, the reason is among the problems."""

    file: str
    number: int | None
    problems: Problems

    def refuse(self, column: str, message: str, value: str = "", *, is_fatal: bool = False) -> bool:
        self.problems.add(self.file, self.number, column, message, value, is_fatal=is_fatal)
        return False

    def check_text(self, value: str, column: str, what: str) -> bool:
        """A source, reference or translation: not empty, and only text."""
        if not value.strip():
            return self.refuse(column, f"Empty {what}. Fill it in, or leave the segment out.")
        return self.is_readable(value, column)

    def check_name(self, value: str, column: str, limit: int = NAME_LIMIT) -> bool:
        if not value:
            return self.refuse(column, f"Empty {column}. Every segment needs one.")
        return self.check_short(value, column, limit)

    def check_short(self, value: str, column: str, limit: int = SHORT_LIMIT) -> bool:
        if len(value) > limit:
            return self.refuse(column, f"{len(value)} characters. Shorten it to at most {limit}.", value)
        return self.is_readable(value, column)

    def is_readable(self, value: str, column: str) -> bool:
        error = text_error(value)
        return error is None or self.refuse(column, error, value)

    def check_texts(
        self,
        source: str,
        references: Mapping[str, str],
        translations: Mapping[str, str],
        columns: Mapping[str, str] | None = None,
    ) -> bool:
        """All texts of one segment; `columns` are titles, where these are not `reference:A` and `system:Heron`."""
        texts = {"source": source}
        texts |= {f"reference:{name}": text for name, text in references.items()}
        texts |= {f"system:{name}": text for name, text in translations.items()}
        what = {"system": "translation"}
        checks = [
            self.check_text(text, (columns or {}).get(role, role), what.get(kind := role.partition(":")[0], kind))
            for role, text in texts.items()
        ]
        return all(checks)

    def has_width(self, cells: Sequence[str], width: int) -> bool:
        if len(cells) == width:
            return True
        message = _("%(count)d cells, but the header has %(width)d. Look for a missing or an extra separator.")
        return self.refuse("", message % {"count": len(cells), "width": width})


def check_header(columns: Sequence[str], required: Sequence[str], known: Collection[str], line: Line) -> None:
    """Every required column is there, no known one twice; else the file is not read further."""
    missing = [column for column in required if column not in columns]
    twice = sorted({column for column in columns if column in known and columns.count(column) > 1})
    if missing:
        message = _("The header has no column %(missing)s. Check its names, and what separates them.")
        line.refuse("", message % {"missing": ", ".join(missing)}, ", ".join(columns), is_fatal=True)
    if twice:
        message = _("This column occurs twice. Rename one of them.")
        line.refuse(", ".join(twice), message, is_fatal=True)
    if missing or twice:
        raise UnreadableFileError


def note_unknown(columns: Sequence[str], problems: Problems) -> None:
    if columns:
        problems.note(_("Unknown columns, ignored: %(unknown)s.") % {"unknown": ", ".join(columns)})


def split_tags(text: str) -> Sequence[str]:
    return tuple(tag.strip() for tag in text.replace(";", ",").split(",") if tag.strip())
