"""The neutral rows of a file of judgments, staged as they come, then split so that each thing becomes one row.

Rows are numbered in the order of their first line; an annotator's `target` is the key of the account.
"""

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from exchange.reading import SourceFile
from exchange.staging.database import BATCH, attach, insert_rows, opened, scratch_database, take_rows

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


@dataclass(frozen=True)
class StoredRows:
    """Many records of judgments at once: some fields of `JudgmentRow`, their times as `in_utc` writes them.

    The others have their defaults.
    """

    fields: Sequence[str]
    rows: Iterable[tuple[Any, ...]]


@dataclass(frozen=True)
class RowsApart:
    """Records of judgments that `stage_apart` has put into a file."""

    path: Path


OneRow = JudgmentRow | TextRow | ActionRow
Row = OneRow | StoredRows | RowsApart


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


_TABLES: dict[str, type[OneRow]] = {"judgment_row": JudgmentRow, "text_row": TextRow, "action_row": ActionRow}


@contextmanager
def staged_judgments() -> Iterator[sqlite3.Connection]:
    with scratch_database() as staged:
        attach(staged, "file")  # apart from what is made of it: two connections read it at the same time
        staged.create_function("label", 1, slot_label, deterministic=True)
        for table in _TABLES:
            _make_table(staged, "file", table)
        yield staged


def _make_table(database: sqlite3.Connection, file: str, table: str) -> None:
    record = _TABLES[table]
    columns = ", ".join(_column(name, hint, record) for name, hint in get_type_hints(record).items())
    database.execute(f"CREATE TABLE {file}.{table} (place INTEGER PRIMARY KEY, {columns})")


def _column(name: str, hint: Any, record: type[OneRow]) -> str:
    default = record._field_defaults.get(name)
    written = "NULL" if default is None else f"'{default}'" if isinstance(default, str) else int(default)
    return f"{name} {_sql_type(hint)} DEFAULT {written}"


def _sql_type(hint: Any) -> str:
    kinds = {hint, *get_args(hint)}
    return "INTEGER" if kinds & {int, bool} else "REAL" if float in kinds else "TEXT"


def stage_rows(staged: sqlite3.Connection, rows: Iterable[Row]) -> None:
    waiting: list[OneRow] = []
    # whatever a reader has begun ends with an error here
    with closing(rows) if isinstance(rows, Generator) else nullcontext():
        staged.execute("BEGIN")
        for row in rows:
            if isinstance(row, StoredRows | RowsApart) or len(waiting) == BATCH:  # in the order of the file
                _stage(staged, waiting)
                waiting.clear()
            if isinstance(row, StoredRows):
                insert_rows(staged, "judgment_row", row.rows, row.fields)
            elif isinstance(row, RowsApart):
                staged.execute("COMMIT")
                take_rows(staged, "file.judgment_row", row.path)
                staged.execute("BEGIN")
            else:
                waiting.append(row)
        _stage(staged, waiting)
        staged.execute("COMMIT")


def stage_apart(path: Path, blocks: Iterable[StoredRows], *, behind: int) -> None:
    """Into a file of their own; their places are behind that one."""
    with opened(path) as database:
        _make_table(database, "main", "judgment_row")
        database.execute("BEGIN")
        database.execute("INSERT INTO judgment_row (place) VALUES (?)", [behind])  # those that follow count on
        for block in blocks:
            insert_rows(database, "judgment_row", block.rows, block.fields)
        database.execute("DELETE FROM judgment_row WHERE place = ?", [behind])
        database.execute("COMMIT")


def _stage(staged: sqlite3.Connection, rows: Sequence[OneRow]) -> None:
    insert_rows(staged, "judgment_row", (_stored(row) for row in rows if isinstance(row, JudgmentRow)))
    insert_rows(staged, "text_row", (row for row in rows if isinstance(row, TextRow)))
    insert_rows(staged, "action_row", (row for row in rows if isinstance(row, ActionRow)))


def slot_label(number: int) -> str:
    """1 → A, 26 → Z, 27 → AA."""
    first, second = divmod(number - 1, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + second)


_STARTED = JudgmentRow._fields.index("started")


def _stored(row: JudgmentRow) -> tuple[Any, ...]:
    times = in_utc(row.started), in_utc(row.submitted)
    return row[:_STARTED] + times + row[_STARTED + len(times) :]


def in_utc(time: datetime | str | None) -> str | None:
    """Such texts are in order as the times are."""
    if time is None or isinstance(time, str):
        return time
    return str(time if time.tzinfo is UTC else time.astimezone(UTC))[: -len("+00:00")]
