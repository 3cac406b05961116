"""What Appraise packs into its cells: names with a system, copies and planted errors, spans, and item numbers."""

import re
import sqlite3
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from exchange.json_values import JSONError, read_json
from exchange.staging.judgments import Reading

_CONTROL = re.compile(r"bad\d*", re.IGNORECASE)
_DUPLICATE = re.compile(r"dup(licate)?\d*", re.IGNORECASE)
_INCOMPLETE = re.compile(r"incomplete\d*", re.IGNORECASE)


class DocumentName(NamedTuple):
    """`named` is the system's name within the document's name; the flags are what came after it."""

    name: str
    named: str
    is_control: bool
    is_duplicate: bool
    is_incomplete: bool


def read_document_name(text: str, system: str) -> DocumentName:
    """`news-1#Heron#bad2` is `news-1`, of Heron, with planted errors; unknown parts stay in the name."""
    name, *parts = text.split("#")
    name_parts, named = [name], ""
    control = duplicate = incomplete = False
    for part in parts:
        if part and (part == system or system.endswith(f".{part}")):
            named = part
        elif _CONTROL.fullmatch(part):
            control = True
        elif _DUPLICATE.fullmatch(part):
            duplicate = True
        elif _INCOMPLETE.fullmatch(part):
            incomplete = True
        else:
            name_parts.append(part)
    return DocumentName("#".join(name_parts), named, control, duplicate, incomplete)


SEVERITIES = ("neutral", "minor", "major", "critical")
MISSING = "missing"


class SpanReport:
    """Counts omissions, whose place Appraise does not record, and names the lines of marks that were never finished."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.omissions = 0
        self.unfinished: list[int] = []

    def add_notes(self) -> None:
        message = _("Omissions without a position, put at the start of the text: %(count)d.")
        self.reading.note_count(message, self.omissions)
        message = _("Errors without a severity, read as neutral: %(count)d, in lines %(lines)s.")
        self.reading.note_lines(message, sorted(self.unfinished))


def marked_errors(text: str, line: int, report: SpanReport) -> list[dict[str, Any]]:
    """The spans of one row as in an answer: half-open, an omission without extent."""
    if not text.strip():
        return []
    try:
        marks = read_json(text)
    except JSONError as error:
        report.reading.line(line).refuse(
            "spans", _("The spans are not valid JSON: %(reason)s.") % {"reason": error.reason}, text
        )
        return []
    if not isinstance(marks, list):
        report.reading.line(line).refuse("spans", _("The spans must be a JSON list."), text)
        return []
    spans = [read_span(mark, line, report) for mark in marks]
    return [span for span in spans if span is not None]


def read_span(mark: Any, line: int, report: SpanReport) -> dict[str, Any] | None:
    if not isinstance(mark, dict):
        report.reading.line(line).refuse("spans", _("A span must be a JSON object."), str(mark))
        return None
    start, end = mark.get("start_i"), mark.get("end_i")
    severity = str(mark.get("severity") or "").lower()
    if severity in ("", "undecided"):
        report.unfinished.append(line)
        severity = "neutral"
    if severity not in SEVERITIES:
        message = _("Unknown severity. Known: %(known)s.") % {"known": ", ".join(SEVERITIES)}
        report.reading.line(line).refuse("spans", message, severity)
        return None
    if MISSING in (start, end):
        report.omissions += 1
        start, end = 0, -1
    if type(start) is not int or type(end) is not int or not (0 <= start <= end or (start, end) == (0, -1)):
        report.reading.line(line).refuse(
            "spans", _("A span needs a start and an end, and its start must not be after its end."), str(mark)
        )
        return None
    return {"side": "target", "start": start, "end": end + 1, "severity": severity, "note": ""}


_PREPARE = """
CREATE INDEX raw_number ON raw (annotator, batch, number);
CREATE TABLE piece AS
SELECT name, system, is_control, document, annotator, batch, MIN(number) AS low, MAX(number) AS high
FROM raw WHERE NOT is_document GROUP BY name, system, is_control, document, annotator, batch;
CREATE TABLE longest AS SELECT name, MAX(high - low + 1) AS length FROM piece WHERE NOT is_control GROUP BY name;
CREATE UNIQUE INDEX longest_name ON longest (name);
CREATE TABLE placed (document TEXT, annotator TEXT, batch TEXT, system TEXT, before INTEGER);
"""
_PIECES = """
SELECT piece.*, longest.length FROM piece LEFT JOIN longest USING (name)
ORDER BY name, system, is_control, batch = '', CAST(batch AS INTEGER), annotator, document
"""


class Piece(NamedTuple):
    document: str
    annotator: str
    batch: str
    low: int
    high: int


def counts_through_lists(raw: sqlite3.Connection) -> bool:
    """Whether numbers are places in an annotator's list rather than in a document."""
    if raw.execute("SELECT 1 FROM raw WHERE number IS NULL AND NOT is_document LIMIT 1").fetchone():
        return False
    clash = "SELECT 1 FROM raw WHERE NOT is_document GROUP BY annotator, batch, number"
    twice = "MIN(document) <> MAX(document) OR MIN(system) <> MAX(system)"
    if raw.execute(f"{clash} HAVING {twice} LIMIT 1").fetchone():
        return False
    begins = "SELECT name, MIN(number) AS low FROM raw WHERE NOT is_document AND NOT is_control"
    pieces = f"{begins} GROUP BY name, document, annotator, batch"
    moved = raw.execute(f"SELECT 1 FROM ({pieces}) GROUP BY name HAVING MIN(low) <> MAX(low) LIMIT 1")  # noqa: S608
    return moved.fetchone() is not None


