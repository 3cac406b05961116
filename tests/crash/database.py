"""A site's database, looked at from outside: no line of the product stands between it and the tests."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg2

Rows = list[tuple[Any, ...]]


# PostgreSQL's own readers of every page and every index entry; an index that is wrong raises
READ_THROUGH = (
    "CREATE EXTENSION IF NOT EXISTS amcheck",
    """SELECT bt_index_check(index.indexrelid, true) FROM pg_index index
    JOIN pg_class class ON class.oid = index.indexrelid JOIN pg_am method ON method.oid = class.relam
    WHERE method.amname = 'btree' AND class.relnamespace = 'public'::regnamespace""",
    """SELECT class.relname || ': ' || found.msg FROM pg_class class, LATERAL verify_heapam(class.oid) found
    WHERE class.relkind = 'r' AND class.relnamespace = 'public'::regnamespace""",
)


class Database:
    """The last of the statements that read it through gives a line for every damage, or `ok`."""

    def __init__(self, connect: Callable[[], Any], *, read_through: tuple[str, ...]) -> None:
        self._connect = connect
        self._read_through = read_through

    def rows(self, *statements: str) -> Rows:
        """Of the last statement."""
        with self._cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def end_reservation(self, assignment: int) -> None:
        over = "UPDATE annotation_assignment SET expires_at = '2001-01-01 00:00:00+00:00' WHERE status = 'reserved'"
        with self._cursor() as cursor:
            cursor.execute(f"{over} AND id = {int(assignment)}")

    def is_taken_over(self, assignment: int) -> bool:
        """What was not judged in it waits for others, or is theirs."""
        returned = self.rows("SELECT id FROM annotation_assignment WHERE returned_at IS NOT NULL")
        return (assignment,) in returned

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        connection = self._connect()
        try:
            yield connection.cursor()
            connection.commit()
        finally:
            connection.close()

    def damage(self) -> list[str]:
        """What the database itself has to say against its files."""
        said = [str(row[0]) for row in self.rows(*self._read_through)]
        return [line for line in said if line != "ok"]


def sqlite_database(path: Path) -> Database:
    return Database(lambda: sqlite3.connect(path, timeout=20), read_through=("PRAGMA integrity_check",))


def postgres_database(url: str) -> Database:
    return Database(lambda: psycopg2.connect(url), read_through=READ_THROUGH)
