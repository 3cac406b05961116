"""`wmt-mqm-tsv` → neutral records: one line an error, as the MQM ratings of WMT are published.

The lines of a judgment may be anywhere in the file, and two raters' copies of a text may differ in a sign. So all lines
are stored in a scratch database first; the most frequent version of a text is used, and spans of others are moved.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.taxonomies.typology import SEVERITIES, TYPOLOGIES, typology_named
from exchange import cells
from exchange.cells import CellError, restore
from exchange.reading import check_header, known_columns, note_unknown
from exchange.staging.database import insert_rows, scratch_database
from exchange.staging.judgments import JudgmentRow, Reading, Row, TextRow, slot_label

# in lower case and without punctuation
_ALIASES = {
    "system": ("system", "systemid", "mt"),
    "document": ("doc", "document", "docname", "documentid"),
    "segment": ("docid", "docsegid", "docseg", "segmentindoc"),
    "number": ("segid", "globalsegid", "seg", "segment", "segmentid"),
    "rater": ("rater", "annotator", "raterid", "annotatorid"),
    "source": ("source", "src", "sourcetext"),
    "target": ("target", "tgt", "targettext", "translation", "hyp"),
    "category": ("category", "errorcategory", "errortype"),
    "severity": ("severity", "errorseverity"),
    "comment": ("comment", "comments", "note", "notes"),
    "metadata": ("metadata",),
}
GUARDED = "#guarded"  # our own column: cells have an apostrophe where a spreadsheet would run a formula
_REQUIRED = ("system", "document", "rater", "target", "category", "severity")
_WITHOUT_HEADER = ("system", "document", "segment", "number", "rater", "source", "target", "category", "severity")
OPEN, CLOSE = "<v>", "</v>"
PROTOCOL = "mqm"
NO_ERROR = ("no-error", "no error", "noerror")
ATTENTION_CHECK = "hotw-test"
WHOLE_TEXT = "non-translation"  # needs no mark: it concerns the whole text
_TIMESTAMP = re.compile(r'"timestamp":\s*(\d{12,14})')
_RAW = """
CREATE TABLE raw (
    place INTEGER PRIMARY KEY, line INTEGER, system TEXT, document TEXT, segment TEXT, rater TEXT, source TEXT,
    target TEXT, side TEXT, start INTEGER, "end" INTEGER, category TEXT, severity TEXT, note TEXT, submitted INTEGER,
    extra TEXT, beside TEXT
);
"""
# `usual`: as most lines write it. `text`: the longest version that differs from it only in trailing blanks,
# so that no mark is cut off.
_TEXTS = """
CREATE TABLE {side}_text AS SELECT {key}, text, usual FROM (
    SELECT {key}, text, FIRST_VALUE(text) OVER (PARTITION BY {key} ORDER BY lines DESC, line) AS usual,
        ROW_NUMBER() OVER (PARTITION BY {key} ORDER BY alike DESC, LENGTH(text) DESC, line) AS number
    FROM (
        SELECT {key}, {side} AS text, COUNT(*) AS lines, MIN(line) AS line,
            SUM(COUNT(*)) OVER (PARTITION BY {key}, RTRIM({side})) AS alike
        FROM raw GROUP BY {key}, {side}
    )
) WHERE number = 1;
CREATE UNIQUE INDEX {side}_text_key ON {side}_text ({key});
"""
_JUDGMENTS = """
SELECT raw.*, source_text.text AS source_text, target_text.text AS target_text,
    source <> source_text.usual OR target <> target_text.usual AS differs,
    MIN(line) OVER (PARTITION BY raw.document, raw.segment, rater, MIN(raw.system, beside), MAX(raw.system, beside))
        AS first
FROM raw
JOIN source_text ON source_text.document = raw.document AND source_text.segment = raw.segment
JOIN target_text ON target_text.document = raw.document AND target_text.segment = raw.segment
    AND target_text.system = raw.system
