"""Reading files: bytes to text, text to JSON objects, and checks of a line that report every error."""

import codecs
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.actions.text_guidance import INSTRUCTION_LIMIT
from campaigns.reading.csv_pieces import BEGINNING, Place
from campaigns.reading.foreign_files import LOOKED_AT, kind_of
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from campaigns.reading.table_rows import csv_rows, numbered_lines, table_rows
from campaigns.reading.workbook import begins_workbook, workbook_rows
from exchange.cells import CellError
from exchange.json_values import JSONError, as_json, read_json

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_HALVED = "assay-halved"
SHOWN_LINES = 20
BLOCK = 900  # rows
Row = TypeVar("Row")


def _halved(error: UnicodeError) -> tuple[str, int]:
    return "\ud800", error.end if isinstance(error, UnicodeDecodeError) else 0


codecs.register_error(_HALVED, _halved)


@dataclass
class SourceFile:
    """A file while it is read, with the name that people know it by, and where its problems go."""

    path: Path
    name: str
    problems: Problems

    def line(self, number: int | None = None) -> "Line":
        return Line(self.name, number, self.problems)

    def refuse(self, message: str, line: int | None = None, column: str = "", value: str = "") -> NoReturn:
        """What stops the reading."""
        self.line(line).refuse(column, message, value, is_fatal=True)
        raise UnreadableFileError

    def refuse_pairs(self, pairs: Iterable[str]) -> NoReturn:
        """Of several language pairs one has to be chosen first."""
        message = _("Several language pairs: %(pairs)s. Choose by --source-language and --target-language.")
        self.refuse(message % {"pairs": ", ".join(sorted(pairs))})

    def refuse_other_pairs(self, source: str, target: str, pairs: Iterable[str]) -> NoReturn:
        """The file has not the pair that was asked for."""
        message = _("The file has no document from %(source)s to %(target)s. It has: %(pairs)s.")
        self.refuse(message % {"source": source or "?", "target": target or "?", "pairs": ", ".join(sorted(pairs))})

    def note_count(self, message: str, count: int) -> None:
        if count:
            self.problems.note(message % {"count": count})

    def note_lines(self, message: str, lines: Sequence[int]) -> None:
        if lines:
            shown = ", ".join(map(str, lines[:SHOWN_LINES])) + (" …" if len(lines) > SHOWN_LINES else "")
            self.problems.note(message % {"count": len(lines), "lines": shown})

    def check_is_text(self, is_ours: Callable[[str], bool] = lambda _begin: False) -> None:
        """Refuses what cannot be a text file, with a word on what it is. `is_ours` judges a file by its beginning."""
        try:
            head = _head(self.path)
        except OSError as error:
            self.refuse(f"The file cannot be read: {error.strerror}.")
        if not head.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00"):
            self.refuse("The file is empty.")
        if (foreign := kind_of(head)) and not is_ours(
            head.replace(b"\x00", b"").decode("latin-1").lstrip("ï»¿ÿþ \t\r\n")
        ):
            self.refuse(foreign)
        if not foreign and _encoding_of(self.path) == "utf-8" and head.count(0) > len(head) // 8:
            self.refuse(
                "This file is not UTF-8 text. If it is UTF-16, save it with a byte order mark, or better as UTF-8."
            )

    def open_text(self, *, newline: str | None, offset: int = 0) -> TextIO:
        """The text, read as it is needed; bytes that are no text come as surrogates, which `text_error` reports.

        With an offset it is that of UTF-8, behind a line.
        """
        encoding = "utf-8" if offset else _encoding_of(self.path)
        errors = "surrogateescape" if encoding.startswith("utf-8") else _HALVED
        stream = self.path.open(encoding=encoding, errors=errors, newline=newline)
        stream.seek(offset)
        return stream

    def lines(self, *, newline: str | None = "\n") -> Iterator[tuple[int, str]]:
        """Lines without their ends, each with its number."""
        with self.open_text(newline=newline) as stream:
            for number, text in numbered_lines(stream, self.name, self.problems):
                yield number, text.rstrip("\r\n")

    @property
    def is_workbook(self) -> bool:
        return begins_workbook(self.path)

    def header(self) -> str:
        """The first line that is not blank, which shows what separates a table; nothing of a workbook."""
        lines = () if self.is_workbook else self.lines(newline=None)
        return next((text for _number, text in lines if text.strip()), "")

    def table_rows(self, *, is_tabbed: bool) -> Iterator[tuple[int, list[str]]]:
        """Also of a workbook, whose cells are then those of the table."""
        if self.is_workbook:
            yield from workbook_rows(self.path, self.name, self.problems)
            return
        with self.open_text(newline="") as stream:
            yield from table_rows(stream, self.name, self.problems, is_tabbed=is_tabbed)

    def csv_rows(self, place: Place = BEGINNING, **dialect: Any) -> Iterator[tuple[int, list[str]]]:
        """From a place on, which only a file has that `has_places`."""
        if self.is_workbook:
            yield from workbook_rows(self.path, self.name, self.problems)
            return
        with self.open_text(newline="", offset=place.offset) as stream:
            yield from csv_rows(stream, self.name, self.problems, lines_before=place.lines, **dialect)

    @property
    def has_places(self) -> bool:
        """Whether it can be read from the middle on."""
        return not self.is_workbook and _encoding_of(self.path).startswith("utf-8")

    def json_objects(self) -> "Iterator[tuple[Line, dict[str, Any]]]":
        """One object a line, with its line."""
        for number, text in self.lines():
            line = self.line(number)
            value = _object(text, line) if text.strip() else None
            if value is not None:
                yield line, value


