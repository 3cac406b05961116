"""Exported tables: columns, and rows of texts that are safe in a spreadsheet; written as CSV or JSON lines."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, NamedTuple

from campaigns.models import Campaign
from exchange.cells import restored_text, safe_name
from exchange.exported_judgments import ExportChoice

PIECE = 64 * 1024
ROWS = 50  # written at once
NUMBERS = frozenset(
    (
        *("value", "position", "screen", "column", "revision", "seconds", "active_seconds"),
        *("start", "end", "score", "low", "high", "segments"),
    )
)
AS_JSON = frozenset(("answer", "surplus", "program"))


class Table(NamedTuple):
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]


TableOf = Callable[[Campaign, ExportChoice], Table]


def as_csv(table_of: TableOf) -> Callable[[Campaign, ExportChoice], Iterator[bytes]]:
    return lambda campaign, choice: csv_pieces(*table_of(campaign, choice))


def as_json_lines(table_of: TableOf) -> Callable[[Campaign, ExportChoice], Iterator[bytes]]:
    return lambda campaign, choice: json_lines(*table_of(campaign, choice))


def csv_pieces(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """UTF-8, comma, CRLF as in RFC 4180: so a lone CR or LF in a text is always quoted.

    The header is a piece of its own, so that a download begins before the first row is read.
    """
    return chain(csv_rows([header]), csv_rows(rows))


def csv_rows(rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """As csv_pieces, without a header."""
    text = io.StringIO(newline="")
    writer, coming = csv.writer(text), iter(rows)
    while several := tuple(islice(coming, ROWS)):
        writer.writerows(several)
        if text.tell() > PIECE or len(several) < ROWS:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    if text.tell():
        yield text.getvalue().encode()


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Of plain cells: texts are written so that no spreadsheet runs them, numbers in full."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(safe_name, header))
    writer.writerows([safe_name(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()


def json_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """One object a row: numbers as numbers, texts as they are, null for an empty cell."""
    records = ({column: _value(column, cell) for column, cell in zip(columns, row, strict=True)} for row in rows)
    return pieces_of(json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in records)


def pieces_of(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines, each with its end, in pieces that are worth sending."""
    piece, size = [], 0
    for line in lines:
        piece.append(line)
        size += len(line)
        if size > PIECE:
            yield "".join(piece).encode()
            piece, size = [], 0
    if piece:
        yield "".join(piece).encode()


def _value(column: str, cell: str) -> Any:
    if cell == "":
        return None
    if column in AS_JSON:
        return json.loads(cell)
    if column in NUMBERS:
        number = float(cell)
        return None if not math.isfinite(number) else int(number) if number.is_integer() else number
    return restored_text(cell)


def as_number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def as_seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else as_number(milliseconds / 1000)


def as_time(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
