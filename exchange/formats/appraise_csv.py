"""`appraise-csv` → neutral records: what Appraise exports of direct assessment and of error span annotation.

All rows are stored in a scratch database first: which of them is current, and where a segment is in its document,
follows from rows that may be anywhere in the file.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from annotation.models import ItemKind
from campaigns.languages import language_of_code
from exchange import cells
from exchange.cells import CellError
from exchange.formats.appraise_cells import (
    SpanReport,
    counts_through_lists,
    marked_errors,
    place_in_documents,
    read_document_name,
)
from exchange.reading import check_header, known_columns, note_unknown
from exchange.staging.database import insert_rows, scratch_database
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow

KIND_OF_TYPE = {"TGT": "regular", "BAD": "degraded", "CHK": "repeat", "REF": "reference"}
# reasons for skipped rows, translated when they are reported
_DUPLICATE = gettext_noop("duplicates that fill up a list (#duplicate)")
_INCOMPLETE = gettext_noop("incomplete documents (#incomplete)")
_OTHER_PAIR = gettext_noop("another language pair")
_RAW = """
CREATE TABLE raw (
    place INTEGER PRIMARY KEY, line INTEGER, annotator TEXT, system TEXT, item TEXT, kind TEXT, score REAL,
    document TEXT, is_document INTEGER, spans TEXT, started REAL, ended REAL, batch TEXT, number INTEGER, name TEXT,
    is_control INTEGER
);
"""
_NUMBERED = """
CREATE TABLE numbered AS
SELECT keyed.*, number - before AS segment_number,
    DENSE_RANK() OVER (PARTITION BY annotator, batch ORDER BY first_at, first_line) AS position,
    ROW_NUMBER() OVER (PARTITION BY annotator, batch, system, document, item, is_document, kind
        ORDER BY ended, line)
        AS revision