def in_blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows by the thousand. Those before a place where reading ends are a block too: they may have more problems."""
    block: list[Row] = []
    try:
        for row in rows:
            block.append(row)
            if len(block) == BLOCK:
                yield block
                block = []
    except UnreadableFileError:
        if block:
            yield block
        raise
    if block:
        yield block


def _encoding_of(path: Path) -> str:
    head = _head(path)
    return next((encoding for mark, encoding in _BOMS if head.startswith(mark)), "utf-8")


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LOOKED_AT)


def _object(text: str, line: "Line") -> dict[str, Any] | None:
    if error := text_error(text):
        line.refuse("", error)
        return None
    try:
        value = read_json(text.rstrip())
    except JSONError as wrong:
        column = "" if wrong.column is None else f"column {wrong.column}"
        remedy = "Every line must hold one whole object." if column else "Correct this line."
        line.refuse(column, f"This JSON cannot be stored: {wrong.reason}. {remedy}")
        return None
    if not isinstance(value, dict):
        line.refuse("", "Every line must hold one JSON object.", text.strip())
        return None
    return value


def add_to_digest(digest: "hashlib._Hash", path: Path, name: str) -> str:
    """Updates the digest with the bytes of one more file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, lambda: digest).hexdigest()
    except OSError as error:
        message = _("%(file)s: the file cannot be read: %(reason)s.")
        raise ImportFileError(message % {"file": name, "reason": error.strerror}) from error


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
class WrongSegment:
    """The place of a segment with problems: another segment of its name is a second one all the same."""

    document: str
    segment: str
    file: str
    line: int


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
        """A source, reference or translation: only text, and not empty, except for a translation."""
        if not value.strip() and what != "translation":
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

    def text(self, values: Mapping[str, Any], key: str, *, may_be_number: bool = False) -> str:
        """The text under a key of a JSON object, empty if there is none; what is refused is not empty."""
        value = values.get(key)
        if may_be_number and isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is None or isinstance(value, str):
            return value or ""
        self.refuse(key, "This must be a text.", as_json(value))
        return as_json(value)

    def segment(
        self,
        plain: Mapping[str, str],
        references: Mapping[str, str],
        translations: Mapping[str, str],
        *,
        tags: Sequence[str] = (),
        columns: Mapping[str, str] | None = None,
    ) -> SegmentRecord | WrongSegment | None:
        """One segment; `columns` are titles, where these are not `reference:A` and `system:Heron`. None: no place."""
        names = ("document", "segment", "domain", "title", "instruction")
        document, segment, domain, title, instruction = (plain.get(name, "").strip() for name in names)
        texts = {"source": plain["source"]}
        texts |= {f"reference:{name}": text for name, text in references.items()}
        texts |= {f"system:{name}": text for name, text in translations.items()}
        what = {"system": "translation"}
        places = [self.check_name(document, "document"), self.check_name(segment, "segment")]
        checks = [
            self.check_short(domain, "domain"),
            self.check_short(title, "title", 255),
            self.check_short(instruction, "instruction", INSTRUCTION_LIMIT),
        ]
        checks += [
            self.check_text(text, (columns or {}).get(role, role), what.get(kind := role.partition(":")[0], kind))
            for role, text in texts.items()
        ]
        if not all(places):
            return None
        if not all(checks):
            return WrongSegment(document, segment, self.file, self.number or 0)
        return SegmentRecord(
            document=document,
            segment=segment,
            source=plain["source"],
            references=references,
            translations=translations,
            title=title,
            domain=domain,
            tags=tags,
            instruction=instruction,
            file=self.file,
            line=self.number or 0,
        )

    def parse(self, parsers: Mapping[str, Callable[[str], Any]], cells: Mapping[str, str]) -> dict[str, Any] | None:
        """By column what its parser makes of its cell, or of an empty one; None if any of them raises CellError."""
        values: dict[str, Any] = {}
        for column, parse in parsers.items():
            cell = cells.get(column, "")
            try:
                values[column] = parse(cell)
            except CellError as error:
                self.refuse(column, str(error), cell)
        return values if len(values) == len(parsers) else None

    def has_width(self, cells: Sequence[str], width: int) -> bool:
        if len(cells) == width:
            return True
        message = _("%(count)d cells, but the header has %(width)d. Look for a missing or an extra separator.")
        return self.refuse("", message % {"count": len(cells), "width": width})


def known_columns(cells: Sequence[str], aliases: Mapping[str, Sequence[str]]) -> list[str]:
    """By its aliases, which are in lower case and without punctuation, the name of each column; "" if unknown."""
    known = {alias: column for column, names in aliases.items() for alias in names}
    return [known.get("".join(sign for sign in cell.lower() if sign.isalnum()), "") for cell in cells]


def check_header(columns: Sequence[str], required: Sequence[str], known: Collection[str], line: Line) -> None:
    """Every required column is there, no known one twice; else the file is not read further."""
    missing = [column for column in required if column not in columns]
    twice = sorted(column for column, count in Counter(columns).items() if column in known and count > 1)
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
