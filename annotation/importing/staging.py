"""A file's rows in a database of their own on disk, so that whatever their order they are checked and joined as sets.

Memory stays the same for a hundred rows and for a million, and nothing reaches the real tables before all is checked.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.importing.records import JudgmentRow, Row, TextRow

BATCH = 900  # within the 999 variables of a statement that every SQLite allows
LOADED = 1_500  # rows written at once: a fraction of a second, in which nobody else can write

_TYPES = {
    "line": "INTEGER",
    "value": "REAL",
    "position": "INTEGER",
    "revision": "INTEGER",
    "surplus": "INTEGER",
    "elapsed_ms": "INTEGER",
    "active_ms": "INTEGER",
    "program": "INTEGER",
}
_TABLES: dict[str, type[JudgmentRow | TextRow]] = {"given": JudgmentRow, "told": TextRow}


@contextmanager
def scratch_database() -> Iterator[sqlite3.Connection]:
    """A database on disk that is gone afterwards."""
    with TemporaryDirectory(prefix="assay-import-") as folder:
        scratch = sqlite3.connect(Path(folder) / "rows.sqlite3", isolation_level=None)
        scratch.row_factory = sqlite3.Row
        try:
            # nothing in it outlives the import: no journal, no waiting for the disk
            scratch.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32000;")
            yield scratch
        finally:
            scratch.close()


@contextmanager
def staging() -> Iterator[sqlite3.Connection]:
    with scratch_database() as staged:
        staged.create_function("label", 1, slot_label, deterministic=True)
        for table, record in _TABLES.items():
            columns = ", ".join(f"{name} {_TYPES.get(name, 'TEXT')}" for name in record._fields)
            staged.execute(f"CREATE TABLE {table} (place INTEGER PRIMARY KEY, {columns})")
        yield staged


def stage_rows(staged: sqlite3.Connection, rows: Iterable[Row]) -> None:
    staged.execute("BEGIN")
    coming = iter(rows)
    while several := list(islice(coming, BATCH)):
        insert_rows(staged, "given", (_stored(row) for row in several if isinstance(row, JudgmentRow)))
        insert_rows(staged, "told", (row for row in several if isinstance(row, TextRow)))
    staged.execute("COMMIT")


def insert_rows(database: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Into a table whose first column is the key, which is given by the order."""
    columns = database.execute(f"PRAGMA table_info({table})").fetchall()[1:]
    names, places = ", ".join(column["name"] for column in columns), ", ".join("?" for _ in columns)
    database.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608 - our own names


def batches(staged: sqlite3.Connection, query: str, size: int = LOADED) -> Iterator[list[sqlite3.Row]]:
    """The rows of a query by their `id`; its tables may be written to between two batches."""
    last = 0
    paged = f"SELECT * FROM ({query}) WHERE id > ? ORDER BY id LIMIT {size}"  # noqa: S608 - our own queries
    while batch := staged.execute(paged, [last]).fetchall():
        yield batch
        last = batch[-1]["id"]


def keep_targets(staged: sqlite3.Connection, table: str, rows: Sequence[sqlite3.Row], made: Sequence[int]) -> None:
    """Notes the keys of the rows made in the real tables beside the staged ones."""
    pairs = [(key, row["id"]) for key, row in zip(made, rows, strict=True)]
    staged.execute("BEGIN")
    staged.executemany(f"UPDATE {table} SET target = ? WHERE id = ?", pairs)  # noqa: S608 - our own names
    staged.execute("COMMIT")


def slot_label(number: int) -> str:
    """1 → A, 26 → Z, 27 → AA."""
    first, second = divmod(number - 1, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + second)


def _stored(row: JudgmentRow) -> tuple[Any, ...]:
    times = (moment.isoformat(timespec="microseconds") if moment else None for moment in (row.started, row.submitted))
    started, submitted = times
    return row._replace(started=started, submitted=submitted)  # type: ignore[arg-type]