ORDER BY first, line
"""
_SEGMENTS = """
SELECT document, segment FROM (
    SELECT document, segment, MIN(MIN(line)) OVER (PARTITION BY document) AS first, MIN(line) AS line
    FROM raw GROUP BY document, segment
) ORDER BY first, CASE WHEN segment GLOB '[0-9]*' THEN CAST(segment AS INTEGER) END, line
"""


class MarkedText(NamedTuple):
    """Half-open, in code points of `text`; both None where nothing is marked.

    Of several marks the first beginning and the last end count; a mark that is not closed goes to the end.
    """

    text: str
    start: int | None
    end: int | None
    is_regular: bool


class LineExtras(NamedTuple):
    """What a line has beside its mark: `extra` is JSON that goes with the span, its time is in milliseconds."""

    note: str
    submitted: int | None
    extra: str | None = None


def missing_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """What the first rows lack to be ratings, with a header or without."""
    named = known_columns(rows[0], _ALIASES)
    lacks = [name for name in _REQUIRED if name not in named]
    place = _WITHOUT_HEADER.index("severity")
    severities = {row[place].strip().lower() for row in rows if len(row) in (place + 1, place + 2)}
    return lacks if lacks and severities.isdisjoint((*SEVERITIES, *NO_ERROR)) else []


def read_mqm_tsv(reading: Reading) -> Iterator[Row]:
    """The records of a sound file; errors go to the problems, what was corrected to the notes."""
    with scratch_database() as raw:
        yield from read_ratings(raw, MqmLines(reading))


def read_ratings(raw: sqlite3.Connection, lines: "MqmLines") -> Iterator[Row]:
    raw.executescript(_RAW)
    raw.execute("BEGIN")
    insert_rows(raw, "raw", lines.read())
    raw.execute("COMMIT")
    lines.report()
    if lines.reading.problems.count:
        return
    lines.before_texts(raw)
    raw.executescript(_TEXTS.format(side="source", key="document, segment"))
    raw.executescript(_TEXTS.format(side="target", key="document, segment, system"))
    for document, segment in raw.execute(_SEGMENTS):
        yield TextRow(document=document, segment=segment)
    yield from lines.texts(raw)
    yield from _judgments(raw, lines)


class MqmLines:
    """Checks one line after the other; collects what to report. Formats with more in a line have a class of theirs."""

    without_header: tuple[str, ...] = (*_WITHOUT_HEADER, "comment")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.checks = 0
        self.is_guarded = False
        self.unmarked: list[int] = []
        self.irregular: list[int] = []
        self.categories: Counter[str] = Counter()

    def extras(self, line: int, cells: Mapping[str, str], values: Mapping[str, Any]) -> LineExtras | None:  # noqa: ARG002 - formats need it
        """None, with the reason among the problems, for a line that is wrong."""
        time = _TIMESTAMP.search(cells.get("metadata", ""), 0, 400)
        return LineExtras(values["comment"].strip(), int(time[1]) if time else None)

    def is_rating(self, line: int, cells: Mapping[str, str]) -> bool:  # noqa: ARG002 - formats need it
        """False for lines that are no judgment; what they have is kept."""
        return True

    def before_texts(self, raw: sqlite3.Connection) -> None:
        """What has to be known of all lines."""

    def texts(self, raw: sqlite3.Connection) -> Iterator[TextRow]:  # noqa: ARG002 - formats need it
        """Texts beside those of the ratings."""
        yield from ()

    def finished_slot(self, raw: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> dict[str, Any]:  # noqa: ARG002
        """The answer about one output, of all its lines."""
        return {"spans": [_span(row) for row in rows if row["side"]]}

    def read(self) -> Iterator[tuple[Any, ...]]:
        columns: list[str] = []
        for line, text in self.reading.lines():
            row = text.split("\t")
            if not columns:
                columns, is_header = columns_of(row, self.reading, self.without_header)
                self.is_guarded = GUARDED in row
                if is_header:
                    continue
            values = self._values(line, row, columns) if text else None
            if values is not None:
                yield values
        if not columns:
            self.reading.refuse(_("The file is empty."))

    def _values(self, line: int, row: Sequence[str], columns: Sequence[str]) -> tuple[Any, ...] | None:
        least = max(columns.index(column) for column in ("severity", "category", "target", "rater"))
        if not least < len(row) <= len(columns):
            self.reading.line(line).has_width(row, len(columns))
            return None
        cells = dict(zip(columns, map(restore, row) if self.is_guarded else row, strict=False))
        if cells["severity"].strip().lower() == ATTENTION_CHECK:
            self.checks += 1
            return None
        if not self.is_rating(line, cells):
            return None
        values = self.reading.line(line).parse(PARSERS, cells)
        extras = None if values is None else self.extras(line, cells, values)
        if values is None or extras is None:
            return None
        source, target = read_marks(values["source"]), read_marks(values["target"])
        who = (line, values["system"], values["document"], values["segment"] or values["number"], values["rater"])
        category = ""
        mark: tuple[str, int | None, int | None] = ("", None, None)
        if values["severity"]:
            category = values["category"]
            self.categories[category] += 1
            mark = self._place(line, category, source, target)
        return (*who, source.text, target.text, *mark, category, values["severity"], *extras, "")

    def _place(self, line: int, category: str, source: MarkedText, target: MarkedText) -> tuple[str, int, int]:
        side, marked = ("source", source) if target.start is None and source.start is not None else ("target", target)
        if not marked.is_regular:
            self.irregular.append(line)
        if marked.start is None or marked.end is None:
            if category == WHOLE_TEXT:
                return side, 0, len(marked.text)
            self.unmarked.append(line)
            return side, 0, 0
        return side, marked.start, marked.end

    def report(self) -> None:
        message = _("Attention checks (HOTW-test), left out because they are not judgments: %(count)d.")
        self.reading.note_count(message, self.checks)
        message = _(
            "Errors without a marked place, put at the start of the translation: %(count)d, in lines %(lines)s."
        )
        self.reading.note_lines(message, self.unmarked)
        message = _(
            "Errors without exactly one <v> and one </v>, read as well as possible: %(count)d, in lines %(lines)s."
        )
        self.reading.note_lines(message, self.irregular)
        known = {path for name in TYPOLOGIES for path in typology_named(name).titles()}
        unknown = sorted(category for category in self.categories if category and category not in known)
        if unknown:
            listed = ", ".join(f"{category} ({self.categories[category]})" for category in unknown[:50])
            message = _("Categories that no typology of Assay has, weighted by severity alone: %(listed)s.")
            self.reading.problems.note(message % {"listed": listed})


def _severity(cell: str) -> str:
    severity = cell.strip().lower()
    if severity in NO_ERROR:
        return ""
    if severity not in SEVERITIES:
        raise CellError(_("Unknown severity. Known: %(known)s, No-error.") % {"known": ", ".join(SEVERITIES)})
    return severity


def category_path(cell: str) -> str:
    """ "Accuracy/Mistranslation" is `accuracy/mistranslation`, "Non-translation!" `non-translation`."""
    parts = [slugify(part) or part.strip().lower() for part in cells.check_text(cell).split("/")]
    return cells.check_name("/".join(parts), longest=150, required=False)


PARSERS: dict[str, Any] = {
    "system": lambda cell: cells.check_name(cell.strip(), longest=150, required=True),
    "document": lambda cell: cells.check_name(cell.strip(), longest=255, required=True),
    "segment": lambda cell: cells.check_name(cell.strip(), longest=255, required=False),
    "number": lambda cell: cells.check_name(cell.strip(), longest=255, required=False),
    "rater": lambda cell: cells.check_name(cell.strip(), longest=150, required=True),
    "source": cells.check_text,
    "target": cells.check_text,
    "category": category_path,
    "severity": _severity,
    "comment": cells.check_text,
}


def _judgments(raw: sqlite3.Connection, lines: MqmLines) -> Iterator[JudgmentRow]:
    """Of outputs side by side, one judgment with a slot for each."""
    differing: list[int] = []
    protocol = lines.reading.protocol or PROTOCOL
    for line, rows in groupby(raw.execute(_JUDGMENTS), itemgetter("first")):
        by_system: dict[str, list[sqlite3.Row]] = {}
        for row in rows:
            by_system.setdefault(row["system"], []).append(row)
            if row["differs"]:
                differing.append(row["line"])
        several = list(by_system.values())
        times = [row["submitted"] for own in several for row in own if row["submitted"]]
        slots = {slot_label(number): lines.finished_slot(raw, own) for number, own in enumerate(several, start=1)}
        answer = {"slots": slots, "comment": "", "cannot_judge": None}
        written = cells.written_answer(answer)
        for label, own in zip(slots, several, strict=True):
            yield JudgmentRow(
                line=own[0]["line"],
                judgment=str(line),
                annotator=own[0]["rater"],
                protocol=protocol,
                document=own[0]["document"],
                segment=own[0]["segment"],
                system=own[0]["system"],
                slot=label if len(several) > 1 else "",
                submitted=datetime.fromtimestamp(max(times) / 1000, tz=UTC) if times else None,
                answer=written,
                source=own[0]["source_text"] or None,
                translation=own[0]["target_text"],
            )
    message = _(
        "Texts that differ from the same output in other lines: %(count)d, in lines %(lines)s. Their spans were "
        "moved to the text of most lines."
    )
    lines.reading.note_lines(message, differing)


def _span(row: sqlite3.Row) -> dict[str, Any]:
    start, end = row["start"], row["end"]
    marked, longest = row[row["side"]], row[f"{row['side']}_text"]
    if not longest.startswith(marked):
        start = moved_place(start, marked, longest, is_end=False)
        end = max(start, moved_place(end, marked, longest, is_end=True))
    return {
        "side": row["side"],
        "start": start,
        "end": end,
        "category": row["category"],
        "severity": row["severity"],
        "note": row["note"],
    }


def columns_of(
    first: Sequence[str], reading: Reading, without_header: tuple[str, ...] = MqmLines.without_header
) -> tuple[list[str], bool]:
    """The name of each column ("" if unknown), and whether the row is a header."""
    named = known_columns(first, _ALIASES)
    if "severity" not in named and "system" not in named:
        if not 0 <= len(first) - len(_WITHOUT_HEADER) <= 1:
            message = _("These are not MQM ratings: no header, columns: %(count)d. Columns are separated by tabs.")
            reading.refuse(message % {"count": len(first)}, 1)
        return list(without_header[: len(first)]), False
    check_header(named, _REQUIRED if "number" in named else (*_REQUIRED, "segment"), _ALIASES, reading.line(1))
    titles = (cell.strip() for cell, column in zip(first, named, strict=True) if not column)
    note_unknown([title for title in titles if title and not title.startswith("#")], reading.problems)
    return named, True


def read_marks(marked: str) -> MarkedText:
    text = marked.replace(OPEN, "").replace(CLOSE, "")
    opened, closed = marked.count(OPEN), marked.count(CLOSE)
    if not opened and not closed:
        return MarkedText(text, None, None, is_regular=True)
    start = _plain_place(marked, marked.find(OPEN)) if opened else 0
    end = _plain_place(marked, marked.rfind(CLOSE)) if closed else len(text)
    is_regular = opened == closed == 1 and start <= end
    return MarkedText(text, start, max(start, end), is_regular)


def moved_place(place: int, old: str, new: str, *, is_end: bool) -> int:
    """The same place in a slightly different text."""
    for kind, low, high, new_low, new_high in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal" and low <= place <= high:
            return new_low + place - low
        if low <= place <= high and (place < high or is_end):
            return new_high if is_end else new_low
    return len(new)


def _plain_place(marked: str, at: int) -> int:
    """A place of the marked text in the plain one."""
    before = marked[:at]
    return at - before.count(OPEN) * len(OPEN) - before.count(CLOSE) * len(CLOSE)
