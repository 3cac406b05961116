"""A file's rows in a scratch database on disk: whatever their order, they are checked and joined as sets.

Memory use is the same for a hundred rows and for a million, and nothing reaches the real tables before all is checked.
Rows of an archive are staged as JSON, one table for each of its files.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BATCH = 900  # within the 999 variables of a statement that every SQLite allows
LOADED = 1_500  # rows written at once: a fraction of a second, in which nobody else can write


@contextmanager
def scratch_database() -> Iterator[sqlite3.Connection]:
    """A database on disk that is deleted afterwards."""
    with TemporaryDirectory(prefix="assay-import-") as folder, opened(Path(folder) / "rows.sqlite3") as scratch:
        yield scratch


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """That of the file, which is made if it is not there."""
    scratch = sqlite3.connect(path, isolation_level=None)
    scratch.row_factory = sqlite3.Row
    try:
        _keep_no_journal(scratch, "main")
        yield scratch
    finally:
        scratch.close()


def _keep_no_journal(scratch: sqlite3.Connection, name: str) -> None:
    """Nothing in it outlives the import, and so nothing waits for the disk.

    Wide rows are written and read in order: large pages are fewer calls of the system, which saves what rows in no
    order cost more to look up.
    """
    settings = {"page_size": "32768", "journal_mode": "OFF", "synchronous": "OFF", "cache_size": "-8000"}
    scratch.executescript("".join(f"PRAGMA {name}.{setting}={value};" for setting, value in settings.items()))


def attach(scratch: sqlite3.Connection, name: str) -> None:
    """Another file beside that of the database, whose tables are then among its own."""
    scratch.execute(f"ATTACH ? AS {name}", [str(_folder_of(scratch) / f"{name}.sqlite3")])
    _keep_no_journal(scratch, name)


def take_rows(scratch: sqlite3.Connection, table: str, path: Path) -> None:
    """Moves the rows of another file into a table that has the same columns and none of their keys.

    SQLite then takes whole records without looking into them.
    """
    name = table.rpartition(".")[2]
    scratch.execute("ATTACH ? AS taken", [str(path)])
    scratch.execute(f"INSERT INTO {table} SELECT * FROM taken.{name}")  # noqa: S608 - our own names
    scratch.execute("DETACH taken")
    path.unlink()


@contextmanager
def filled_meanwhile(scratch: sqlite3.Connection, name: str, script: str, reads: str) -> Iterator[None]:
    """A script makes the tables of another file, which are attached afterwards, while the caller makes other ones.

    It reads those of the file `reads`, to which nobody writes meanwhile; SQLite runs its statements beside our own.
    """
    folder = _folder_of(scratch)

    def fill() -> None:
        with opened(folder / f"{name}.sqlite3") as other:
            attach(other, reads)
            other.executescript(script)

    with ThreadPoolExecutor(1, thread_name_prefix="staging") as thread:
        filled = thread.submit(fill)
        yield
        filled.result()
    attach(scratch, name)


def opener(scratch: sqlite3.Connection) -> Callable[[], AbstractContextManager[sqlite3.Connection]]:
    """Opens its files once more, with its views, for the thread that calls it and only reads.

    Functions are of a connection: those that views call must be defined again.
    """
    files = {row["name"]: Path(row["file"]) for row in scratch.execute("PRAGMA database_list") if row["file"]}
    views = [row["sql"] for row in scratch.execute("SELECT sql FROM temp.sqlite_master WHERE type = 'view'")]

    @contextmanager
    def open_again() -> Iterator[sqlite3.Connection]:
        with opened(files["main"]) as other:
            for name in files.keys() - {"main"}:
                attach(other, name)
            for view in views:
                other.execute(view.replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
            yield other

    return open_again


def _folder_of(scratch: sqlite3.Connection) -> Path:
    [path] = (row["file"] for row in scratch.execute("PRAGMA database_list") if row["name"] == "main")
    return Path(path).parent


def insert_rows(
    database: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]], columns: Sequence[str] = ()
) -> None:
    """Into a table whose first column is the key, numbered by the order; without `columns` they are all others."""
    columns = columns or [column["name"] for column in database.execute(f"PRAGMA table_info({table})").fetchall()[1:]]
    names, places = ", ".join(columns), ", ".join("?" for _ in columns)
    database.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608 - our own names


def batches(staged: sqlite3.Connection, query: str, size: int | None = None) -> Iterator[list[sqlite3.Row]]:
    """The rows of a query by their `id`; its tables may be changed between two batches."""
    last = 0
    paged = f"SELECT * FROM ({query}) WHERE id > ? ORDER BY id LIMIT {size or LOADED}"  # noqa: S608 - our own queries
    while batch := staged.execute(paged, [last]).fetchall():
        yield batch
        last = batch[-1]["id"]


def count_of(staged: sqlite3.Connection, table: str) -> int:
    return int(staged.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names


def keep_targets(staged: sqlite3.Connection, table: str, pairs: Iterable[tuple[int, int]]) -> None:
    """Records the keys of rows made in the real tables, each with the key of its staged row, in order."""
    keys, numbers = zip(*pairs, strict=True)
    staged.execute("BEGIN")
    if _is_gapless(keys) and _is_gapless(numbers):  # as they nearly always are
        statement = f"UPDATE {table} SET target = id + ? WHERE id BETWEEN ? AND ?"  # noqa: S608 - our own names
        staged.execute(statement, (keys[0] - numbers[0], numbers[0], numbers[-1]))
    else:
        pairs = zip(keys, numbers, strict=True)
        staged.executemany(f"UPDATE {table} SET target = ? WHERE id = ?", pairs)  # noqa: S608 - our own names
    staged.execute("COMMIT")


def _is_gapless(numbers: Sequence[int]) -> bool:
    return numbers == tuple(range(numbers[0], numbers[0] + len(numbers)))


HIGHEST = 2**63 - 1
Staged = tuple[int, int, str]


def make_tables(staged: sqlite3.Connection, names: Iterable[str]) -> None:
    """One for each file: the row's number, its line, the row as JSON, and its key in the real table."""
    for name in names:
        staged.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, line INTEGER, body TEXT, target INTEGER)")


