"""Rows of a workbook (XLSX): the first sheet that has any, each cell as the text that a table in CSV would have."""

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from pathlib import Path
from warnings import filterwarnings

from django.utils.translation import gettext as _

from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import MOST_COLUMNS

MARK, PART = "PK\x03\x04", "xl/"
MOST_UNPACKED = 1_000_000_000  # bytes of all parts
MOST_SHARED = 300_000_000  # bytes of the texts that several cells may share, which are in memory at once
LAST_ROW = 1_048_576  # of a sheet, by the format
EXACT = 1e15  # below it every whole number is a number of its own
_FORMULA = b"<f"
_CODED = re.compile("_x([0-9A-Fa-f]{4})_")
# What a file that is damaged, or made to do damage, makes the libraries raise.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    SyntaxError,  # of XML
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def is_workbook(head: str) -> bool:
    """By the beginning of the file, a character for each byte."""
    return head.startswith(MARK) and PART in head


def begins_workbook(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) == MARK.encode() and _has_sheets(path)


def _has_sheets(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as parts:
            return any(name.startswith("xl/") for name in parts.namelist())
    except _DAMAGE:
        return False


def workbook_rows(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, as many cells in each as in the first, with the number that the program shows.

    Nothing in the file runs: of a formula the value is read that the workbook was saved with; one without is a problem.
    """
    try:
        _check_size(path, name, problems)
        yield from _rows(path, name, problems)
    except _DAMAGE as error:
        message = _(
            "This workbook is damaged and cannot be read (%(reason)s). Open it, save it again as XLSX, and try again."
        )
        problems.add(name, None, "", message % {"reason": str(error) or type(error).__name__}, is_fatal=True)
        raise UnreadableFileError from error


def _check_size(path: Path, name: str, problems: Problems) -> None:
    with zipfile.ZipFile(path) as parts:
        entries = parts.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    shared = sum(entry.file_size for entry in entries if entry.filename.lower().endswith("sharedstrings.xml"))
    if unpacked > MOST_UNPACKED or shared > MOST_SHARED:
        message = _(
            "This workbook is too large to be read: %(megabytes)d MB when unpacked. Save its sheet as CSV (UTF-8) and "
            "use that file."
        )
        problems.add(name, None, "", message % {"megabytes": unpacked // 1_000_000}, is_fatal=True)
        raise UnreadableFileError


def _rows(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # noqa: PLC0415 - a tenth of a second that other files need not wait for

    filterwarnings("ignore", category=UserWarning, module="openpyxl")  # on styles, which are not read
    with path.open("rb") as stream, path.open("rb") as again:
        book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        for each in sheets:
            each.reset_dimensions()
        filled = (each for each in sheets if any(map(_is_filled, each.iter_rows(max_row=LAST_ROW + 1))))
        sheet = next(filled, None)
        if sheet is None:
            return
        if len(sheets) > 1:
            note = _("%(file)s: read from the sheet “%(sheet)s”. Sheets that were not read: %(others)s.")
            others = ", ".join(f"“{other.title}”" for other in sheets if other is not sheet)
            problems.note(note % {"file": name, "sheet": sheet.title, "others": others})
        cells = sheet.iter_rows(max_row=LAST_ROW + 1)
        formulas: Iterator[Sequence[object]] = iter(())
        if _has_formulas(stream, vars(sheet)["_worksheet_path"]):  # it has no public name
            written = load_workbook(again, read_only=True, keep_links=False)[sheet.title]
            written.reset_dimensions()
            formulas = written.iter_rows(max_row=LAST_ROW + 1, values_only=True)
        number = 0
        for number, texts in _texts(cells, formulas, name, problems):
            yield number, texts
        if number == LAST_ROW and (part := _second_part(sheet.title, [other.title for other in sheets])):
            message = _("This table goes on in the sheet “%(sheet)s”: it is too long for a workbook. Use CSV.")
            problems.add(name, number, "", message % {"sheet": part}, is_fatal=True)
            raise UnreadableFileError


def _second_part(title: str, titles: Sequence[str]) -> str:
    """The sheet in which Assay and others go on with a table that is too long for one."""
    return next((other for other in titles if other.endswith(" (2)") and title.startswith(other[:-4])), "")


def _is_filled(row: Sequence[object]) -> bool:
    return any(getattr(cell, "value", None) is not None for cell in row)


def _has_formulas(stream: object, sheet: str) -> bool:
    with zipfile.ZipFile(stream) as parts, parts.open(sheet) as content:  # type: ignore[call-overload]
        end = b""
        while piece := content.read(1 << 20):
            if _FORMULA in end + piece:
                return True
            end = piece[-1:]
    return False


def _texts(
    rows: Iterator[Sequence[object]], formulas: Iterator[Sequence[object]], name: str, problems: Problems
) -> Iterator[tuple[int, list[str]]]:
    width = 0
    for number, (row, written) in enumerate(zip_longest(rows, formulas, fillvalue=()), start=1):
        # a cell far to the right makes each row as wide, so that a small file would take hours
        if number > LAST_ROW or len(row) > MOST_COLUMNS:
            message = _(
                "A sheet is read up to row %(rows)d and column %(columns)d. Delete what is beyond, or save it as CSV."
            )
            limits = {"rows": LAST_ROW, "columns": MOST_COLUMNS}
            problems.add(name, number, "", message % limits, is_fatal=True)
            raise UnreadableFileError
        texts = [_text(cell, number, name, problems) for cell in row]
        for place, formula in enumerate(written):
            if isinstance(formula, str) and formula.startswith("=") and not (texts[place : place + 1] or [""])[0]:
                _refuse_formula(row, place, number, name, problems)
        while len(texts) > width and not texts[-1]:
            texts.pop()
        texts += [""] * (width - len(texts))
        if any(text.strip() for text in texts):
            width = width or len(texts)
            yield number, texts


def _refuse_formula(row: Sequence[object], place: int, number: int, name: str, problems: Problems) -> None:
    cell = row[place] if place < len(row) else None
    if getattr(cell, "data_type", "") == "s":  # a text that only looks like one
        return
    message = _(
        "This cell is a formula without a value. Open the workbook in a spreadsheet program, save it, and try again."
    )
    problems.add(name, number, _column(place), message)


def _text(cell: object, number: int, name: str, problems: Problems) -> str:
    if getattr(cell, "data_type", "") != "e":
        return _as_csv(getattr(cell, "value", None))
    message = _("This cell shows an error. Correct its formula, or replace it by a value.")
    problems.add(name, number, _column(getattr(cell, "column", 1) - 1), message, str(getattr(cell, "value", "")))
    return ""


def _as_csv(value: object) -> str:
    """Whole numbers without a point, dates as 2026-11-24, `true` and `false`, characters instead of their codes."""
    match value:
        case None:
            text = ""
        case bool():
            text = str(value).lower()
        case float() if value.is_integer() and abs(value) < EXACT:
            text = str(int(value))
        case datetime() if value.time() == time():
            text = value.date().isoformat()
        case date() | time():
            text = value.isoformat()
        case timedelta():
            text = repr(value.total_seconds())
        case _:
            text = _CODED.sub(lambda code: chr(int(code[1], 16)), str(value))
    return text


def _column(place: int) -> str:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415 - as above

    return str(get_column_letter(place + 1))
