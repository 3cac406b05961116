"""Checked records and places of wrong ones, in a temporary database until a file has been seen: constant memory."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from typing import TypeVar

from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from exchange.reading import WrongSegment
from exchange.staging.database import scratch_database

Record = TypeVar("Record", SegmentRecord, QuestionRecord)
_TABLES = {SegmentRecord: "segment", WrongSegment: "segment", QuestionRecord: "question"}


@contextmanager
def open_spool() -> "Iterator[Spool]":
    with scratch_database() as database:
        yield Spool(database)


class Spool:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        columns = "id INTEGER PRIMARY KEY, document TEXT, name TEXT, body TEXT, is_wrong INTEGER"
        for table in set(_TABLES.values()):
            database.execute(f"CREATE TABLE {table} ({columns}, UNIQUE (document, name))")
        database.execute("BEGIN")

    def add(self, record: SegmentRecord | WrongSegment | QuestionRecord) -> tuple[str, int] | None:
        """Stores a record, a question without a name under its number; if its name is taken, by what file and line."""
        table, body = _TABLES[type(record)], asdict(record)
        if isinstance(record, QuestionRecord):
            body["name"] = name = record.name or self._next_question(record.document)
        else:
            name = record.segment
        statement = f"INSERT OR IGNORE INTO {table} (document, name, body, is_wrong) VALUES (?, ?, ?, ?)"  # noqa: S608 - our own name
        values = (record.document, name, json.dumps(body, ensure_ascii=False), isinstance(record, WrongSegment))
        if self._database.execute(statement, values).rowcount:
            return None
        query = f"SELECT body FROM {table} WHERE document = ? AND name = ?"  # noqa: S608 - our own name
        (earlier,) = self._database.execute(query, (record.document, name)).fetchone()
        first = json.loads(earlier)
        return str(first["file"]), int(first["line"])

    def _next_question(self, document: str) -> str:
        """The first number from its place on that is free."""
        rows = self._database.execute("SELECT name FROM question WHERE document = ?", (document,))
        taken = {name for (name,) in rows}
        return next(str(number) for number in count(len(taken) + 1) if str(number) not in taken)

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """By the first appearance of their documents, then as in the file."""
        table = _TABLES[kind]
        firsts = f"SELECT document, MIN(id) AS first FROM {table} WHERE NOT is_wrong GROUP BY document"  # noqa: S608 - our own name
        query = f"SELECT body FROM {table} JOIN ({firsts}) USING (document) WHERE NOT is_wrong ORDER BY first, id"  # noqa: S608 - as above
        return (kind(**json.loads(body)) for (body,) in self._database.execute(query))

    def documents(self) -> Iterator[str]:
        """With right segments, by their first appearance."""
        query = "SELECT document FROM segment WHERE NOT is_wrong GROUP BY document ORDER BY MIN(id)"
        return (document for (document,) in self._database.execute(query))

    def records_of(self, document: str) -> Iterator[SegmentRecord]:
        """As in the file."""
        query = "SELECT body FROM segment WHERE document = ? AND NOT is_wrong ORDER BY id"
        return (SegmentRecord(**json.loads(body)) for (body,) in self._database.execute(query, (document,)))

    def counts(self, kind: type[Record]) -> tuple[int, int]:
        """Records, and documents that have some."""
        query = f"SELECT COUNT(*), COUNT(DISTINCT document) FROM {_TABLES[kind]} WHERE NOT is_wrong"  # noqa: S608 - our own names
        records, documents = self._database.execute(query).fetchone()
        return int(records), int(documents)

    def drop_stray_questions(self) -> Iterator[QuestionRecord]:
        """Deletes the questions on documents without segments."""
        stray = "document NOT IN (SELECT document FROM segment WHERE NOT is_wrong)"
        for (body,) in self._database.execute(f"SELECT body FROM question WHERE {stray} ORDER BY id").fetchall():  # noqa: S608 - our own words
            yield QuestionRecord(**json.loads(body))
        self._database.execute(f"DELETE FROM question WHERE {stray}")  # noqa: S608 - as above
