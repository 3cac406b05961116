"""A campaign as one workbook (XLSX): its judgments, its scores, and every table of its results, a sheet each.

Numbers are numbers, and no text is a formula. Cells are read back as those of the CSV files.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.models import Judgment
from campaigns.models import Campaign
from exchange.cells import restore
from exchange.exported_judgments import ExportChoice
from exchange.formats.adjudications_csv import adjudications_table
from exchange.formats.assay_csv_writer import judgments_table
from exchange.formats.flags_csv import flags_table
from exchange.formats.metric_scores import segment_scores_table, system_scores_table
from exchange.formats.spans_csv import spans_table
from exchange.tables.csv_and_json import NUMBERS, PIECE, TableOf

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

LAST_ROW = 1_048_576  # of a sheet, by the format
LONGEST_TEXT = 32_767  # of a cell, by the format, in UTF-16 units
LONGEST_TITLE = 31
MOST_JUDGMENTS = 100_000
SCORECARD = "scorecard"
Cell = str | int | float | None
# XML has no control characters; what looks like the code of one is written with a code, too.
_TO_CODE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_LOOKING = ("=", "#")  # as a formula or an error looks
STORED: dict[str, TableOf] = {
    "judgments": judgments_table,
    "error spans": spans_table,
    "adjudications": adjudications_table,
    "metrics, systems": system_scores_table,
    "metrics, segments": segment_scores_table,
    "flags": flags_table,
}
NAMING_PEOPLE = frozenset(
    (
        "annotators",
        "agreement",
        "agreement-pairs",
        "agreement-spans",
        "drift",
        "fits",
        "metric-ceiling",
        "severities",
        "ordinal-severities",
    )
)  # not with codes for names


def too_many_judgments(campaign: Campaign) -> Sequence[str]:
    judgments = Judgment.objects.filter(item__assignment__campaign=campaign).order_by()
    if not judgments.values("pk")[MOST_JUDGMENTS : MOST_JUDGMENTS + 1]:
        return ()
    message = _(
        "A workbook has at most %(limit)s judgments: most programs cannot open larger ones. Use CSV or JSON lines."
    )
    return [message % {"limit": number_format(MOST_JUDGMENTS, force_grouping=True)}]


class TextTooLongError(Exception):
    """A text that no cell of a workbook can hold; its words say where."""


@dataclass(frozen=True)
class Sheet:
    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def write_workbook(campaign: Campaign, choice: ExportChoice) -> Iterator[bytes]:
    """Made in a file of its own before the first piece: the format begins with what is known only at its end."""
    stream = TemporaryFile()  # noqa: SIM115 - closed with the pieces
    try:
        save_sheets(_sheets(campaign, choice), stream)
    except BaseException:
        stream.close()
        raise
    stream.seek(0)
    return _Pieces(stream)


class _Pieces(Iterator[bytes]):
    """Closes its file at the end, or when nobody wants the rest."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __next__(self) -> bytes:
        piece = b"" if self._stream.closed else self._stream.read(PIECE)
        if not piece:
            self.close()
            raise StopIteration
        return piece

    def close(self) -> None:
        self._stream.close()


def _sheets(campaign: Campaign, choice: ExportChoice) -> Iterator[Sheet]:
    """Those of results come from the newest finished run of the usual analysis; empty tables have no sheet.

    The scorecard is that of the newest run in which a tolerance was agreed, if there is one: only it has verdicts.
    """
    from exchange.tables.finished_runs import tables_of_run  # noqa: PLC0415 - scipy, which other formats do without
    from metrics.analysis_runs import USUAL, AnalysisRuns, run_with_tolerance  # noqa: PLC0415 - as above

    for title, table_of in STORED.items():
        columns, rows = table_of(campaign, choice)
        yield Sheet(title, columns, (_typed(columns, row) for row in rows))
    runs = AnalysisRuns(campaign, USUAL)
    judging = {SCORECARD: decided} if (decided := run_with_tolerance(campaign)) else {}
    for name, table_of_run in tables_of_run(runs).items() if runs.done or judging else ():
        made = judging.get(name, runs)
        if made.done and not (choice.codes and name in NAMING_PEOPLE):
            header, cells = table_of_run(made)
            yield Sheet(f"results, {name.replace('-', ' ')}", header, cells)


def _typed(columns: Sequence[str], row: Sequence[str]) -> list[Cell]:
    return [_number(cell) if column in NUMBERS else _plain(cell) for column, cell in zip(columns, row, strict=True)]


def _number(cell: str) -> Cell:
    try:
        number = float(restore(cell))
    except ValueError:
        return cell or None
    return int(number) if number.is_integer() else number


def _plain(cell: str) -> Cell:
    """Without the apostrophe that guards it in CSV, unless it would then be read as another text."""
    plain = restore(cell)
    return (plain if plain and restore(plain) == plain else cell) or None


def save_sheets(sheets: Iterable[Sheet], stream: IO[bytes]) -> None:
    """Row by row. A table with more rows than a sheet has room for goes on in another one, with the same header."""
    from openpyxl import Workbook  # noqa: PLC0415 - a tenth of a second that other files need not wait for

    book = Workbook(write_only=True)
    try:
        for sheet in sheets:
            _save_sheet(book, sheet)
    except BaseException:
        _abandon(book)
        raise
    if not book.worksheets:
        book.create_sheet(_("nothing yet"))
    book.save(stream)


def _save_sheet(book: "Workbook", sheet: Sheet) -> None:
    for number, row in enumerate(sheet.rows):
        part, place = divmod(number, LAST_ROW - 1)
        if place == 0:
            target = _begun(book, sheet, part)
        target.append([_written(target, cell, sheet, number) for cell in row])


def _abandon(book: "Workbook") -> None:
    """The files of unfinished sheets would stay until the process ends."""
    for sheet in book.worksheets:
        sheet.close()
        vars(sheet)["_writer"].cleanup()  # it has no public name


def _begun(book: "Workbook", sheet: Sheet, part: int) -> "WriteOnlyWorksheet":
    """A further part has its number in its title."""
    addition = f" ({part + 1})" if part else ""
    target: WriteOnlyWorksheet = book.create_sheet(sheet.title[: LONGEST_TITLE - len(addition)] + addition)
    target.freeze_panes = "A2"
    target.append([_written(target, column, sheet, -1) for column in sheet.columns])
    return target


def _written(target: "WriteOnlyWorksheet", cell: Cell, sheet: Sheet, number: int) -> object:
    """A text stays one, whatever it looks like; what a cell cannot hold stops the writing."""
    if not isinstance(cell, str):
        return cell if cell is None or isfinite(cell) else str(cell)
    if not cell:
        return None
    text = _TO_CODE.sub(lambda sign: f"_x{ord(sign[0]):04X}_", cell)
    if len(text.encode("utf-16-le")) // 2 > LONGEST_TEXT:
        message = _(
            "A cell of a workbook holds at most %(limit)d characters; a text of “%(table)s”, row %(row)d, has "
            "%(count)d. Use CSV or JSON lines."
        )
        values = {"limit": LONGEST_TEXT, "table": sheet.title, "row": number + 2, "count": len(text)}
        raise TextTooLongError(message % values)
    return _as_text(target, text) if text.startswith(_LOOKING) else text


def _as_text(target: "WriteOnlyWorksheet", text: str) -> object:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - as above

    cell = WriteOnlyCell(target, text)
    cell.data_type = "s"
    return cell