def stage(staged: sqlite3.Connection, name: str, rows: Iterable[Staged]) -> Iterator[Staged]:
    """Stores the rows; yields those whose number another row has already."""
    coming = iter(rows)
    statement = f"INSERT OR IGNORE INTO {name} (id, line, body) VALUES (?, ?, ?)"  # noqa: S608 - our own names
    while several := list(islice(coming, BATCH)):
        staged.execute("BEGIN")
        stored = staged.executemany(statement, several).rowcount
        staged.execute("COMMIT")
        if stored != len(several):
            stored_lines = _column_of(staged, name, "line", [row[0] for row in several])
            yield from (row for row in several if stored_lines.get(row[0]) != row[1])


def bodies(
    staged: sqlite3.Connection, name: str, where: str = "TRUE", size: int | None = None
) -> Iterator[list[tuple[int, dict[str, Any]]]]:
    """The rows by their number, in batches; tables may be changed between them."""
    for batch in batches(staged, f"SELECT id, body FROM {name} WHERE {where}", size):  # noqa: S608 - our own names
        yield [(row["id"], json.loads(row["body"])) for row in batch]


def leading_nowhere(staged: sqlite3.Connection, name: str, field: str, target: str) -> Iterator[tuple[int, Any]]:
    """Line and value of rows whose field refers to a missing row."""
    key = f"json_extract(own.body, '$.{field}')"
    query = (
        f"SELECT own.line, {key} AS value FROM {name} own LEFT JOIN {target} other ON other.id = {key} "  # noqa: S608
        f"WHERE {key} IS NOT NULL AND other.id IS NULL ORDER BY own.line"
    )
    yield from ((row["line"], row["value"]) for row in staged.execute(query))


def repeated(staged: sqlite3.Connection, name: str, fields: Sequence[str]) -> Iterator[int]:
    """Lines of rows that repeat an earlier row in all these fields; empty fields equal none."""
    keys = [f"json_extract(body, '$.{field}')" for field in fields]
    filled = " AND ".join(f"{key} IS NOT NULL" for key in keys)
    query = (
        f"SELECT line FROM (SELECT line, ROW_NUMBER() OVER (PARTITION BY {', '.join(keys)} ORDER BY line) AS place "  # noqa: S608
        f"FROM {name} WHERE {filled}) WHERE place > 1 ORDER BY line"
    )
    yield from (row["line"] for row in staged.execute(query))


def targets_of(staged: sqlite3.Connection, name: str, keys: Iterable[int]) -> dict[int, int]:
    """The real keys by the numbers in the archive."""
    return _column_of(staged, name, "target", sorted(set(keys)))


def _column_of(staged: sqlite3.Connection, name: str, column: str, keys: Sequence[int]) -> dict[int, int]:
    values: dict[int, int] = {}
    for start in range(0, len(keys), BATCH):
        several = keys[start : start + BATCH]
        places = ", ".join("?" for _ in several)
        query = f"SELECT id, {column} FROM {name} WHERE id IN ({places})"  # noqa: S608 - our own names
        values.update(staged.execute(query, several).fetchall())
    return values
