"""The neutral rows of a file of judgments, staged as they come, then split so that each thing becomes one row.

Rows are in the order of their first line; `target` is the key of the row made from it in the real tables.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from exchange.reading import SourceFile
from exchange.staging.database import BATCH, insert_rows, scratch_database

BY_CHANCE = "repeat-by-chance"  # the kind of an output that came up again without being planned


class JudgmentRow(NamedTuple):
    """One number of one judgment on one system's output, with everything the file has on both.

    Rows of one `judgment` belong together; a `segment` of "" means the whole document; `answer` is JSON text; a text
    that is None was not in the file. Missing `position`, `slot` and `revision` follow from the order. `screen` numbers
    what the annotator saw together, without it neighbours of one document; `column` is the output's place on it. A time
    that is a text is one in UTC, as `str` writes it without saying so.
    """

    line: int
    judgment: str
    annotator: str
    protocol: str
    document: str
    segment: str
    system: str
    kind: str = "regular"
    measure: str = ""
    value: float | None = None
    assignment: str = ""
    position: int | None = None
    slot: str = ""
    revision: int | None = None
    surplus: bool = False
    started: datetime | str | None = None
    submitted: datetime | str | None = None
    elapsed_ms: int | None = None
    active_ms: int | None = None
    answer: str = ""
    source: str | None = None
    translation: str | None = None
    reference: str | None = None
    domain: str = ""
    comment: str = ""
    program: bool = False
    screen: int | None = None
    column: int | None = None


class TextRow(NamedTuple):
    """What a file has on a segment beside its judgments: its texts, and its place among the others.

    Segments without judgments enter the test set by such a row, and the order of these rows is that of documents and
    segments. With a `system`, `translation` is that system's output; with `reference_name`, `reference` is that one.
    """

    document: str
    segment: str
    system: str = ""
    source: str | None = None
    translation: str | None = None
    reference_name: str = "A"
    reference: str | None = None
    domain: str = ""


class ActionRow(NamedTuple):
    """The log of the screen whose first judgment this is, as JSON text in the form of `annotation.action_log`."""

    judgment: str
    actions: str


Row = JudgmentRow | TextRow | ActionRow


@dataclass
class Reading(SourceFile):
    """`protocol` and the languages are empty if nobody named them; a file that has its languages fills them in.

    A campaign that the file is of may be beside it, or be one of several in it. A format may leave `options` of the
    protocol, and `counts` for the report.
    """

    protocol: str = ""
    source_language: str = ""
    target_language: str = ""
    campaign_file: Path | None = field(default=None, init=False)
    campaign_id: str = field(default="", init=False)
    options: dict[str, Any] = field(default_factory=dict, init=False)
    counts: dict[str, Any] = field(default_factory=dict, init=False)


_TABLES: dict[str, type[Row]] = {"judgment_row": JudgmentRow, "text_row": TextRow, "action_row": ActionRow}


# What was shown: one row for each output of each judgment. If the file has no labels, the order gives them.
_SHOWN = """
CREATE INDEX judgment_row_judgment ON judgment_row (judgment, system);
CREATE TABLE several AS SELECT judgment FROM judgment_row GROUP BY judgment HAVING COUNT(*) > 1;
CREATE TABLE shown (
    id INTEGER PRIMARY KEY, judgment TEXT, system TEXT, slot TEXT, text TEXT, line INTEGER, place_shown INTEGER
);
INSERT INTO shown (judgment, system, slot, text, line, place_shown)
SELECT judgment, system, CASE WHEN slot = '' THEN label(number) ELSE slot END, text, line, place_shown FROM (
    SELECT judgment, system, MAX(slot) AS slot, MAX(translation) AS text, MIN(line) AS line, MIN(place) AS place,
        MAX("column") AS place_shown,
        ROW_NUMBER() OVER (PARTITION BY judgment ORDER BY MIN(place)) AS number
    FROM judgment_row GROUP BY judgment, system
) ORDER BY place;
CREATE INDEX shown_judgment ON shown (judgment, id);
CREATE TABLE together AS
SELECT judgment, GROUP_CONCAT(system, char(31)) AS systems, GROUP_CONCAT(slot || char(29) || system, char(31)) AS labels
FROM (SELECT judgment, slot, system FROM shown ORDER BY judgment, system) GROUP BY judgment;
CREATE UNIQUE INDEX together_judgment ON together (judgment);
"""

_PEOPLE = """
CREATE TABLE annotator (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_program INTEGER, target INTEGER);
INSERT INTO annotator (name, is_program)
SELECT annotator, MAX(program) FROM judgment_row GROUP BY annotator ORDER BY MIN(place);
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY, name TEXT, annotator TEXT, items INTEGER, began TEXT, ended TEXT, target INTEGER,
    UNIQUE (name, annotator)
);
INSERT INTO assignment (name, annotator, began, ended)
SELECT assignment, annotator, MIN(COALESCE(started, submitted)), MAX(submitted)
FROM judgment_row GROUP BY assignment, annotator ORDER BY MIN(place);
"""

# With a position, rows of the same position are the same item. Without, the n-th first answer to a question and the
# n-th second answer to it are revisions of one item; answers without a revision are items of their own.
_JUDGMENTS = """
CREATE TABLE judgment (
    id INTEGER PRIMARY KEY, name TEXT, line INTEGER, annotator TEXT, document TEXT, segment TEXT, kind TEXT,
    systems TEXT, labels TEXT, assignment INTEGER, position INTEGER, screen INTEGER, given_revision INTEGER,
    surplus INTEGER, started TEXT, submitted TEXT, elapsed_ms INTEGER, active_ms INTEGER, answer TEXT, comment TEXT,
    item INTEGER, revision INTEGER, is_current INTEGER, reason TEXT DEFAULT '' NOT NULL
);
CREATE TABLE mark (
    id INTEGER PRIMARY KEY, judgment INTEGER, slot TEXT, side TEXT, start INTEGER, "end" INTEGER, category TEXT,
    severity TEXT, note TEXT
);
CREATE INDEX mark_judgment ON mark (judgment);
INSERT INTO judgment (name, line, annotator, document, segment, kind, systems, labels, assignment, position, screen,
    given_revision, surplus, started, submitted, elapsed_ms, active_ms, answer, comment)
