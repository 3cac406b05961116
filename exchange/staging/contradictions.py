"""Staged rows that contradict one another: each is reported at the later of the two lines, naming the earlier."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import MarkedSpan, Measure, Protocol
from exchange.answers import check_bounds, check_shape
from exchange.cells import CellError
from exchange.reading import SourceFile
from exchange.staging.database import LOADED, batches


class Contradiction(NamedTuple):
    """The query's rows are a line and the earlier line that it contradicts in a column of the file."""

    query: str
    column: str
    message: Promise


@dataclass(frozen=True)
class Agreement:
    """Rows with the same values `of` some columns agree in others: SQL → column of the file. NULL agrees with all.

    `look` finds a row if some do not agree, or may not, sooner than the rows of the file would tell.
    """

    of: str
    values: Mapping[str, str]
    message: Promise
    where: str = "TRUE"
    look: str = ""


# In many files every judgment has one row, with which nothing of it can disagree.
_OF_SEVERAL = "place IN (SELECT place FROM company)"
AGREEMENTS = (
    Agreement(
        "judgment",
        {
            "annotator": "annotator",
            "document": "document",
            "segment": "segment",
            "kind": "kind",
            "assignment": "assignment",
            "IFNULL(position, '')": "position",
            "IFNULL(revision, '')": "revision",
            "surplus": "surplus",
            "IFNULL(started, '')": "started",
            "IFNULL(submitted, '')": "submitted",
            "IFNULL(elapsed_ms, '')": "seconds",
            "IFNULL(active_ms, '')": "active_seconds",
            "NULLIF(answer, '')": "answer",
            "NULLIF(comment, '')": "comment",
            "slot = ''": "slot",
        },
        _("It differs from line %(line)d of the same judgment."),
        where=_OF_SEVERAL,
    ),
    Agreement(
        "judgment, system", {"slot": "slot"}, _("Line %(line)d has another slot for this system."), where=_OF_SEVERAL
    ),
    Agreement(
        "judgment, slot",
        {"translation": "translation"},
        _("Line %(line)d shows another text in this slot."),
        where=f"slot <> '' AND {_OF_SEVERAL}",
    ),
    Agreement(
        "document, segment",
        {"source": "source", "reference": "reference", "NULLIF(domain, '')": "domain"},
        _("It differs from line %(line)d of the same document and segment."),
        look="SELECT 1 FROM passage WHERE differs LIMIT 1",
    ),
    Agreement(
        "document, segment, system",
        {"translation": "translation"},
        _("Line %(line)d has another translation of this segment by this system."),
        where="segment <> '' AND kind NOT IN ('degraded', 'reference')",
        look="SELECT 1 FROM translation WHERE differs LIMIT 1",
    ),
)


_DOUBLED = Contradiction(
    f"""
        SELECT line, first FROM (
            SELECT place, line, FIRST_VALUE(line) OVER same AS first, ROW_NUMBER() OVER same AS number
            FROM judgment_row WHERE {_OF_SEVERAL}
            WINDOW same AS (PARTITION BY judgment, system, measure ORDER BY place)
        ) WHERE number > 1 ORDER BY place
    """,  # noqa: S608 - our own words
    "measure",
    _("Line %(line)d has this judgment, system and measure already."),
)
# Judgments of one item are revisions of one answer: to the same question, and each with its number.
_WITHIN_ITEMS = (
    Contradiction(
        """
        SELECT judged.line, first.line FROM revised
        CROSS JOIN judged ON judged.id = revised.id CROSS JOIN judged AS first ON first.id = revised.first
        WHERE judged.document <> first.document OR judged.segment <> first.segment OR judged.kind <> first.kind
            OR judged.labels <> first.labels
        ORDER BY judged.id
        """,
        "position",
        _("Line %(line)d has this position of the assignment too, with another item."),
    ),
    Contradiction(
        """
        SELECT judged.line, first.line FROM (
            SELECT id, FIRST_VALUE(id) OVER same AS first, ROW_NUMBER() OVER same AS number FROM revised
            WINDOW same AS (PARTITION BY item, revision ORDER BY id)
        ) AS again
        CROSS JOIN judged ON judged.id = again.id CROSS JOIN judged AS first ON first.id = again.first
        WHERE number > 1 ORDER BY again.id
        """,
        "revision",
        _("Line %(line)d has this revision of the same item already."),
    ),
    Contradiction(
        """
        SELECT shown.line, MIN(first.line) FROM revised
        CROSS JOIN shown ON shown.judged = revised.id
        CROSS JOIN shown AS first ON first.judged = revised.first AND first.system = shown.system
        WHERE shown.text <> first.text GROUP BY shown.id ORDER BY shown.id
        """,
        "translation",
        _("Line %(line)d showed another text at this position."),
    ),
)


def find_contradictions(staged: sqlite3.Connection, file: SourceFile) -> None:
    for query, column, message in (_DOUBLED, *_disagreements(staged), *_WITHIN_ITEMS):
        for line, first in staged.execute(query):
            file.line(line).refuse(column, str(message) % {"line": first})