def place_in_documents(raw: sqlite3.Connection, reading: Reading) -> None:
    """Fills `placed`: what to subtract from a number to get the item's place in its document, from 1."""
    raw.executescript(_PREPARE)
    genuine: dict[tuple[str, str], int] = {}
    for (name, system), pieces in groupby(raw.execute(_PIECES), lambda row: (row["name"], row["system"])):
        genuine.clear()
        for is_control, rows in groupby(pieces, lambda row: bool(row["is_control"])):
            several = list(rows)
            places = ((row["document"], row["annotator"], row["batch"], row["low"], row["high"]) for row in several)
            lists = _lists(raw, [Piece(*place) for place in places])
            if not is_control:
                starts = _starts(lists, several[0]["length"])
                if len(set(starts)) > 1:
                    _note_joined(reading, name, system, lists)
            else:
                starts = [genuine.get((pieces_of[0].annotator, pieces_of[0].batch), 0) for pieces_of in lists]
            for start, members in zip(starts, lists, strict=True):
                low = min(piece.low for piece in members)
                for piece in members:
                    genuine.setdefault((piece.annotator, piece.batch), start)
                    raw.execute(
                        "INSERT INTO placed VALUES (?, ?, ?, ?, ?)",
                        [piece.document, piece.annotator, piece.batch, system, low - 1 - start],
                    )
    raw.execute("CREATE UNIQUE INDEX placed_key ON placed (document, annotator, batch, system)")


def _lists(raw: sqlite3.Connection, pieces: list[Piece]) -> list[list[Piece]]:
    """Pieces of the same list together: their annotators have no other documents near them."""
    lists: list[list[Piece]] = []
    for piece in pieces:
        for members in lists:
            first = members[0]
            if (piece.document, piece.batch) == (first.document, first.batch) and (
                piece.batch or _is_same_list(raw, piece, first)
            ):
                members.append(piece)
                break
        else:
            lists.append([piece])
    return lists


def _is_same_list(raw: sqlite3.Connection, one: Piece, other: Piece) -> bool:
    if one.low > other.high or other.low > one.high:
        return False
    query = "SELECT 1 FROM raw WHERE annotator = ? AND batch = ? AND number BETWEEN ? AND ? AND document <> ? LIMIT 1"
    return not any(
        raw.execute(query, [mine.annotator, mine.batch, yours.low, yours.high, mine.document]).fetchone() is not None
        for mine, yours in ((one, other), (other, one))
    )


def _starts(lists: list[list[Piece]], longest: int) -> list[int]:
    """How many segments of the document come before each list."""
    lengths = [max(piece.high for piece in each) - min(piece.low for piece in each) + 1 for each in lists]
    if sum(lengths) > longest:
        return [0] * len(lists)
    return [0, *accumulate(lengths[:-1])]


def _note_joined(reading: Reading, name: str, system: str, lists: list[list[Piece]]) -> None:
    message = _(
        "Document %(document)s of %(system)s is in several lists. Its parts were joined in this order: %(order)s."
    )
    order = ", ".join(members[0].annotator for members in lists)
    reading.problems.note(message % {"document": name, "system": system, "order": order})
