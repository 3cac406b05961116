"""Tables that are exported: columns, and rows of texts that are safe in a spreadsheet; and the ways to write them."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from annotation.spreadsheet_cells import restored_text
from campaigns.models import Campaign
from metrics.exporting.choice import ExportChoice
from metrics.exporting.csv_pieces import PIECE, csv_pieces

NUMBERS = frozenset(
    ("value", "position", "revision", "seconds", "active_seconds", "start", "end", "score", "low", "high", "segments")
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


def json_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """An object a row: numbers as numbers, texts as they are, null where the table has an empty cell."""
    lines, size = [], 0
    for row in rows:
        record = {column: _value(column, cell) for column, cell in zip(columns, row, strict=True)}
        lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
        size += len(lines[-1])
        if size > PIECE:
            yield "".join(lines).encode()
            lines, size = [], 0
    if lines:
        yield "".join(lines).encode()


def _value(column: str, cell: str) -> Any:
    if cell == "":
        return None
    if column in AS_JSON:
        return json.loads(cell)
    if column in NUMBERS:
        number = float(cell)
        return None if not math.isfinite(number) else int(number) if number.is_integer() else number
    return restored_text(cell)
