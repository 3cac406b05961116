"""A file's rows in a database of their own on disk, so that whatever their order they are checked and joined as sets.

Memory stays the same for a hundred rows and for a million, and nothing reaches the real tables before all is checked.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BATCH = 900  # within the 999 variables of a statement that every SQLite allows
LOADED = 1_500  # rows written at once: a fraction of a second, in which nobody else can write


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


def insert_rows(database: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Into a table whose first column is the key, which is given by the order."""
    columns = database.execute(f"PRAGMA table_info({table})").fetchall()[1:]
    names, places = ", ".join(column["name"] for column in columns), ", ".join("?" for _ in columns)
    database.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608 - our own names


def batches(staged: sqlite3.Connection, query: str, size: int | None = None) -> Iterator[list[sqlite3.Row]]:
    """The rows of a query by their `id`; its tables may be written to between two batches."""
    last = 0
    paged = f"SELECT * FROM ({query}) WHERE id > ? ORDER BY id LIMIT {size or LOADED}"  # noqa: S608 - our own queries
    while batch := staged.execute(paged, [last]).fetchall():
        yield batch
        last = batch[-1]["id"]


def count_of(staged: sqlite3.Connection, table: str) -> int:
    return int(staged.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names


def keep_targets(staged: sqlite3.Connection, table: str, pairs: Iterable[tuple[int, int]]) -> None:
    """Notes the keys of rows made in the real tables, each with the key of the staged row that it was made of."""
    staged.execute("BEGIN")
    staged.executemany(f"UPDATE {table} SET target = ? WHERE id = ?", pairs)  # noqa: S608 - our own names
    staged.execute("COMMIT")
