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
    """The keys of rows that were written in this transaction, and how many rows have got one of them."""

    def __init__(self) -> None:
        self.new: dict[type[Model], Ranges] = {}
        self.written: Counter[type[Model]] = Counter()

    def is_complete(self, model: type[Model]) -> bool:
        """Whether every key is that of a row."""
        return self.written[model] == sum(last - first + 1 for first, last in self.new[model])


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
    """Rows in the text form of PostgreSQL's COPY; how many there were. Without `keys` the sequence numbers them.

    A transaction of its own, unless `rows_together` are around it.
    """
    connection, together = connections[DEFAULT_DB_ALIAS], current_rows()
    table = _table(model)
    names = ", ".join(map(connection.ops.quote_name, columns))
    with transaction.atomic(savepoint=together is None), connection.cursor() as cursor:
        before = _last_key(cursor, model) if together is not None and keys is None else 0
        if together is not None:
            cursor.execute("SET LOCAL session_replication_role TO replica")
        watched = _Watched(lines)
        with connection.wrap_database_errors:
            try:
                cursor.cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", watched)
            except psycopg2.Error as error:
                raise (watched.error or error) from None
        copied = int(cursor.cursor.rowcount)
        if together is not None:  # every other statement is checked as always
            cursor.execute("SET LOCAL session_replication_role TO origin")
            ranges = together.new.setdefault(model, [])
            ranges += [each for each in keys or [(before, _last_key(cursor, model))] if each not in ranges]
            together.written[model] += copied
    return copied


def _last_key(cursor: Any, model: type[Model]) -> int:
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [model._meta.db_table, _key_name(model)])  # noqa: SLF001
    cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]}")  # noqa: S608 - our own name
    return int(cursor.fetchone()[0])


@contextmanager
def rows_together() -> Iterator[None]:
    """What `copy_lines` writes meanwhile is one transaction; its foreign keys are checked at the end.

    On SQLite, and where the role may not set `session_replication_role`, nothing changes: each batch is a transaction
    of its own, and the database checks each row.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql" or not _may_skip_triggers(connection):
        yield
        return
    with transaction.atomic():
        rows = RowsTogether()
        token = _CURRENT.set(rows)
        try:
            yield
        finally:
            _CURRENT.reset(token)
        with connection.cursor() as cursor:
            for model in rows.new:
                _check(cursor, model, rows)


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
    is_new = _within(column, rows.new[parent]) if parent in rows.new else "FALSE"
    yield f"""
        WITH older AS MATERIALIZED (
            SELECT DISTINCT {column} AS key FROM {table} WHERE {is_own} AND {column} IS NOT NULL AND NOT ({is_new})
        ), locked AS MATERIALIZED (
            SELECT {key} FROM {parent_table} WHERE {key} IN (SELECT key FROM older) FOR KEY SHARE
        ) SELECT (SELECT COUNT(*) FROM older) - (SELECT COUNT(*) FROM locked)
    """  # noqa: S608 - our own names
    if parent in rows.new and not rows.is_complete(parent):
        yield f"""
            SELECT COUNT(*) FROM {table} AS own
            WHERE {is_own} AND {is_new} AND NOT EXISTS (SELECT FROM {parent_table} AS p WHERE p.{key} = own.{column})
        """  # noqa: S608 - our own names


def _within(column: str, ranges: Ranges) -> str:
    return f"({' OR '.join(f'{column} BETWEEN {first} AND {last}' for first, last in ranges)})"


def _table(model: type[Model]) -> str:
    return f'"{model._meta.db_table}"'  # noqa: SLF001 - as above


def _key_name(model: type[Model]) -> str:
    key: Field[Any, Any] = model._meta.pk  # noqa: SLF001 - as above
    return str(key.column)
