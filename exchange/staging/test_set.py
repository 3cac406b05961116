"""Checked records, stored in a temporary database until the whole file is read: constant memory, any size."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import count
from types import TracebackType
from typing import Self

from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from exchange.staging.database import scratch_database

_SCHEMA = """
    CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE record (id INTEGER PRIMARY KEY, document INTEGER, segment TEXT, line INTEGER, body TEXT,
                         UNIQUE (document, segment));
    CREATE TABLE question (id INTEGER PRIMARY KEY, document TEXT, name TEXT, body TEXT, UNIQUE (document, name));
"""


class Spool:
    """Use as a context manager: the file is deleted when it ends."""

    def __enter__(self) -> Self:
        self._scratch = scratch_database()
        self._connection = self._scratch.__enter__()
        self._connection.executescript(_SCHEMA)
        self._connection.execute("BEGIN")
        self._documents: tuple[str, int] = ("", 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._scratch.__exit__(kind, error, traceback)

    def add(self, record: SegmentRecord) -> int | None:
        """Stores a record; if the segment is there already, returns the line of its first occurrence instead."""
        document = self._document_id(record.document)
        body = json.dumps(asdict(record), ensure_ascii=False)
        inserted = self._connection.execute(
            "INSERT OR IGNORE INTO record (document, segment, line, body) VALUES (?, ?, ?, ?)",
            (document, record.segment, record.line, body),
        )
        if inserted.rowcount:
            return None
        earlier = self._connection.execute(
            "SELECT line FROM record WHERE document = ? AND segment = ?", (document, record.segment)
        ).fetchone()
        return int(earlier[0])

    def _document_id(self, name: str) -> int:
        if self._documents[0] != name or not self._documents[1]:
            self._connection.execute("INSERT OR IGNORE INTO document (name) VALUES (?)", (name,))
            row = self._connection.execute("SELECT id FROM document WHERE name = ?", (name,)).fetchone()
            self._documents = (name, int(row[0]))
        return self._documents[1]

    @property
    def document_count(self) -> int:
        return int(self._connection.execute("SELECT count(DISTINCT document) FROM record").fetchone()[0])

    def records(self) -> Iterator[SegmentRecord]:
        """In the order of documents' first appearance, then of the file."""
        cursor = self._connection.cursor()
        for (body,) in cursor.execute("SELECT body FROM record ORDER BY document, id"):
            yield SegmentRecord(**json.loads(body))

    def add_question(self, record: QuestionRecord) -> QuestionRecord | None:
        """Stores a question, by default named by its number; if the name is taken, returns that question instead."""
        name = record.name or self._next_question(record.document)
        body = json.dumps(asdict(replace(record, name=name)), ensure_ascii=False)
        inserted = self._connection.execute(
            "INSERT OR IGNORE INTO question (document, name, body) VALUES (?, ?, ?)", (record.document, name, body)
        )
        if inserted.rowcount:
            return None
        earlier = self._connection.execute(
            "SELECT body FROM question WHERE document = ? AND name = ?", (record.document, name)
        ).fetchone()
        return QuestionRecord(**json.loads(earlier[0]))

    def _next_question(self, document: str) -> str:
        """The first free number from its place on."""
        rows = self._connection.execute("SELECT name FROM question WHERE document = ?", (document,))
        taken = {name for (name,) in rows}
        return next(str(number) for number in count(len(taken) + 1) if str(number) not in taken)

    def drop_stray_questions(self) -> Iterator[QuestionRecord]:
        """Removes questions on documents without segments."""
        known = "SELECT document.name FROM document JOIN record ON record.document = document.id"
        stray = f"document NOT IN ({known})"
        for (body,) in self._connection.execute(f"SELECT body FROM question WHERE {stray} ORDER BY id").fetchall():  # noqa: S608
            yield QuestionRecord(**json.loads(body))
        self._connection.execute(f"DELETE FROM question WHERE {stray}")  # noqa: S608 - our own words

    @property
    def question_counts(self) -> tuple[int, int]:
        """Questions, and documents that have some."""
        counts = "SELECT count(*), count(DISTINCT document) FROM question"
        questions, documents = self._connection.execute(counts).fetchone()
        return int(questions), int(documents)

    def questions(self) -> Iterator[QuestionRecord]:
        """In the order of their documents' first question, each document's together."""
        cursor = self._connection.cursor()
        order = "ORDER BY min(id) OVER (PARTITION BY document), id"
        for (body,) in cursor.execute(f"SELECT body FROM question {order}"):  # noqa: S608 - our own words
            yield QuestionRecord(**json.loads(body))
