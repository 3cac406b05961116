"""Rows that stream into PostgreSQL in one transaction, with their foreign keys checked once, as sets, at its end.

PostgreSQL looks up every foreign key of every new row, which takes twice as long as the row itself
(docs/decisions/0051).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction
from django.db.models import Field, ForeignKey, Model

import psycopg2

Ranges = list[tuple[int, int]]  # of keys, both ends included


class RowsTogether:
    """The keys of rows that were written in this transaction, and how many rows have got one of them.

    `stored_before` are those of an earlier transaction that has ended, if nobody else knows them yet.
    """

    def __init__(self) -> None:
        self.new: dict[type[Model], Ranges] = {}
        self.written: Counter[type[Model]] = Counter()
        self.stored_before: RowsTogether | None = None
        self._checked: set[type[Model]] = set()

    def add(self, model: type[Model], keys: Ranges, written: int) -> None:
        ranges = self.new.setdefault(model, [])
        ranges += [each for each in keys if each not in ranges]
        self.written[model] += written
        self._checked.discard(model)

    def check(self) -> None:
        """All foreign keys of rows that were not checked yet, as at the end."""
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            for model in [each for each in self.new if each not in self._checked]:
                _check(cursor, model, self)
                self._checked.add(model)

    def ranges_of(self, model: type[Model]) -> Ranges:
        return self._of(model).new.get(model, [])

    def is_complete(self, model: type[Model]) -> bool:
        """Whether every key is that of a row."""
        return self._of(model).written[model] == sum(last - first + 1 for first, last in self.ranges_of(model))

    def _of(self, model: type[Model]) -> "RowsTogether":
        return self if model in self.new or self.stored_before is None else self.stored_before


_CURRENT: "ContextVar[RowsTogether | None]" = ContextVar("rows together", default=None)


class Lines(Protocol):
    """What COPY reads."""

    def read(self, size: int, /) -> bytes: ...


class _Watched:
    """Lines that keep their error: of one in `read`, psycopg2 makes one of the database, even of Ctrl-C."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.error: BaseException | None = None

    def read(self, size: int, /) -> bytes:
        try:
            return self._lines.read(size)
        except BaseException as error:
            self.error = error
            raise


def copy_lines(model: type[Model], columns: Sequence[str], lines: Lines, keys: Ranges | None) -> int:
    """Rows in the text form of PostgreSQL's COPY; how many there were. Without `keys` the sequence numbers them."""
    connection = connections[DEFAULT_DB_ALIAS]
    watched = _Watched(lines)
    with _written(model, keys) as cursor, connection.wrap_database_errors:
        try:
            cursor.cursor.copy_expert(f"COPY {_table(model)} ({_names(columns)}) FROM STDIN", watched)
        except psycopg2.Error as error:
            raise (watched.error or error) from None
        return int(cursor.rowcount)


def insert_selected(model: type[Model], columns: Sequence[str], query: str, values: Sequence[Any]) -> None:
    """Rows that the database makes itself, on SQLite too; the sequence numbers them."""
    with _written(model, None) as cursor:
        cursor.execute(f"INSERT INTO {_table(model)} ({_names(columns)}) {query}", values)


@contextmanager
def _written(model: type[Model], keys: Ranges | None) -> Iterator[Any]:
    """The rows of one statement, whose foreign keys are those of the `rows_together` around it."""
    together = current_rows()
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        if together is None:
            yield cursor
            return
        before = _last_key(cursor, model) if keys is None else 0
        cursor.execute("SET LOCAL session_replication_role TO replica")
        yield cursor
        written = cursor.rowcount
        cursor.execute("SET LOCAL session_replication_role TO origin")  # every other statement is checked as always
        together.add(model, keys or [(before, _last_key(cursor, model))], written)


def _last_key(cursor: Any, model: type[Model]) -> int:
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [model._meta.db_table, _key_name(model)])  # noqa: SLF001
    cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]}")  # noqa: S608 - our own name
    return int(cursor.fetchone()[0])


