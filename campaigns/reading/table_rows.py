"""Rows of a table that somebody wrote: comma, semicolon or tab; never more of it in memory than memory should hold."""

import csv
from collections.abc import Iterator
from typing import Any, Self, TextIO

from django.utils.translation import gettext as _

from campaigns.reading.problems import Problems, UnreadableFileError

LONGEST_ROW = 10_000_000  # characters that are in memory at once: of a line, or of the lines of a row
MOST_COLUMNS = 2_000  # a header of ten million commas would take a gigabyte


class Lines:
    """The lines of a text. Those of one row, from one `begin` to the next, are never more than memory should hold."""

    def __init__(self, stream: TextIO, name: str, problems: Problems, before: int = 0) -> None:
        self._stream, self._name, self._problems = stream, name, problems
        self._number, self._begins, self._held = before, 0, 0

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


def table_rows(stream: TextIO, name: str, problems: Problems, *, is_tabbed: bool) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the physical line each begins on."""
    dialect: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    if not is_tabbed:
        dialect = {"delimiter": _delimiter(stream), "strict": True}
    for line, cells in csv_rows(stream, name, problems, **dialect):
        if any(cell.strip() for cell in cells):
            yield line, cells


def csv_rows(
    stream: TextIO, name: str, problems: Problems, *, lines_before: int = 0, **dialect: Any
) -> Iterator[tuple[int, list[str]]]:
    """Rows with the physical line each begins on; a `dialect` is that of `csv.reader`."""
    csv.field_size_limit(LONGEST_ROW)
    lines = Lines(stream, name, problems, lines_before)
    reader = csv.reader(lines, **dialect)
    while True:
        begins = lines_before + reader.line_num + 1
        lines.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = _(
                "The table cannot be read from here on (%(reason)s). Look for a quotation mark that is not closed."
            )
            problems.add(name, begins, "", message % {"reason": error}, is_fatal=True)
            raise UnreadableFileError from error
        if len(cells) > MOST_COLUMNS:
            message = _("%(count)d cells, but a row has at most %(most)d. Look for what separates them.")
            problems.add(name, begins, "", message % {"count": len(cells), "most": MOST_COLUMNS}, is_fatal=True)
            raise UnreadableFileError
        if cells:
            yield begins, cells


def _delimiter(stream: TextIO) -> str:
    """Spreadsheets in half of Europe write semicolons; the header shows which."""
    head = stream.readline(100_000)
    stream.seek(0)
    return ";" if head.count(";") > head.count(",") else ","