FROM (
    SELECT raw.*, placed.before,
        MIN(COALESCE(started, ended, line)) OVER same AS first_at, MIN(line) OVER same AS first_line
    FROM raw LEFT JOIN placed ON placed.document = raw.document AND placed.annotator = raw.annotator
        AND placed.batch = raw.batch AND placed.system = raw.system AND NOT raw.is_document
    WINDOW same AS (PARTITION BY raw.annotator, raw.batch, raw.system, raw.document, item, is_document, kind)
) AS keyed
"""


def read_appraise_csv(reading: Reading) -> Iterator[Row]:
    """The records of a sound file; errors go to the problems, what is left out to the notes."""
    with scratch_database() as raw:
        raw.executescript(_RAW)
        systems: dict[str, str] = {}
        has_spans = _keep(raw, reading, systems)
        if reading.problems.count:
            return
        if counts_through_lists(raw):
            place_in_documents(raw, reading)
        else:
            raw.execute("CREATE TABLE placed (document TEXT, annotator TEXT, batch TEXT, system TEXT, before INTEGER)")
        raw.execute(_NUMBERED)
        _note_superseded(raw, reading)
        yield from _segments(raw)
        yield from _judgments(raw, reading, systems, has_spans=has_spans)


def _keep(raw: sqlite3.Connection, reading: Reading, systems: dict[str, str]) -> bool:
    """Fills `raw`; returns whether the file has error spans."""
    lines = reading.csv_rows()
    first = next(lines, None)
    if first is None:
        reading.refuse(_("The file is empty."))
    columns, is_header = columns_of(first[1], reading)
    rows = _Rows(reading, columns, systems)
    raw.execute("BEGIN")
    if not is_header:
        insert_rows(raw, "raw", rows.read(*first))
    insert_rows(raw, "raw", (row for line, cells_of in lines for row in rows.read(line, cells_of)))
    raw.execute("COMMIT")
    rows.report()
    return "spans" in columns


class _Rows:
    """Checks one line after the other; counts what is left out."""

    def __init__(self, reading: Reading, columns: Sequence[str], systems: dict[str, str]) -> None:
        self.reading, self.columns, self.systems = reading, columns, systems
        self.left_out: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.others: set[str] = set()

    def read(self, line: int, row: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        if not self.reading.line(line).has_width(row, len(self.columns)):
            return
        by_column = dict(zip(self.columns, row, strict=True))
        source, target = (language_of_code(by_column.get(f"{side}_language", "")) for side in ("source", "target"))
        requested = (self.reading.source_language, self.reading.target_language)
        if any(wanted and own and wanted != own for wanted, own in zip(requested, (source, target), strict=True)):
            self.left_out[_OTHER_PAIR] += 1
            self.others.add(f"{source}-{target}")
            return
        values = self._values(line, by_column)
        if values is not None:
            if values["type"] != ItemKind.PRACTICE:  # tutorials may have another language pair
                self.pairs[source, target] += 1
            yield tuple(values.values())

    def _values(self, line: int, by_column: dict[str, str]) -> dict[str, Any] | None:
        values = self.reading.line(line).parse(_PARSERS, by_column)
        if values is None:
            return None
        about = read_document_name(values["document"], values["system"])
        if about.is_duplicate or about.is_incomplete:
            self.left_out[_DUPLICATE if about.is_duplicate else _INCOMPLETE] += 1
            return None
        if about.named:
            self.systems[values["system"]] = about.named
        if "tutorial" in values["system"].lower() or "tutorial" in values["document"].lower():
            values["type"] = ItemKind.PRACTICE.value
        item = values["item"]
        number = int(item) if item.isascii() and item.isdigit() and len(item) < 10 else None
        return {"line": line, **values, "number": number, "name": about.name or item, "is_control": about.is_control}

    def report(self) -> None:
        for reason, count in self.left_out.items():
            self.reading.problems.note(
                _("Rows left out, %(reason)s: %(count)d.") % {"count": count, "reason": gettext(reason)}
            )
        known = {"-".join(pair) for pair in self.pairs}
        self.reading.problems.pairs = sorted(known | self.others) if len(known | self.others) > 1 else []
        if len(known) > 1:
            self.reading.refuse_pairs(known)
        if self.others and not self.pairs and not self.reading.problems.count:
            requested = (self.reading.source_language, self.reading.target_language)
            self.reading.refuse_other_pairs(*requested, self.others)
        for source, target in self.pairs:
            self.reading.source_language = self.reading.source_language or source
            self.reading.target_language = self.reading.target_language or target


def _kind(cell: str) -> str:
    kind = KIND_OF_TYPE.get(cell.strip().upper())
    if kind is None:
        raise CellError(_("Unknown type of item. Known: %(known)s.") % {"known": ", ".join(KIND_OF_TYPE)})
    return kind


def _score(cell: str) -> float:
    score = cells.parse_number(cell.strip())
    if score is None:
        raise CellError(_("This cell is empty."))
    if not 0 <= score <= 100:
        raise CellError(_("A score must be from 0 to 100."))
    return score


def _moment(cell: str) -> float | None:
    """Seconds since 1970."""
    seconds = cells.parse_number(cell.strip())
    if seconds is not None and not 0 <= seconds < 1e11:
        raise CellError(_("This is not a time in seconds since 1970."))
    return seconds


_PARSERS: dict[str, Any] = {
    "annotator": lambda cell: cells.check_name(cell.strip(), longest=150, required=True),
    "system": lambda cell: cells.check_name(cell.strip(), longest=150, required=True),
    "item": lambda cell: cells.check_name(cell.strip(), longest=255, required=True),
    "type": _kind,
    "score": _score,
    "document": lambda cell: cells.check_name(cell.strip(), longest=255, required=False),
    "is_document": cells.parse_switch,
    "spans": cells.check_text,
    "started": _moment,
    "ended": _moment,
    "batch": lambda cell: cells.check_name(cell.strip(), longest=255, required=False),
}


def _note_superseded(raw: sqlite3.Connection, reading: Reading) -> None:
    older = "SELECT COUNT(*) FROM numbered WHERE revision > 1 AND kind = ?"
    of_kind = "SELECT COUNT(*) FROM numbered WHERE kind = ?"
    for query, kind, message in (
        (older, "regular", _("Rows replaced by a later answer to the same item: %(count)d.")),
        (older, "degraded", _("Rows of degraded items replaced by a later answer: %(count)d.")),
        (of_kind, "practice", _("Rows of a tutorial, stored as practice: %(count)d.")),
        (of_kind, "degraded", _("Rows of degraded items (BAD): %(count)d.")),
    ):
        reading.note_count(message, raw.execute(query, [kind]).fetchone()[0])


def _segments(raw: sqlite3.Connection) -> Iterator[TextRow]:
    """Documents in the order of the file, their segments by number."""
    query = """
        SELECT name, segment FROM (
            SELECT name, COALESCE(segment_number, item) AS segment, MIN(MIN(line)) OVER (PARTITION BY name) AS first,
                MIN(COALESCE(segment_number, number)) AS number, MIN(line) AS line
            FROM numbered WHERE NOT is_document GROUP BY name, 2
        ) ORDER BY first, number, line
    """
    for name, segment in raw.execute(query):
        yield TextRow(document=name, segment=str(segment))


def _judgments(
    raw: sqlite3.Connection, reading: Reading, systems: dict[str, str], *, has_spans: bool
) -> Iterator[JudgmentRow]:
    report = SpanReport(reading)
    usual = "esa" if has_spans else "direct_assessment"
    protocol = reading.protocol or usual
    takes_spans = has_spans and protocol == usual
    for row in raw.execute("SELECT * FROM numbered ORDER BY annotator, batch, position, revision"):
        answer = ""
        score = row["score"]
        if takes_spans and not row["is_document"]:
            spans = marked_errors(row["spans"], row["line"], report)
            whole = int(score) if score.is_integer() else score
            slots = {"A": {"spans": spans, "score": whole}}
            answer = cells.written_answer({"slots": slots, "comment": "", "cannot_judge": None})
        started, ended = row["started"], row["ended"]
        yield JudgmentRow(
            line=row["line"],
            judgment=str(row["line"]),
            annotator=row["annotator"],
            protocol=protocol,
            document=row["name"],
            segment="" if row["is_document"] else str(row["segment_number"] or row["item"]),
            system=systems.get(row["system"], row["system"]),
            kind=row["kind"],
            measure="document_score" if row["is_document"] else "score",
            value=score,
            assignment=row["batch"],
            position=row["position"],
            revision=row["revision"],
            started=None if started is None else datetime.fromtimestamp(started, tz=UTC),
            submitted=None if ended is None else datetime.fromtimestamp(ended, tz=UTC),
            elapsed_ms=None if started is None or ended is None else _milliseconds(ended - started),
            answer=answer,
        )
    report.add_notes()


def _milliseconds(seconds: float) -> int | None:
    elapsed = round(seconds * 1000)
    return elapsed if 0 <= elapsed <= cells.LARGEST_MILLISECONDS else None


FIRST = ("annotator", "system", "item", "type", "source_language", "target_language", "score")
DOCUMENT = ("document", "is_document")
TIMES = ("started", "ended")
BATCH = ("batch", "batch_item")
REQUIRED = ("annotator", "system", "item", "type", "score")
# names in headers that people add to such files, in lower case and without punctuation
_ALIASES = {
    "annotator": ("username", "user", "account", "annotator", "login", "userid"),
    "system": ("system", "systemid", "targetid"),
    "item": ("itemid", "item", "segmentid", "segid", "segment"),
    "type": ("itemtype", "type"),
    "source_language": ("srclang", "src", "source", "sourcelanguage", "srclanguage", "sourcelang"),
    "target_language": ("trglang", "trg", "target", "tgt", "targetlanguage", "tgtlang", "targetlang"),
    "score": ("score",),
    "document": ("docid", "documentid", "document", "doc"),
    "is_document": ("isdocscore", "isdocumentscore", "iscompletedocument", "isdoc"),
    "spans": ("mqm", "errorspans", "spans", "esaspans"),
    "started": ("timestart", "start", "starttime", "started"),
    "ended": ("timeend", "end", "endtime", "ended"),
    "batch": ("batchno", "batch", "batchid"),
    "batch_item": ("realitemid",),
}


def missing_columns(first: Sequence[str]) -> list[str]:
    """What a first row lacks to be one of Appraise, with a header or without."""
    named = known_columns(first, _ALIASES)
    if "score" in named and "system" in named:
        return [f"`{name}`" for name in REQUIRED if name not in named]
    is_item = len(first) >= len(FIRST) and first[3].strip().upper() in KIND_OF_TYPE
    return [] if is_item else [_("type of item (%(known)s) in the fourth cell") % {"known": ", ".join(KIND_OF_TYPE)}]


def columns_of(first: Sequence[str], reading: Reading) -> tuple[list[str], bool]:
    """The name of each column ("" if unknown), and whether the row is a header."""
    named = known_columns(first, _ALIASES)
    if "score" not in named or "system" not in named:
        return _by_shape(first, reading), False
    check_header(named, REQUIRED, _ALIASES, reading.line(1))
    note_unknown([cell.strip() for cell, column in zip(first, named, strict=True) if not column], reading.problems)
    return named, True


def _by_shape(first: Sequence[str], reading: Reading) -> list[str]:
    """Always seven columns; then document, spans, times and batch, each of which may be missing."""
    columns, rest = list(FIRST), list(first[len(FIRST) :])
    if len(rest) > 1 and rest[1].strip().lower() in ("true", "false"):
        columns += DOCUMENT
        del rest[:2]
    if rest and rest[0].lstrip().startswith(("[", "{")):
        columns.append("spans")
        del rest[:1]
    for pair in (TIMES, BATCH):
        if len(rest) > 1:
            columns += pair
            del rest[:2]
    if len(first) < len(FIRST) or rest:
        message = _(
            "This is not an export of Appraise: it has %(count)d columns. An export has 11, or 12 with error spans: "
            "annotator, system, item, type, two languages, score, document, whether it is the document's score, spans, "
            "start and end."
        )
        reading.refuse(message % {"count": len(first)}, 1)
    return columns
