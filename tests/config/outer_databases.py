"""A database outside this process: its rows, and its schema as it spells it itself."""

import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg2

from tests import empty_databases
from tests.processes import embedded_environment

Rows = list[dict[str, Any]]


class Database(ABC):
    """A database outside this process, and what is in it."""

    def __init__(self, data: Path, **variables: str) -> None:
        self.data = data
        self.variables = variables
        self.environment = embedded_environment(data) | variables

    @abstractmethod
    def connect(self) -> Any: ...

    @abstractmethod
    def schema(self) -> dict[str, set[str]]:
        """Columns, indexes and constraints as the database itself spells them, by table."""

    def read(self, query: str) -> Rows:
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(query)
            return [dict(zip([column[0] for column in cursor.description], row, strict=True)) for row in cursor]

    def write(self, statement: str) -> None:
        with closing(self.connect()) as connection:
            connection.cursor().execute(statement)
            connection.commit()

    def rows(self) -> dict[str, Rows]:
        return {table: sorted(self.read(f'SELECT * FROM "{table}"'), key=repr) for table in self.schema()}  # noqa: S608


class SqliteDatabase(Database):
    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.data / empty_databases.FILE)

    def schema(self) -> dict[str, set[str]]:
        entries = self.read("SELECT tbl_name, type, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC")
        seen: dict[str, set[str]] = {}
        for entry in entries:
            if entry["type"] == "table" and entry["tbl_name"] != "sqlite_sequence":
                body = re.fullmatch(r'CREATE TABLE "\w+" \((.*)\)', entry["sql"], re.DOTALL)
                assert body is not None, entry
                seen[entry["tbl_name"]] = set(parts(body[1]))
            elif entry["type"] == "index":
                seen[entry["tbl_name"]].add(entry["sql"])
        return seen


def parts(body: str) -> Iterator[str]:
    """Cut at the commas outside of brackets: a table that was altered has its columns in another order."""
    depth, part = 0, ""
    for character in body:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            yield part.strip()
            part = ""
        else:
            part += character
    yield part.strip()


# A list of values has other casts and brackets when its table came from a dump.
_SPELLED = re.compile(r"::(character varying|text)(\[\])?|[()]")


class PostgresDatabase(Database):
    def connect(self) -> Any:
        return psycopg2.connect(self.variables["DATABASE_URL"])

    def schema(self) -> dict[str, set[str]]:
        columns = self.read(
            "SELECT table_name, concat_ws(' ', column_name, data_type, character_maximum_length, is_nullable,"
            " column_default, identity_generation) AS is FROM information_schema.columns WHERE table_schema = 'public'"
        )
        indexes = self.read(
            "SELECT tablename AS table_name, indexdef AS is FROM pg_indexes WHERE schemaname = 'public'"
        )
        rules = self.read(
            "SELECT conrelid::regclass::text AS table_name, conname || ' ' || pg_get_constraintdef(oid) AS is"
            " FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
        )
        seen: dict[str, set[str]] = {entry["table_name"]: set() for entry in columns}
        for entry in columns:
            seen[entry["table_name"]].add(entry["is"])
        for entry in (*indexes, *rules):
            seen[entry["table_name"]].add(_SPELLED.sub("", entry["is"]))
        return seen