SELECT judgment, MIN(line), judgment_row.annotator, document, segment, kind, systems, labels, assignment.id, position,
    MAX(screen), revision, surplus, judgment_row.started, judgment_row.submitted, elapsed_ms, active_ms, MAX(answer),
    MAX(comment)
FROM judgment_row
JOIN together USING (judgment)
JOIN assignment ON assignment.name = judgment_row.assignment AND assignment.annotator = judgment_row.annotator
GROUP BY judgment ORDER BY MIN(place);
CREATE UNIQUE INDEX judgment_name ON judgment (name);
CREATE TABLE keyed (id INTEGER PRIMARY KEY, key TEXT);
INSERT INTO keyed SELECT id, 'p' || position FROM judgment WHERE position IS NOT NULL;
INSERT INTO keyed
SELECT id, 'c' || document || char(30) || segment || char(30) || kind || char(30) || labels || char(30) || ROW_NUMBER()
    OVER (PARTITION BY assignment, document, segment, kind, labels, given_revision ORDER BY id)
FROM judgment WHERE position IS NULL;
"""

_ITEMS = """
CREATE TABLE item (
    id INTEGER PRIMARY KEY, assignment INTEGER, key TEXT, first INTEGER, position INTEGER, screen INTEGER,
    block INTEGER, document TEXT, segment TEXT, kind TEXT, systems TEXT, revision INTEGER, original INTEGER,
    target INTEGER
);
CREATE TABLE found AS
SELECT assignment, key, MIN(id) AS first, position, MAX(screen) AS screen, document, segment, kind, systems
FROM judgment JOIN keyed USING (id) GROUP BY assignment, key;
INSERT INTO item (assignment, key, first, position, screen, document, segment, kind, systems)
SELECT * FROM (
    SELECT * FROM found WHERE position IS NOT NULL UNION ALL
    SELECT assignment, key, first, COALESCE(last_given, 0) + ROW_NUMBER() OVER (PARTITION BY assignment ORDER BY first),
        screen, document, segment, kind, systems
    FROM found LEFT JOIN (
        SELECT assignment, MAX(position) AS last_given FROM found GROUP BY assignment
    ) USING (assignment) WHERE position IS NULL
) ORDER BY assignment, position;
CREATE UNIQUE INDEX item_key ON item (assignment, key);
CREATE INDEX item_content ON item (assignment, document, segment);
CREATE TABLE numbered (id INTEGER PRIMARY KEY, item INTEGER, revision INTEGER, surplus INTEGER);
INSERT INTO numbered
SELECT judgment.id, item.id, given_revision, surplus
FROM judgment JOIN keyed USING (id) JOIN item ON item.assignment = judgment.assignment AND item.key = keyed.key;
CREATE INDEX numbered_item ON numbered (item);
UPDATE numbered SET revision = (
    SELECT COUNT(*) FROM numbered AS other WHERE other.item = numbered.item AND other.id <= numbered.id
) WHERE revision IS NULL;
UPDATE judgment SET (item, revision, is_current) = (
    SELECT item, revision, revision = (
        SELECT COALESCE(MAX(CASE WHEN NOT surplus THEN revision END), MAX(revision))
        FROM numbered AS other WHERE other.item = numbered.item
    ) FROM numbered WHERE numbered.id = judgment.id
);
CREATE INDEX judgment_item ON judgment (item, revision);
UPDATE item SET
    revision = (SELECT MAX(revision) FROM judgment WHERE judgment.item = item.id),
    original = CASE WHEN kind IN ('repeat', 'repeat-by-chance', 'degraded') THEN (
        SELECT MIN(genuine.id) FROM item AS genuine
        WHERE genuine.assignment = item.assignment AND genuine.document = item.document
            AND genuine.segment = item.segment AND genuine.systems = item.systems AND genuine.kind = 'regular'
    ) END;
