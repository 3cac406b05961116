"""Databases put aside, of which every measurement gets a copy of its own."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import psycopg2

from benchmarks._judging.contestant import BenchmarkFailed
from tests.plugins.postgres import PostgresServer

CLIENT_IDS = "SELECT client_id FROM annotation_judgment"
DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


class Shelf(Protocol):
    @property
    def process(self) -> int | None:
        """The root of the database's own processes, if it has any."""

    @property
    def version(self) -> str: ...

    def make(self, name: str, *, like: str | None = None) -> str:
        """The URL of a new database, empty or as another is now."""

    def settle(self, name: str) -> None:
        """What a database does sooner or later by itself, so that it does not happen while we measure."""

    def drop(self, name: str) -> None: ...

    def client_ids(self, name: str) -> set[str]: ...


class PostgresShelf:
    """A server with the settings it comes with, which keep what was committed."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        unsafe = [name for name in DURABLE if self._rows(f"SHOW {name}") != [("on",)]]
        if unsafe:
            raise BenchmarkFailed(f"PostgreSQL would not keep what it confirms: {', '.join(unsafe)} must be on.")

    @property
    def process(self) -> int:
        return self._server.pid

    @property
    def version(self) -> str:
        return f"PostgreSQL {str(self._rows('SHOW server_version')[0][0]).split()[0]}"

    def make(self, name: str, *, like: str | None = None) -> str:
        self._perform(f"CREATE DATABASE {name} TEMPLATE {like or 'template1'}")
        self._perform("CHECKPOINT")
        return self._server.url(name)

    def settle(self, name: str) -> None:
        self._perform("VACUUM (ANALYZE)", name)

    def drop(self, name: str) -> None:
        self._perform(f"DROP DATABASE {name} WITH (FORCE)")

    def client_ids(self, name: str) -> set[str]:
        return _names(self._rows(CLIENT_IDS, name))

    def _perform(self, statement: str, name: str = "postgres") -> None:
        with self._cursor(name) as cursor:
            cursor.execute(statement)

    def _rows(self, statement: str, name: str = "postgres") -> list[tuple[Any, ...]]:
        with self._cursor(name) as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    @contextmanager
    def _cursor(self, name: str) -> Iterator[Any]:
        connection = psycopg2.connect(self._server.url(name))
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                yield cursor
        finally:
            connection.close()


class SqliteShelf:
    """Files in a folder; the product itself sets what keeps them safe."""

    process = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def version(self) -> str:
        return f"SQLite {sqlite3.sqlite_version}"

    def make(self, name: str, *, like: str | None = None) -> str:
        if like is not None:
            self._copy(self._path(like), self._path(name))
        return f"sqlite:///{self._path(name)}"

    def settle(self, name: str) -> None:
        """Its writers do that themselves, and so it is part of what is measured."""

    def drop(self, name: str) -> None:
        for path in self._folder.glob(f"{name}.sqlite3*"):
            path.unlink()

    def client_ids(self, name: str) -> set[str]:
        connection = sqlite3.connect(self._path(name))
        try:
            return _names(connection.execute(CLIENT_IDS))
        finally:
            connection.close()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.sqlite3"

    def _copy(self, given: Path, wanted: Path) -> None:
        source, target = sqlite3.connect(given), sqlite3.connect(wanted)
        try:
            source.backup(target)
        finally:
            source.close()
            target.close()


def _names(rows: Iterable[tuple[Any, ...]]) -> set[str]:
    """Each database writes such an id in its own way."""
    return {str(UUID(str(row[0]))) for row in rows}
