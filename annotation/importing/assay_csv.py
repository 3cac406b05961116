"""`assay-csv` → neutral records: the format `export --format csv` writes."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from annotation.importing import cells
from annotation.importing.cells import CellError
from annotation.importing.columns import OPTIONAL, PROGRAM, REQUIRED, SURPLUS
from annotation.importing.reading import Reading
from annotation.importing.records import JudgmentRow
from annotation.models import ItemKind
from annotation.spreadsheet_cells import restore, restored_text
from campaigns.importing.decoding import open_text
from campaigns.importing.problems import Problems, UnreadableFileError
from campaigns.importing.table import csv_rows

KNOWN = (*REQUIRED, *OPTIONAL, SURPLUS, PROGRAM)
_KINDS = tuple(ItemKind.values)


def _name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    return lambda cell: cells.check_name(restore(cell), longest=longest, required=required)


def _known_name(longest: int, *, required: bool = False) -> Callable[[str], str]:
    """For columns in which few names stand over and over: each is checked once."""
    return lru_cache(maxsize=4096)(_name(longest, required=required))


@lru_cache(maxsize=1024)
def _text(cell: str) -> str | None:
    return restored_text(cells.check_text(cell))


def _kind(cell: str) -> str:
    if cell not in _KINDS:
        raise CellError(_("This is no kind. Choose one of %(known)s.") % {"known": ", ".join(_KINDS)})
    return cell


def _answer(cell: str) -> str:
    answer = cells.parse_answer(restore(cell))
    return "" if answer is None else cells.written_answer(answer)


# column → field of the record, and what makes a value of the cell
PARSERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "judgment": ("judgment", _name(255, required=True)),
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
    "revision": ("revision", lambda cell: cells.parse_count(cell, low=1)),
    "started": ("started", cells.parse_time),
    "submitted": ("submitted", cells.parse_time),
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


def read_assay_csv(reading: Reading) -> Iterator[JudgmentRow]:
    """The records of a file that are sound in themselves; what is wrong with the others goes to its problems."""
    name, problems = reading.file, reading.problems
    with open_text(reading.path, newline="") as stream:
        lines = csv_rows(stream, name, problems, strict=True)
        header = next(lines, None)
        if header is None:
            problems.add(name, None, "", _("The file is empty."), is_fatal=True)
            raise UnreadableFileError
        columns = [column.strip() for column in header[1]]
        _check_header(columns, name, problems)
        for line, row in lines:
            record = _record(row, line, columns, name, problems)
            if record is not None:
                yield record


def _check_header(columns: list[str], name: str, problems: Problems) -> None:
    missing = [column for column in REQUIRED if column not in columns]
    twice = sorted({column for column in columns if column in KNOWN and columns.count(column) > 1})
    unknown = [column for column in columns if column not in KNOWN]
    if missing:
        message = _("The header has no column %(missing)s. Columns are separated by commas.")
        problems.add(name, 1, "", message % {"missing": ", ".join(missing)}, ", ".join(columns), is_fatal=True)
    if twice:
        problems.add(name, 1, ", ".join(twice), _("This column occurs twice. Rename one of them."), is_fatal=True)
    if missing or twice:
        raise UnreadableFileError
    if unknown:
        problems.note(_("Unknown columns, ignored: %(unknown)s.") % {"unknown": ", ".join(unknown)})


def _record(row: list[str], line: int, columns: list[str], name: str, problems: Problems) -> JudgmentRow | None:
    if len(row) != len(columns):
        message = _("%(count)d cells where the header has %(asked)d. Look for a missing or a stray comma.")
        problems.add(name, line, "", message % {"count": len(row), "asked": len(columns)})
        return None
    fields: dict[str, Any] = {}
    is_sound = True
    for column, cell in zip(columns, row, strict=True):
        if column in PARSERS:
            field, parse = PARSERS[column]
            try:
                fields[field] = parse(cell)
            except CellError as error:
                problems.add(name, line, column, str(error), cell)
                is_sound = False
    if not is_sound or not _is_paired(fields, line, name, problems):
        return None
    return JudgmentRow(line=line, **fields)


def _is_paired(fields: dict[str, Any], line: int, name: str, problems: Problems) -> bool:
    if (fields["measure"] == "") == (fields["value"] is None):
        return True
    column, other = ("value", "measure") if fields["measure"] else ("measure", "value")
    problems.add(name, line, column, _("Empty, though the row has a %(other)s.") % {"other": other})
    return False
