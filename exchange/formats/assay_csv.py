"""`assay-csv`: one row for each judgment × translation × measure, in the order the judgments were stored.

`import_judgments` reads what `export --format csv` writes (`assay_csv_writer`). docs/formats.md has a heading for each
column.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import ItemKind
from campaigns.reading.csv_pieces import BEGINNING, Place, csv_pieces
from exchange import cells
from exchange.cells import CellError, is_in_range, restore, restored_text
from exchange.formats.end_of_file import end_read_meanwhile
from exchange.reading import Line, check_header, in_blocks, note_unknown
from exchange.staging.judgments import BY_CHANCE, JudgmentRow, Reading, RowsApart, StoredRows, in_utc

_Parsers = Mapping[str, Callable[[str], Any]]
REQUIRED = ("judgment", "annotator", "protocol", "document", "segment", "system", "kind", "measure", "value")
# Written only for campaigns with surplus judgments, always read.
SURPLUS = "surplus"
# Written only for campaigns in which a program judges, always read.
PROGRAM = "program"
# Written only where a whole document is judged on one screen, always read.
SCREEN, COLUMN = "screen", "column"
LONGEST_NAME = 255
_COLUMNS = frozenset("123456789")
_KINDS = (*ItemKind.values, BY_CHANCE)
_DEFAULTS = JudgmentRow._field_defaults


def _name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    return lambda cell: cells.check_name(restore(cell), longest=longest, required=required)


def _known_name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    """For columns that repeat few names: each is checked once."""
    return lru_cache(maxsize=4096)(_name(longest, required=required))


@lru_cache(maxsize=1024)
def _text(cell: str) -> str | None:
    return restored_text(cells.check_text(cell))


def _kind(cell: str) -> str:
    if cell not in _KINDS:
        raise CellError(_("Unknown kind. Known: %(known)s.") % {"known": ", ".join(_KINDS)})
    return cell


def _column(cell: str) -> int | None:
    if cell and cell not in _COLUMNS:
        raise CellError(_("The place of a translation on the screen is a whole number from 1 to 9."))
    return int(cell) if cell else None


# as we write them
_DAY, _HOUR = r"\d{4}-\d\d-\d\d", r"(?!24)\d\d:\d\d:\d\d(?:\.(?!000000)\d{6})?"
_IN_UTC = re.compile(rf"({_DAY})T({_HOUR})(?:\+00:00|Z)", re.ASCII)


def _time(cell: str) -> datetime | str | None:
    """To write a time anew takes ten times as long as to read it."""
    moment = cells.parse_time(cell)
    plain = _IN_UTC.fullmatch(cell)
    return " ".join(plain.groups()) if plain else moment


@lru_cache(maxsize=256)  # as many as scores of one number; others are longer, and differ
def _answer(cell: str) -> str:
    answer = cells.parse_answer(restore(cell))
    return "" if answer is None else cells.written_answer(answer)


# column, in the order of the file → field of the record, and how its cell is parsed
PARSERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "judgment": ("judgment", _name(LONGEST_NAME, required=True)),
    "annotator": ("annotator", _known_name(150, required=True)),
    "protocol": ("protocol", _known_name(30)),
    "document": ("document", _known_name(255, required=True)),
    "segment": ("segment", _known_name(255)),
    "system": ("system", _known_name(150, required=True)),
    "kind": ("kind", _kind),
    "measure": ("measure", _known_name(50)),
    "value": ("value", lambda cell: cells.parse_number(restore(cell))),
    "assignment": ("assignment", _known_name(255)),
    "position": ("position", lambda cell: cells.parse_count(cell, low=0)),
    "slot": ("slot", _known_name(2)),
    SCREEN: ("screen", lambda cell: cells.parse_count(cell, low=0)),
    COLUMN: ("column", _column),
    "revision": ("revision", lambda cell: cells.parse_count(cell, low=1)),
    "started": ("started", _time),
    "submitted": ("submitted", _time),
    "seconds": ("elapsed_ms", cells.parse_seconds),
    "active_seconds": ("active_ms", cells.parse_seconds),
    "answer": ("answer", _answer),
    "source": ("source", _text),
    "translation": ("translation", _text),
    "reference": ("reference", _text),
    "domain": ("domain", _name(100)),
    "comment": ("comment", lambda cell: restore(cells.check_text(cell))),
    SURPLUS: ("surplus", cells.parse_switch),
    PROGRAM: ("program", cells.parse_switch),
}


def read_assay_csv(reading: Reading) -> Iterator[JudgmentRow | StoredRows | RowsApart]:
    """The records of a file that are sound in themselves; errors in the others go to its problems."""
    lines = reading.csv_rows(strict=True)
    header = next(lines, None)
    if header is None:
        reading.refuse(_("The file is empty."))
    begin, cells = header
    columns = [column.strip() for column in cells]
    check_header(columns, REQUIRED, PARSERS, reading.line(begin))
    note_unknown([column for column in columns if column not in PARSERS], reading.problems)
    if reading.has_places:
        place = yield from _sound_rows(reading.path, columns, begin)
        lines = reading.csv_rows(place, strict=True)
    parsers = _parsers_of(columns)
    for block in in_blocks((number, row) for number, row in lines if number > begin):
        numbers, rows = zip(*block, strict=True)
        if sound := _sound_block(numbers, rows, columns, parsers):
            yield sound
        else:
            yield from _rows_one_by_one(block, columns, parsers, reading)


def _sound_rows(path: Path, columns: Sequence[str], header: int) -> Generator[StoredRows | RowsApart, None, Place]:
    """All rows behind that of the header, up to the place that is returned, where there may be an error.

    The end of a large file is read by another process, which has no error to report either.
    """
    with end_read_meanwhile(path, columns) as end:
        place = yield from read_sound(path, columns, BEGINNING, header=header, end=end.place)
        if place == end.place and (staged := end.staged()):
            yield staged
            return Place(path.stat().st_size)
    return (yield from read_sound(path, columns, place))


def read_sound(
    path: Path, columns: Sequence[str], place: Place, *, header: int = 0, end: Place | None = None
) -> Generator[StoredRows, None, Place]:
    """Rows behind the line of the header, up to the place that is returned: `end`, or where there may be an error."""
    parsers = _parsers_of(columns)
    for piece in csv_pieces(path, place, end.offset if end else None):
        numbers, rows = piece.numbers, piece.rows
        if place.offset == 0:
            behind = sum(number <= header for number in numbers)
            numbers, rows = numbers[behind:], rows[behind:]
        if rows:
            block = _sound_block(numbers, rows, columns, parsers)
            if block is None:
                return place
            yield block
        place = piece.end
    return place


def _parsers_of(columns: Sequence[str]) -> _Parsers:
    return {column: parse for column, (_field, parse) in PARSERS.items() if column in columns}


# Columns whose cells differ, read all at once if each cell is one of the usual kind. Else (ValueError) cell by cell.
_ALL_TIMES = re.compile(rf"(?:{_DAY}T{_HOUR}(?:\+00:00|Z)\n)+", re.ASCII)
_ALL_COUNTS = re.compile(r"(?:\d{1,9}\n)+", re.ASCII)
_ALL_SECONDS = re.compile(r"(?:\d{1,6}(?:\.\d{1,9})?\n)+", re.ASCII)


def _lines_of(cells: Sequence[str], form: re.Pattern[str]) -> str:
    lines = "\n".join((*cells, ""))
    if not form.fullmatch(lines):
        raise ValueError
    return lines


def _usual_times(cells: Sequence[str]) -> list[str]:
    lines = _lines_of(cells, _ALL_TIMES)
    moments = [*map(datetime.fromisoformat, cells)]
    if not (is_in_range(min(moments)) and is_in_range(max(moments))):
        raise ValueError
    return lines.replace("T", " ").replace("+00:00", "").replace("Z", "").splitlines()


def _usual_counts(cells: Sequence[str]) -> list[int]:
    _lines_of(cells, _ALL_COUNTS)
    return [*map(int, cells)]


def _usual_seconds(cells: Sequence[str]) -> list[int]:
    _lines_of(cells, _ALL_SECONDS)
    return [round(seconds * 1000) for seconds in map(float, cells)]


def _usual_texts(cells: Sequence[str]) -> Sequence[str]:
    lines = "\n".join(("", *cells))
    lines.encode()  # what is not UTF-8 is refused here
    if "\x00" in lines or "\n'" in lines:
        raise ValueError
    return cells


def _usual_names(cells: Sequence[str]) -> Sequence[str]:
    if max(map(len, cells)) > LONGEST_NAME or not all(map(str.strip, cells)):
        raise ValueError
    return _usual_texts(cells)


def _usual_outputs(cells: Sequence[str]) -> list[str | None]:
    return [cell or None for cell in _usual_texts(cells)]


_AT_ONCE: dict[str, Callable[[Sequence[str]], Sequence[Any]]] = {
    "judgment": _usual_names,
    "position": _usual_counts,
    "started": _usual_times,
    "submitted": _usual_times,
    "seconds": _usual_seconds,
    "active_seconds": _usual_seconds,
    "source": _usual_outputs,
    "translation": _usual_outputs,
    "reference": _usual_outputs,
}


def _sound_block(
    numbers: Sequence[int], rows: Sequence[list[str]], columns: Sequence[str], parsers: _Parsers
) -> StoredRows | None:
    """The records by columns, each different cell parsed once; none if anything is wrong in a row."""
    if set(map(len, rows)) != {len(columns)}:
        return None
    cells = dict(zip(columns, zip(*rows, strict=True), strict=True))
    try:
        values: dict[str, Sequence[Any]] = {
            PARSERS[column][0]: _parsed(column, parse, cells[column]) for column, parse in parsers.items()
        }
    except CellError:
        return None
    numbered = zip(values["measure"], values["value"], strict=True)
    if any((measure == "") != (value is None) for measure, value in numbered):
        return None
    for time in values.keys() & {"started", "submitted"}:
        if set(map(type, values[time])) != {str}:  # those of `_usual_times` are written already
            values[time] = [in_utc(moment) for moment in values[time]]
    values["line"] = numbers
    fields = [field for field, column in values.items() if not _has_defaults(field, column)]
    return StoredRows(fields, zip(*(values[field] for field in fields), strict=True))


def _has_defaults(field: str, values: Sequence[Any]) -> bool:
    """The database fills these in; Python takes half a microsecond to hand it a single None."""
    if field not in _DEFAULTS or not values[0] == values[-1] == _DEFAULTS[field]:
        return False
    return values.count(_DEFAULTS[field]) == len(values)


def _parsed(column: str, parse: Callable[[str], Any], cells: Sequence[str]) -> Sequence[Any]:
    if column in _AT_ONCE:
        with suppress(ValueError):
            return _AT_ONCE[column](cells)
    if cells.count(cells[0]) == len(cells):
        return [parse(cells[0])] * len(cells)
    known = {cell: parse(cell) for cell in set(cells)}
    return [*map(known.__getitem__, cells)]


def _rows_one_by_one(
    block: Sequence[tuple[int, list[str]]], columns: Sequence[str], parsers: _Parsers, reading: Reading
) -> Iterator[JudgmentRow]:
    for number, row in block:
        line = reading.line(number)
        if line.has_width(row, len(columns)):
            values = line.parse(parsers, dict(zip(columns, row, strict=True)))
            fields = {PARSERS[column][0]: value for column, value in (values or {}).items()}
            if fields and _is_paired(fields, line):
                yield JudgmentRow(line=number, **fields)


def _is_paired(fields: dict[str, Any], line: Line) -> bool:
    if (fields["measure"] == "") == (fields["value"] is None):
        return True
    column, other = ("value", "measure") if fields["measure"] else ("measure", "value")
    return line.refuse(column, _("This cell is empty, but the row has a %(other)s.") % {"other": other})
