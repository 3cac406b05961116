"""A file's rows in a database of their own on disk, so that whatever their order they are checked and joined as sets.

Memory stays the same for a hundred rows and for a million, and nothing reaches the real tables before all is checked.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db.models import Model

from annotation.importing.records import JudgmentRow

BATCH = 900  # within the 999 variables of a statement that every SQLite allows

_TYPES = {
    "line": "INTEGER",
    "value": "REAL",
    "position": "INTEGER",
    "revision": "INTEGER",
    "surplus": "INTEGER",
    "elapsed_ms": "INTEGER",
    "active_ms": "INTEGER",
}


@contextmanager
def staging() -> Iterator[sqlite3.Connection]:
    with TemporaryDirectory(prefix="assay-import-") as folder:
        staged = sqlite3.connect(Path(folder) / "rows.sqlite3", isolation_level=None)
        staged.row_factory = sqlite3.Row
        staged.create_function("label", 1, slot_label, deterministic=True)
        try:
            # nothing in it outlives the import: no journal, no waiting for the disk
            staged.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32000;")
            columns = ", ".join(f"{name} {_TYPES.get(name, 'TEXT')}" for name in JudgmentRow._fields)
            staged.execute(f"CREATE TABLE given (place INTEGER PRIMARY KEY, {columns})")
            yield staged
        finally:
            staged.close()


def stage_rows(staged: sqlite3.Connection, rows: Iterable[JudgmentRow]) -> None:
    names = ", ".join(JudgmentRow._fields)
    places = ", ".join("?" for _ in JudgmentRow._fields)
    staged.execute("BEGIN")
    staged.executemany(f"INSERT INTO given ({names}) VALUES ({places})", map(_stored, rows))  # noqa: S608 - our names
    staged.execute("COMMIT")


def batches(staged: sqlite3.Connection, query: str) -> Iterator[list[sqlite3.Row]]:
    """The rows of a query by their `id`; its tables may be written to between two batches."""
    last = 0
    paged = f"SELECT * FROM ({query}) WHERE id > ? ORDER BY id LIMIT {BATCH}"  # noqa: S608 - our own queries
    while batch := staged.execute(paged, [last]).fetchall():
        yield batch
        last = batch[-1]["id"]


def keep_targets(staged: sqlite3.Connection, table: str, rows: Sequence[sqlite3.Row], made: Sequence[Model]) -> None:
    """Notes the keys of the rows made in the real tables beside the staged ones."""
    pairs = [(each.pk, row["id"]) for each, row in zip(made, rows, strict=True)]
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
