"""Rows as pieces of a CSV file, and how numbers and times are written in one."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

PIECE = 64 * 1024


def csv_pieces(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """UTF-8, comma, CRLF as RFC 4180 has it: with it a lone CR or LF in a text is always quoted."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(header)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > PIECE:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def as_number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def as_seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else as_number(milliseconds / 1000)


def as_time(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
