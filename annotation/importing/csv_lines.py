"""Rows of a table as they stand in the file."""

import csv
from collections.abc import Iterator
from typing import TextIO

from django.utils.translation import gettext as _

from campaigns.importing.decoding import Lines
from campaigns.importing.problems import Problems, UnreadableFileError

CELL_LIMIT = 10_000_000


def csv_lines(
    stream: TextIO, name: str, problems: Problems, *, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """The rows with the physical line each begins on."""
    csv.field_size_limit(CELL_LIMIT)
    lines = Lines(stream, name, problems)
    reader = csv.reader(lines, strict=strict)
    while True:
        begins = reader.line_num + 1
        lines.begin()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = _("The table breaks off here (%(reason)s). Look for a quotation mark that is not closed.")
            problems.add(name, begins, "", message % {"reason": error}, is_fatal=True)
            raise UnreadableFileError from error
        if row:
            yield begins, row