def can_write_together() -> bool:
    """Not on SQLite, and not where the role may not set `session_replication_role`."""
    connection = connections[DEFAULT_DB_ALIAS]
    return connection.vendor == "postgresql" and _may_skip_triggers(connection)


@contextmanager
def rows_together() -> Iterator[RowsTogether]:
    """What `copy_lines` and `insert_selected` write meanwhile is one transaction; its foreign keys are checked last.

    Where that is not possible, nothing changes: each batch is a transaction of its own, and the database checks each
    row.
    """
    rows = RowsTogether()
    if not can_write_together():
        yield rows
        return
    with transaction.atomic():
        token = _CURRENT.set(rows)
        try:
            yield rows
        finally:
            _CURRENT.reset(token)
        rows.check()


def current_rows() -> RowsTogether | None:
    """Those of the `rows_together` around the caller, if it has an effect."""
    return _CURRENT.get()


def _may_skip_triggers(connection: Any) -> bool:
    """Superusers, and from PostgreSQL 15 on whom `GRANT SET ON PARAMETER` allows it."""
    statement = "SELECT current_setting('is_superuser') = 'on'"
    if connection.pg_version >= 150_000:
        statement = "SELECT has_parameter_privilege('session_replication_role', 'SET')"
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return bool(cursor.fetchone()[0])


def _check(cursor: Any, model: type[Model], rows: RowsTogether) -> None:
    """What the constraints check before a commit, with their locks.

    Nobody else sees, or deletes, rows that this transaction has made: a key among theirs is right, or, if some of these
    keys are of no row, one that is there. All other rows that new ones refer to are locked, as PostgreSQL does, so that
    nobody deletes them before the commit.
    """
    for field in model._meta.concrete_fields:  # noqa: SLF001 - documented, for all its underscore
        if isinstance(field, ForeignKey) and getattr(field, "db_constraint", True):
            missing = 0
            for statement in _missing(model, field, rows):
                cursor.execute(statement)
                missing += cursor.fetchone()[0]
            if missing:
                table = model._meta.db_table  # noqa: SLF001 - as above
                raise IntegrityError(f"{table}.{field.column} refers to {missing} rows that are not there.")


def _missing(model: type[Model], field: "ForeignKey[Any, Any]", rows: RowsTogether) -> Iterator[str]:
    """Count the keys that lead nowhere. COUNT reads all of what is locked."""
    parent = field.target_field.model
    column, key = f'"{field.column}"', f'"{field.target_field.column}"'
    table, parent_table = _table(model), _table(parent)
    is_own = _within(f'"{_key_name(model)}"', rows.new[model])
    new = rows.ranges_of(parent)
    is_new = _within(column, new) if new else "FALSE"
    yield f"""
        WITH older AS MATERIALIZED (
            SELECT DISTINCT {column} AS key FROM {table} WHERE {is_own} AND {column} IS NOT NULL AND NOT ({is_new})
        ), locked AS MATERIALIZED (
            SELECT {key} FROM {parent_table} WHERE {key} IN (SELECT key FROM older) FOR KEY SHARE
        ) SELECT (SELECT COUNT(*) FROM older) - (SELECT COUNT(*) FROM locked)
    """  # noqa: S608 - our own names
    if new and not rows.is_complete(parent):
        yield f"""
            SELECT COUNT(*) FROM {table} AS own
            WHERE {is_own} AND {is_new} AND NOT EXISTS (SELECT FROM {parent_table} AS p WHERE p.{key} = own.{column})
        """  # noqa: S608 - our own names


def _within(column: str, ranges: Ranges) -> str:
    return f"({' OR '.join(f'{column} BETWEEN {first} AND {last}' for first, last in ranges)})"


def _names(columns: Sequence[str]) -> str:
    return ", ".join(map(connections[DEFAULT_DB_ALIAS].ops.quote_name, columns))


def _table(model: type[Model]) -> str:
    return f'"{model._meta.db_table}"'  # noqa: SLF001 - as above


def _key_name(model: type[Model]) -> str:
    key: Field[Any, Any] = model._meta.pk  # noqa: SLF001 - as above
    return str(key.column)
