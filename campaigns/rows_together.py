"""Rows of one transaction of PostgreSQL, copied by a thread, with their foreign keys checked once, as sets, at its end.

PostgreSQL looks up every foreign key of every new row, which takes twice as long as the row itself; and while it takes
some rows, we can prepare the next (docs/decisions/0051).
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from typing import Any

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction
from django.db.models import Field, ForeignKey, Model

DRAWN = 50_000  # keys of a table at once, at most: to draw them, what is being copied must end
AHEAD = 2  # batches that wait to be copied
Ranges = list[tuple[int, int]]  # of keys, both ends included
_CURRENT: "ContextVar[RowsTogether | None]" = ContextVar("rows together", default=None)


class RowsTogether:
    """Rows that were written in this transaction. Only its thread copies; whoever else uses the connection waits."""

    def __init__(self, connection: Any) -> None:
        self.new: dict[type[Model], Ranges] = {}
        self.expected: Counter[type[Model]] = Counter()
        self._connection = connection
        self._drawn: dict[type[Model], range] = {}
        self._counts: Counter[type[Model]] = Counter()
        self._pending: deque[Future[None]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="copy")
        self._is_unchecked = False

    def keys(self, model: type[Model], count: int, draw: Callable[[int], Sequence[int]]) -> list[int]:
        """Keys that follow each other. Drawn are as many as are expected, else as many again as before.

        So few rows leave no gap.
        """
        drawn = self._drawn.get(model, range(0))
        if len(drawn) < count:
            keys = draw(max(count, min(DRAWN, self.expected[model] or self._counts[model])))
            drawn = range(keys[0], keys[-1] + 1)
            self._counts[model] += len(drawn)
        self._drawn[model] = drawn[count:]
        self.expected[model] = max(0, self.expected[model] - count)
        return list(drawn[:count])

    def copy(self, model: type[Model], keys: Sequence[int], statement: str, lines: bytes) -> None:
        """Returns before they are copied: an error comes with a later call, or at the end."""
        while len(self._pending) >= AHEAD:
            self._end_first()
        self._pending.append(self._thread.submit(self._copy, statement, lines))
        ranges = self.new.setdefault(model, [])
        if ranges and ranges[-1][1] + 1 == keys[0]:
            ranges[-1] = (ranges[-1][0], keys[-1])
        else:
            ranges.append((keys[0], keys[-1]))

    def _copy(self, statement: str, lines: bytes) -> None:
        with self._connection.connection.cursor() as cursor:
            if not self._is_unchecked:
                cursor.execute("SET LOCAL session_replication_role TO replica")
                self._is_unchecked = True
            cursor.copy_expert(statement, BytesIO(lines), len(lines) + 1)  # in one piece: its turns are rare

    def _end_first(self) -> None:
        with self._connection.wrap_database_errors:
            self._pending.popleft().result()

    def before_statement(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """Every other statement of the transaction comes after the rows, and is checked as always."""
        self.settle()
        return execute(*arguments)

    def settle(self) -> None:
        while self._pending:
            self._end_first()
        if self._is_unchecked:
            self._is_unchecked = False
            with self._connection.wrap_database_errors, self._connection.connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role TO origin")

    def close(self) -> None:
        """What waits is not copied any more."""
        self._thread.shutdown(cancel_futures=True)
        self._pending.clear()


@contextmanager
def rows_together() -> Iterator[None]:
    """What `insert_columns` writes meanwhile is one transaction; its foreign keys are checked at the end.

    On SQLite, and where the role may not set `session_replication_role`, nothing changes: each batch is a transaction
    of its own, and the database checks each row.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql" or not _may_skip_triggers(connection):
        yield
        return
    with transaction.atomic():
        rows = RowsTogether(connection)
        token = _CURRENT.set(rows)
        try:
            with connection.execute_wrapper(rows.before_statement):
                yield
                rows.settle()
        finally:
            _CURRENT.reset(token)
            rows.close()
        with connection.cursor() as cursor:
            for model in rows.new:
                _check(cursor, model, rows.new)


def current_rows() -> RowsTogether | None:
    """Those of the `rows_together` around the caller, if it has an effect."""
    return _CURRENT.get()


def expect_rows(model: type[Model], count: int) -> None:
    """So many rows of a model, or nearly so, are going to be written together: their keys can be drawn at once."""
    rows = current_rows()
    if rows is not None:
        rows.expected[model] = count


def _may_skip_triggers(connection: Any) -> bool:
    """Superusers, and from PostgreSQL 15 on whom `GRANT SET ON PARAMETER` allows it."""
    statement = "SELECT current_setting('is_superuser') = 'on'"
    if connection.pg_version >= 150_000:
        statement = "SELECT has_parameter_privilege('session_replication_role', 'SET')"
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return bool(cursor.fetchone()[0])


def _check(cursor: Any, model: type[Model], new: dict[type[Model], Ranges]) -> None:
    """What the constraints check before a commit, with their locks.

    Nobody else sees, or deletes, rows that this transaction has made: a key among theirs is right. All other rows that
    new ones refer to are locked, as PostgreSQL does, so that nobody deletes them before the commit.
    """
    for field in model._meta.concrete_fields:  # noqa: SLF001 - documented, for all its underscore
        if isinstance(field, ForeignKey) and getattr(field, "db_constraint", True):
            statement = _missing(model, field, new)
            cursor.execute(statement)
            if missing := cursor.fetchone()[0]:
                table = model._meta.db_table  # noqa: SLF001 - as above
                raise IntegrityError(f"{table}.{field.column} refers to {missing} rows that are not there.")


def _missing(model: type[Model], field: "ForeignKey[Any, Any]", new: dict[type[Model], Ranges]) -> str:
    """Counts the keys that lead nowhere. COUNT reads all of what is locked."""
    parent = field.target_field.model
    column, key = f'"{field.column}"', f'"{field.target_field.column}"'
    own_key, table, parent_table = _key(model), _table(model), _table(parent)
    is_new = _within(column, new[parent]) if parent in new else "FALSE"
    return f"""
        WITH older AS MATERIALIZED (
            SELECT DISTINCT {column} AS key FROM {table}
            WHERE {_within(own_key, new[model])} AND {column} IS NOT NULL AND NOT ({is_new})
        ), locked AS MATERIALIZED (
            SELECT {key} FROM {parent_table} WHERE {key} IN (SELECT key FROM older) FOR KEY SHARE
        ) SELECT (SELECT COUNT(*) FROM older) - (SELECT COUNT(*) FROM locked)
    """  # noqa: S608 - our own names


def _within(column: str, ranges: Ranges) -> str:
    return f"({' OR '.join(f'{column} BETWEEN {first} AND {last}' for first, last in ranges)})"


def _table(model: type[Model]) -> str:
    return f'"{model._meta.db_table}"'  # noqa: SLF001 - as above


def _key(model: type[Model]) -> str:
    key: Field[Any, Any] = model._meta.pk  # noqa: SLF001 - as above
    return f'"{key.column}"'