def _disagreements(staged: sqlite3.Connection) -> Iterator[Contradiction]:
    """One quick query for each agreement; the rows are looked up only if it is broken."""
    for agreement in AGREEMENTS:
        differs = " OR ".join(f"MIN({value}) <> MAX({value})" for value in agreement.values)
        look = f"SELECT 1 FROM judgment_row WHERE {agreement.where} GROUP BY {agreement.of} HAVING {differs} LIMIT 1"  # noqa: S608
        if staged.execute(agreement.look or look).fetchone() is not None:
            for value, column in agreement.values.items():
                yield Contradiction(_differing(value, agreement), column, agreement.message)


def _differing(value: str, agreement: Agreement) -> str:
    """Lines whose value is not the first one for the same thing."""
    return f"""
        SELECT line, first_line FROM (
            SELECT place, line, {value} AS value, FIRST_VALUE({value}) OVER same AS first_value,
                FIRST_VALUE(line) OVER same AS first_line
            FROM judgment_row WHERE ({value}) IS NOT NULL AND {agreement.where}
            WINDOW same AS (PARTITION BY {agreement.of} ORDER BY place)
        ) WHERE value <> first_value ORDER BY place
    """  # noqa: S608 - our own names


def find_impossible_values(staged: sqlite3.Connection, measures: Sequence[Measure], file: SourceFile) -> None:
    query = "SELECT line, value FROM judgment_row WHERE measure = ? AND value NOT BETWEEN ? AND ? ORDER BY place"
    ranges = staged.execute(
        "SELECT measure, MIN(lowest), MAX(highest) FROM combination WHERE measure <> '' GROUP BY measure"
    )
    stored = {measure: (lowest, highest) for measure, lowest, highest in ranges}
    for measure in measures:
        lowest, highest = stored.get(measure.name, (measure.low, measure.high))
        if measure.low <= lowest and highest <= measure.high:
            continue
        for line, value in staged.execute(query, [measure.name, measure.low, measure.high]):
            message = gettext("%(name)s must be from %(low)g to %(high)g.") % vars(measure)
            file.line(line).refuse("value", message, f"{value:g}")


_MARK = (
    'INSERT INTO mark (judgment, slot, side, start, "end", category, severity, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
)


def find_impossible_answers(staged: sqlite3.Connection, protocol: Protocol[Any], file: SourceFile) -> None:
    """Answers that cannot be read; error spans that cannot be stored, or end after the text they are in.

    What the others mark, and why they could not judge, is staged.
    """
    read = lru_cache(maxsize=1024)(partial(_read_answer, protocol))  # without marks, many say the same
    query = "SELECT DISTINCT answer FROM judged WHERE answer <> '' LIMIT ?"
    answers = staged.execute(query, [LOADED]).fetchall()
    if len(answers) < LOADED and not any(any(read(answer)) for (answer,) in answers):
        return
    for rows in batches(staged, "SELECT id, line, answer FROM judged WHERE answer <> ''"):
        said = {answer: read(answer) for answer in {row["answer"] for row in rows}}
        telling = {answer for answer, parts in said.items() if any(parts)}
        marked: list[tuple[sqlite3.Row, list[MarkedSpan]]] = []
        reasons: list[tuple[str, int]] = []
        wrong: list[tuple[int, str]] = []
        for row in [row for row in rows if row["answer"] in telling]:
            spans, reason, error = said[row["answer"]]
            if error:
                wrong.append((row["line"], error))
            if spans:
                marked.append((row, spans))
            if reason:
                reasons.append((reason, row["id"]))
        texts = _texts_of(staged, rows[0]["id"], rows[-1]["id"]) if marked else {}
        for row, spans in marked:
            try:
                for span in spans:
                    source, shown = texts.get((row["id"], span.slot), (None, None))
                    check_bounds(span, source=source, shown=shown)
            except CellError as error:
                wrong.append((row["line"], str(error)))
        for line, message in sorted(wrong):
            file.line(line).refuse("answer", message)
        staged.executemany("UPDATE numbered SET reason = ? WHERE id = ?", reasons)
        staged.executemany(_MARK, ((row["id"], *_mark(span)) for row, spans in marked for span in spans))


def _read_answer(protocol: Protocol[Any], text: str) -> tuple[list[MarkedSpan], str, str]:
    """What it marks, why its annotator could not judge, and why it cannot be read."""
    answer = json.loads(text)
    try:
        spans = check_shape(answer, protocol)
    except CellError as error:
        return [], "", str(error)
    return spans, (answer.get("cannot_judge") or "")[:30], ""


def _mark(span: MarkedSpan) -> tuple[str | int, ...]:
    return span.slot, span.side, span.start, span.end, span.category, span.severity, span.note


def _texts_of(
    staged: sqlite3.Connection, first: int, last: int
) -> dict[tuple[int, str], tuple[str | None, str | None]]:
    """By judgment and slot the source and the text shown, if known."""
    rows = staged.execute(
        "SELECT judged, shown.slot, text, MAX(source) AS source FROM shown "
        "CROSS JOIN said ON said.id = judged "
        "CROSS JOIN company USING (judged) "
        "CROSS JOIN judgment_row ON judgment_row.place = company.place AND judgment_row.system = shown.system "
        "WHERE judged BETWEEN ?1 AND ?2 GROUP BY shown.id UNION ALL "
        "SELECT place, CASE WHEN slot = '' THEN label(1) ELSE slot END, translation, source FROM judgment_row "
        "WHERE place BETWEEN ?1 AND ?2 AND place NOT IN (SELECT place FROM company)",
        [first, last],
    )
    return {(shown["judged"], shown["slot"]): (shown["source"], shown["text"]) for shown in rows}