CREATE TABLE blocks AS
SELECT id, SUM(begins) OVER (PARTITION BY assignment ORDER BY position) AS block FROM (
    SELECT id, assignment, position,
        document IS NOT LAG(document) OVER in_order AS begins
    FROM item WINDOW in_order AS (PARTITION BY assignment ORDER BY position)
);
CREATE UNIQUE INDEX blocks_id ON blocks (id);
UPDATE item SET block = COALESCE(screen, (SELECT block FROM blocks WHERE blocks.id = item.id));
UPDATE assignment SET items = (SELECT COUNT(*) FROM item WHERE item.assignment = assignment.id);
"""

# The genuine text of an output is what regular rows show; only degraded items and references may show another.
# Beside a degraded text, the others of the same screen are genuine.
# Texts beside the judgments come first, so that their order is the order of documents and segments.
_TEXTS = """
CREATE INDEX text_row_system ON text_row (system);
CREATE VIEW known AS
SELECT place - 1000000000000 AS place, document, segment, system, 'regular' AS kind, source, translation,
    reference_name, reference, domain
FROM text_row UNION ALL
SELECT place, document, segment, system, kind, source, translation, 'A', reference, domain FROM judgment_row;
CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT UNIQUE, domain TEXT, target INTEGER);
INSERT INTO document (name, domain)
SELECT document, COALESCE(
    MAX(CASE WHEN segment = '' THEN domain END), CASE WHEN MIN(domain) = MAX(domain) THEN domain ELSE '' END
) FROM known GROUP BY document ORDER BY MIN(place);
CREATE TABLE system (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_judged INTEGER, target INTEGER);
INSERT INTO system (name, is_judged)
SELECT system, MAX(is_judged) FROM (
    SELECT place, system, kind <> 'practice' AS is_judged FROM judgment_row
    UNION ALL SELECT place - 1000000000000, system, 0 FROM text_row WHERE system <> ''
) GROUP BY system ORDER BY MIN(place);
CREATE TABLE segment (
    id INTEGER PRIMARY KEY, document TEXT, name TEXT, position INTEGER, source TEXT, domain TEXT,
    target INTEGER, UNIQUE (document, name)
);
INSERT INTO segment (document, name, position, source, domain)
SELECT document, segment, ROW_NUMBER() OVER (PARTITION BY document ORDER BY MIN(place)), MAX(source), MAX(domain)
FROM known WHERE segment <> '' GROUP BY document, segment ORDER BY MIN(place);
CREATE TABLE reference (id INTEGER PRIMARY KEY, document TEXT, segment TEXT, name TEXT, text TEXT);
INSERT INTO reference (document, segment, name, text)
SELECT document, segment, reference_name, MAX(reference)
FROM known WHERE segment <> '' AND reference IS NOT NULL
GROUP BY document, segment, reference_name ORDER BY MIN(place);
CREATE TABLE translation (
    id INTEGER PRIMARY KEY, document TEXT, segment TEXT, system TEXT, text TEXT, target INTEGER,
    UNIQUE (document, segment, system)
);
INSERT INTO translation (document, segment, system, text)
SELECT document, segment, system, COALESCE(
    MAX(CASE WHEN kind NOT IN ('degraded', 'reference') THEN translation END),
    MAX(CASE WHEN kind = 'reference' THEN translation END)
) FROM known WHERE segment <> '' AND system <> '' GROUP BY document, segment, system ORDER BY MIN(place);
CREATE TABLE slot (
    id INTEGER PRIMARY KEY, item INTEGER, label TEXT, system TEXT, translation INTEGER, damaged TEXT,
    is_credit INTEGER, columns TEXT, target INTEGER
);
INSERT INTO slot (item, label, system, translation, damaged, is_credit, columns)
SELECT item.id, shown.slot, shown.system, translation.id,
    CASE
        WHEN item.segment <> '' AND (
            shown.text <> translation.text OR (item.kind = 'degraded' AND translation.text IS NULL)
        ) THEN shown.text
    END,
    FALSE, IFNULL(shown.place_shown, '')
