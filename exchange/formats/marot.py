"""`marot` and `wmt-mqm-sxs` → neutral records: MQM ratings whose last column is JSON, as Marot and Anthea write them.

A line without a rater has no judgment, but references and metrics of its output. Side by side, a system is called
`Heron_with_Kestrel` where it was shown beside another one, and marks of an earlier rater stand in the metadata.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from exchange import cells
from exchange.formats.wmt_mqm_tsv import PARSERS, LineExtras, MqmLines, category_path, read_marks, read_ratings
from exchange.json_values import JSONError, read_json
from exchange.staging.database import scratch_database
from exchange.staging.judgments import Reading, Row, TextRow

COLUMNS = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata")
BESIDE = "_with_"
OWN_METRIC = "MQM"  # computed by Marot from the same errors
_LATEST = 7_258_118_400_000  # the year 2200, in milliseconds
_ABOUT = """
CREATE TABLE about (place INTEGER PRIMARY KEY, line INTEGER, document TEXT, segment TEXT, system TEXT, source TEXT,
    target TEXT, refs TEXT, source_tokens TEXT, target_tokens TEXT);
"""
_ADD = "INSERT INTO about VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
# Of two systems side by side only one is named after both. The other one learns beside whom it was shown, unless
# several are named after it on the segment: then nothing tells which of its errors were marked beside which.
_PAIRS = """
CREATE INDEX raw_pair ON raw (document, segment, rater, beside);
UPDATE raw SET beside = (
    SELECT MIN(other.system) FROM raw AS other
    WHERE other.document = raw.document AND other.segment = raw.segment AND other.rater = raw.rater
        AND other.beside = raw.system
) WHERE beside = '' AND (
    SELECT COUNT(DISTINCT other.system) FROM raw AS other
    WHERE other.document = raw.document AND other.segment = raw.segment AND other.rater = raw.rater
        AND other.beside = raw.system
) = 1;
"""


class Mark(NamedTuple):
    """An error as Anthea stores it: its place in tokens, both ends included, and its words."""

    rater: str
    side: str
    first: int | None
    last: int | None
    category: str
    severity: str
    words: str


def read_marot(reading: Reading) -> Iterator[Row]:
    yield from _read(MarotLines(reading))


def read_side_by_side(reading: Reading) -> Iterator[Row]:
    yield from _read(SideBySideLines(reading))


def _read(lines: "MarotLines") -> Iterator[Row]:
    with scratch_database() as raw:
        raw.executescript(_ABOUT)
        lines.about = raw
        yield from read_ratings(raw, lines)


class MarotLines(MqmLines):
    without_header = (
        "system", "document", "segment", "number", "rater", "source", "target", "category", "severity", "metadata",
    )  # fmt: skip
    about: sqlite3.Connection

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.metrics: Counter[str] = Counter()
        self.feedback = self.corrections = self.priors = 0

    def is_rating(self, line: int, cells: Mapping[str, str]) -> bool:
        if any(cells.get(name, "").strip() for name in ("rater", "category", "severity")):
            return True
        values = self.reading.line(line).parse({**PARSERS, "rater": str, "severity": str}, cells)
        metadata = self._metadata(line, cells)
        if values is not None and metadata is not None:
            self._keep(line, values, metadata)
        return False

    def extras(self, line: int, cells: Mapping[str, str], values: Mapping[str, Any]) -> LineExtras | None:
        metadata = self._metadata(line, cells)
        if metadata is None:
            return None
        self._keep(line, values, metadata)
        note, time = metadata.get("note") or "", metadata.get("timestamp")
        is_time = time is None or (type(time) in (int, float) and 0 <= time < _LATEST)
        if not isinstance(note, str) or not is_time:
            message = _("“note” must be a text and “timestamp” a time in milliseconds.")
            self.reading.line(line).refuse("metadata", message)
            return None
        self.corrections += bool(metadata.get("corrected_translation"))
        self.feedback += bool(metadata.get("feedback"))
        extra = self.extra_of(line, metadata)
        return LineExtras(note or values["comment"].strip(), int(time) if time else None, extra)

    def extra_of(self, line: int, metadata: Mapping[str, Any]) -> str | None:  # noqa: ARG002 - side by side needs it
        self.priors += any(metadata.get(name) for name in ("prior_rater", "prior_error", "deleted_errors"))
        return None

    def _metadata(self, line: int, cells: Mapping[str, str]) -> dict[str, Any] | None:
        """An older file has a note there."""
        cell = cells.get("metadata", "").strip()
        if not cell.startswith("{"):
            return {"note": cell} if cell else {}
        try:
            return dict(read_json(cell))
        except JSONError as error:
            message = _("The JSON of this cell cannot be read: %(reason)s.")
            self.reading.line(line).refuse("metadata", message % {"reason": error.reason}, cell[:100])
            return None

    def _keep(self, line: int, values: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        evaluation = metadata.get("evaluation")
        if isinstance(evaluation, dict):
            for side in ("source_language", "target_language"):
                if isinstance(language := evaluation.get(side), str):
                    setattr(self.reading, side, getattr(self.reading, side) or language)
        segment = metadata.get("segment")
        is_line_of_text = not values["rater"]
        if not isinstance(segment, dict):
            segment = {}
        metrics = segment.get("metrics")
        self.metrics.update(name for name in (metrics if isinstance(metrics, dict) else {}) if name != OWN_METRIC)
        references = self._references(line, segment)
        tokens = [_as_tokens(segment.get(f"{side}_tokens")) for side in ("source", "target")]
        if references or any(tokens) or is_line_of_text:
            place = (values["document"], values["segment"] or values["number"], values["system"])
            texts = [read_marks(values[side]).text for side in ("source", "target")]
            stored = [json.dumps(each) if each else None for each in (references, *tokens)]
            self.about.execute(_ADD, (line, *place, *texts, *stored))

    def _references(self, line: int, segment: Mapping[str, Any]) -> dict[str, str]:
        """By name without `ref`, as elsewhere; of tokens, their texts joined."""
        texts: dict[str, Any] = {}
        for kind in ("references", "reference_tokens"):
            own = segment.get(kind) or {}
            if not isinstance(own, dict):
                self.reading.line(line).refuse("metadata", _("“%(name)s” must be an object.") % {"name": kind})
                return {}
            for name, text in own.items():
                tokens = _as_tokens(text)
                texts[name.removeprefix("ref").lstrip("_")[:100] or name[:100]] = "".join(tokens) if tokens else text
        wrong = [name for name, text in texts.items() if not isinstance(text, str)]
        for name in wrong:
            message = _("Reference %(name)s must be a text or a list of tokens.")
            self.reading.line(line).refuse("metadata", message % {"name": name})
        return {name: text for name, text in texts.items() if name not in wrong and text}

    def texts(self, raw: sqlite3.Connection) -> Iterator[TextRow]:
        """Outputs of lines without a rater, unless a rating has the text already, and the references."""
        query = """
            SELECT about.*, EXISTS (
                SELECT 1 FROM source_text AS own
                WHERE own.document = about.document AND own.segment = about.segment
            ) AS has_source, EXISTS (
                SELECT 1 FROM target_text AS own WHERE own.document = about.document
                    AND own.segment = about.segment AND own.system = about.system
            ) AS has_target FROM about ORDER BY place
        """
        for row in raw.execute(query):
            place = (row["document"], row["segment"])
            if not row["has_target"]:
                source = None if row["has_source"] else row["source"] or None
                yield TextRow(*place, system=row["system"], source=source, translation=row["target"])
            for name, text in json.loads(row["refs"] or "{}").items():
                yield TextRow(*place, reference_name=name, reference=text)

    def report(self) -> None:
        super().report()
        problems = self.reading.problems
        if self.metrics:
            listed = ", ".join(f"{name} ({count})" for name, count in sorted(self.metrics.items())[:50])
            message = _(
                "Scores of metrics are not judgments; import them by import_metric_scores. Left out: %(listed)s."
            )
            problems.note(message % {"listed": listed})
        message = _("Lines with feedback on a document, which was left out: %(count)d.")
        self.reading.note_count(message, self.feedback)
        message = _("Lines with a corrected translation, which was left out: %(count)d.")
        self.reading.note_count(message, self.corrections)
        message = _("Lines with marks of an earlier rater, which were left out; wmt-mqm-sxs reads them: %(count)d.")
        self.reading.note_count(message, self.priors)


class SideBySideLines(MarotLines):
    """Keeps what was marked before: `prior` of a span that somebody else marked first, and what was `deleted`."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.earlier = 0

    def extra_of(self, line: int, metadata: Mapping[str, Any]) -> str | None:
        rater = metadata.get("prior_rater") or ""
        try:
            prior = metadata.get("prior_error")
            mark = (
                mark_of(prior, rater) if prior else (Mark(_name(rater), "", None, None, "", "", "") if rater else None)
            )
            deleted = [mark_of(each, "") for each in _listed(metadata.get("deleted_errors"))]
        except cells.CellError as error:
            self.reading.line(line).refuse("metadata", str(error))
            return None
        self.earlier += bool(mark or deleted)
        return json.dumps({"prior": mark, "deleted": deleted}) if mark or deleted else None

    def before_texts(self, raw: sqlite3.Connection) -> None:
        """`Heron_with_Kestrel` is Heron if there is a Kestrel, and both are on one screen."""
        names = {row["system"] for row in raw.execute("SELECT DISTINCT system FROM raw")}
        plain = {name.partition(BESIDE)[0] for name in names} | names
        for name in sorted(names):
            system, beside, other = name.rpartition(BESIDE)
            if beside and system and other in plain:
                raw.execute("UPDATE raw SET system = ?, beside = ? WHERE system = ?", (system, other, name))
                raw.execute("UPDATE about SET system = ? WHERE system = ?", (system, name))
        raw.executescript(_PAIRS)
        raw.execute("CREATE INDEX about_output ON about (document, segment, system)")

    def finished_slot(self, raw: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> dict[str, Any]:
        """Marks of the same rater come in the order of the lines, as everywhere."""
        slot = super().finished_slot(raw, rows)
        if not any(row["extra"] for row in rows):
            return slot
        extras = [json.loads(row["extra"] or "{}") for row in rows]
        marked = [extra for row, extra in zip(rows, extras, strict=True) if row["side"]]
        for span, extra in zip(slot["spans"], marked, strict=True):
            if extra.get("prior"):
                span["prior"] = self._placed(raw, rows[0], Mark(*extra["prior"]))
        if deleted := [Mark(*each) for extra in extras for each in extra.get("deleted", ())]:
            slot["deleted"] = [self._placed(raw, rows[0], mark) for mark in deleted]
        return slot

    def report(self) -> None:
        super().report()
        self.reading.counts["lines_with_earlier_marks"] = self.earlier

    def _placed(self, raw: sqlite3.Connection, row: sqlite3.Row, mark: Mark) -> dict[str, Any]:
        """Half-open, in code points; without a place if neither tokens nor words tell it."""
        if not mark.side:
            return {"rater": mark.rater}
        about: dict[str, Any] = {"side": mark.side, "category": mark.category, "severity": mark.severity}
        about |= {"rater": mark.rater} if mark.rater else {}
        query = f"SELECT {mark.side}_tokens FROM about WHERE document = ? AND segment = ? AND system = ? "  # noqa: S608
        query += f"AND {mark.side}_tokens IS NOT NULL LIMIT 1"
        found = raw.execute(query, (row["document"], row["segment"], row["system"])).fetchone()
        place = place_of(mark, row[f"{mark.side}_text"] or "", json.loads(found[0]) if found else [])
        if place is None:
            return {**about, "words": mark.words}
        return {**about, "start": place[0], "end": place[1]}


def place_of(mark: Mark, text: str, tokens: Sequence[str]) -> tuple[int, int] | None:
    """By its tokens if they are those of the text, else where its words are, if only at one place."""
    if mark.first is not None and mark.last is not None and mark.last < len(tokens) and "".join(tokens) == text:
        return len("".join(tokens[: mark.first])), len("".join(tokens[: mark.last + 1]))
    if mark.words and text.count(mark.words) == 1:
        start = text.index(mark.words)
        return start, start + len(mark.words)
    return None


def mark_of(error: object, rater: object) -> Mark:
    """Raises CellError."""
    if not isinstance(error, dict):
        raise cells.CellError(_("An earlier mark must be a JSON object."))
    about = error.get("metadata")
    rater = rater or (about.get("prior_rater") if isinstance(about, dict) else "") or ""
    first, last = error.get("start"), error.get("end")
    severity, words = error.get("severity") or "", error.get("selected") or ""
    is_placed = type(first) is int and type(last) is int and 0 <= first <= last
    if not isinstance(severity, str) or not isinstance(words, str) or (first is not None and not is_placed):
        raise cells.CellError(_("An earlier mark needs whole numbers as start and end, and a text as severity."))
    parts = [str(error[name]) for name in ("type", "subtype") if error.get(name)]
    category = category_path("/".join(part.replace("_", "-") for part in parts)) if parts else ""
    side = "source" if error.get("location") == "source" else "target"
    return Mark(_name(rater), side, first if is_placed else None, last, category, severity.lower(), words)


def _name(rater: object) -> str:
    if not isinstance(rater, str):
        raise cells.CellError(_("“prior_rater” must be a text."))
    return cells.check_name(rater.strip(), longest=150, required=False)


def _listed(value: object) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise cells.CellError(_("“deleted_errors” must be a list."))
    return value or []


def _as_tokens(value: object) -> list[str]:
    return value if isinstance(value, list) and all(isinstance(token, str) for token in value) else []
