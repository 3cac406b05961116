"""Rows of a CSV file in UTF-8 by the piece, through whose lines the csv module goes without a call of ours for each."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from campaigns.reading.table_rows import LONGEST_ROW

PIECE = 1 << 19  # bytes


@dataclass(frozen=True)
class Place:
    """Where a row begins: behind so many bytes and lines of the file."""

    offset: int = 0
    lines: int = 0


BEGINNING = Place()


@dataclass(frozen=True)
class Piece:
    """Whole rows that are not empty, the physical line each begins on, and the place behind them."""

    rows: Sequence[list[str]]
    numbers: Sequence[int]
    end: Place


def csv_pieces(path: Path, place: Place, end: int | None = None) -> Iterator[Piece]:
    """From a place on, to the offset `end` or that of the file. They stop early where a row is broken or very long."""
    csv.field_size_limit(LONGEST_ROW)
    with path.open("rb") as stream:
        stream.seek(place.offset)
        data = b""
        while True:
            more = stream.read(PIECE if end is None else min(PIECE, end - stream.tell()))
            data += more
            if len(data) >= LONGEST_ROW:
                return
            size = _whole_rows(data) if more else len(data)
            if size:
                piece = _piece(data[:size], place)
                if piece is None:
                    return
                yield piece
                place, data = piece.end, data[size:]
            if not more:
                return


def _whole_rows(data: bytes) -> int:
    """The size up to the last line end before which quotation marks are in pairs."""
    size = data.rfind(b"\n") + 1
    marks = data.count(b'"', 0, size)
    while marks % 2:
        before = data.rfind(b"\n", 0, size - 1) + 1
        marks -= data.count(b'"', before, size)
        size = before
    return size


def _piece(data: bytes, place: Place) -> Piece | None:
    """None if the csv module does not read the last row to its end."""
    text = data.decode("utf-8" if place.offset else "utf-8-sig", "surrogateescape")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: Sequence[list[str]]
    try:
        rows, ends = zip(*((row, reader.line_num) for row in reader), strict=True)
    except csv.Error:
        return None
    numbers: Sequence[int] = [place.lines + before + 1 for before in (0, *ends[:-1])]
    if not all(rows):
        filled = [(row, number) for row, number in zip(rows, numbers, strict=True) if row]
        rows, numbers = [row for row, _number in filled], [number for _row, number in filled]
    return Piece(rows, numbers, Place(place.offset + len(data), place.lines + reader.line_num))


def place_near(path: Path, offset: int) -> Place | None:
    """Behind the first line from an offset on up to whose end quotation marks are in pairs: a row may begin there."""
    marks = lines = 0
    with path.open("rb") as stream:
        while (left := offset - stream.tell()) > 0 and (data := stream.read(min(PIECE, left))):
            while data.endswith(b"\r") and (more := stream.read(1)):  # perhaps half of a line end
                data += more
            marks, lines = marks + data.count(b'"'), lines + _lines_in(data)
        while data := stream.readline(LONGEST_ROW):
            marks, lines = marks + data.count(b'"'), lines + _lines_in(data)
            if marks % 2 == 0 and data.endswith(b"\n"):
                return Place(stream.tell(), lines)
    return None


def _lines_in(data: bytes) -> int:
    """As Python counts them where no line end is translated."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