FROM item
JOIN judgment ON judgment.id = item.first
JOIN shown ON shown.judgment = judgment.name
LEFT JOIN translation ON translation.document = item.document AND translation.segment = item.segment
    AND translation.system = shown.system
ORDER BY item.id, shown.id;
CREATE INDEX slot_item ON slot (item, label);
CREATE TABLE shared AS
SELECT item, label, MIN(id) AS first, GROUP_CONCAT(columns, '') AS columns
FROM (SELECT item, label, id, columns FROM slot ORDER BY item, label, id) GROUP BY item, label HAVING COUNT(*) > 1;
CREATE UNIQUE INDEX shared_label ON shared (item, label);
UPDATE slot SET (is_credit, columns) = (
    SELECT slot.id > first, shared.columns FROM shared WHERE shared.item = slot.item AND shared.label = slot.label
) WHERE (item, label) IN (SELECT item, label FROM shared);
"""


@contextmanager
def staged_judgments() -> Iterator[sqlite3.Connection]:
    with scratch_database() as staged:
        staged.create_function("label", 1, slot_label, deterministic=True)
        for table, record in _TABLES.items():
            columns = ", ".join(f"{name} {_sql_type(hint)}" for name, hint in get_type_hints(record).items())
            staged.execute(f"CREATE TABLE {table} (place INTEGER PRIMARY KEY, {columns})")
        yield staged


def _sql_type(hint: Any) -> str:
    kinds = {hint, *get_args(hint)}
    return "INTEGER" if kinds & {int, bool} else "REAL" if float in kinds else "TEXT"


def stage_rows(staged: sqlite3.Connection, rows: Iterable[Row]) -> None:
    staged.execute("BEGIN")
    coming = iter(rows)
    while several := list(islice(coming, BATCH)):
        insert_rows(staged, "judgment_row", (_stored(row) for row in several if isinstance(row, JudgmentRow)))
        insert_rows(staged, "text_row", (row for row in several if isinstance(row, TextRow)))
        insert_rows(staged, "action_row", (row for row in several if isinstance(row, ActionRow)))
    staged.execute("COMMIT")


def take_apart(staged: sqlite3.Connection) -> None:
    """For rows without contradictions; see `contradictions`."""
    for script in (_SHOWN, _PEOPLE, _JUDGMENTS, _ITEMS, _TEXTS):
        staged.executescript(script)


def slot_label(number: int) -> str:
    """1 → A, 26 → Z, 27 → AA."""
    first, second = divmod(number - 1, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + second)


_STARTED = JudgmentRow._fields.index("started")


def _stored(row: JudgmentRow) -> tuple[Any, ...]:
    times = _in_utc(row.started), _in_utc(row.submitted)
    return row[:_STARTED] + times + row[_STARTED + len(times) :]


def _in_utc(time: datetime | str | None) -> str | None:
    """Such texts are in order as the times are."""
    if time is None or isinstance(time, str):
        return time
    return str(time if time.tzinfo is UTC else time.astimezone(UTC))[: -len("+00:00")]
