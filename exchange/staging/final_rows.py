"""Rows as the database takes them, made by queries on the scratch database: Python touches none of them.

PostgreSQL gets lines for COPY, which SQLite joins and we escape by the hundred; SQLite gets the values themselves.
"""

import json
import sqlite3
from collections.abc import Callable
from itertools import chain, islice
from typing import Any
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import Field, FloatField, ForeignKey, JSONField, Model

from campaigns.bulk_rows import free_keys, random_identifiers
from campaigns.rows_together import copy_lines
from exchange.staging.database import LOADED

COPIED = 50_000  # rows of one COPY; between two, progress is reported, and a cancelled run ends
BLOCK = 250  # rows of one answer to PostgreSQL; while it takes them, the next are made
# bytes that are in no UTF-8 text
_NULL, _TAB, _END = b"\xfc", b"\xfd", b"\xfe"
_ESCAPED = {b"\\": rb"\\", b"\t": rb"\t", b"\n": rb"\n", b"\r": rb"\r", _NULL: rb"\N", _TAB: b"\t", _END: b"\n"}


class FinalRows:
    """The tables of one import. `report` learns how many rows were stored."""

    def __init__(self, staged: sqlite3.Connection, report: Callable[[int], None]) -> None:
        self.staged, self._report = staged, report
        self._keys: dict[type[Model], list[range]] = {}
        self._error: BaseException | None = None
        self.define("random_identifier", random_identifiers().__next__, is_constant=False)
        staged.create_function("decimal", 1, repr, deterministic=True)

    def on(self, staged: sqlite3.Connection, report: Callable[[int], None]) -> "FinalRows":
        """The same rows for another thread, which reads them by a connection of its own."""
        rows = FinalRows(staged, report)
        rows._keys = dict(self._keys)
        return rows

    def define(self, name: str, function: Callable[..., Any], *, is_constant: bool = True) -> None:
        """For queries. Of an error in it, even of Ctrl-C, SQLite says only that there was one; `store` raises it."""

        def watched(*values: Any) -> Any:
            try:
                return function(*values)
            except BaseException as error:
                self._error = error
                raise

        self.staged.create_function(name, -1, watched, deterministic=is_constant)

    def number(self, model: type[Model], count: int) -> None:
        """Draws keys for rows that are numbered from 1 to `count`; not every number needs a row."""
        self._keys[model] = free_keys(model, count)

    def store(self, model: type[Model], query: str) -> None:
        """Columns of the query are named as the fields that they fill; others have their default.

        The key, and foreign keys to a model with numbers, are numbers; times are texts in UTC, without saying so.
        """
        columns = [column[0] for column in self.staged.execute(f"SELECT * FROM ({query}) LIMIT 0").description]  # noqa: S608
        fields = {field.name: field for field in model._meta.concrete_fields}  # noqa: SLF001 - documented
        values = {name: self._value(fields[name], f'"{name}"') for name in columns}
        fixed: dict[str, Any] = {}
        for name, field in fields.items():
            if name not in values and field.default is uuid4:
                values[name] = "random_identifier()"
            elif name not in values and not field.primary_key:
                default = field.get_default()
                fixed[name] = json.dumps(default) if isinstance(field, JSONField) else default
        names = [str(fields[name].column) for name in (*values, *fixed)]
        try:
            self._write(model, names, list(values.values()), list(fixed.values()), query)
        except Exception:
            if self._error is not None:
                raise self._error from None
            raise

    def _write(self, model: type[Model], names: list[str], values: list[str], fixed: list[Any], query: str) -> None:
        if connection.vendor == "postgresql":
            drawn = self._keys.get(model)
            self._copy(model, names, f"SELECT {_line(values, fixed)} FROM ({query})", drawn)  # noqa: S608
        else:
            places = ", ".join([*("?" for _ in values), *map(_literal, fixed)])
            self._insert(model, names, places, f"SELECT {', '.join(values)} FROM ({query})")  # noqa: S608

    def _value(self, field: "Field[Any, Any]", expression: str) -> str:
        model = field.related_model if isinstance(field, ForeignKey) else field.model
        if (field.primary_key or isinstance(field, ForeignKey)) and model in self._keys:
            return self._key(model, expression)
        if isinstance(field, FloatField) and connection.vendor == "postgresql":
            return exact_number(expression)
        return expression

    def _key(self, model: type[Model], number: str) -> str:
        cases, numbered, offset = [], 0, 0
        for keys in self._keys[model]:
            offset = keys.start - numbered - 1
            numbered += len(keys)
            cases.append(f"WHEN {number} <= {numbered} THEN {number} + {offset}")
        return f"({number} + {offset})" if len(cases) < 2 else f"(CASE {' '.join(cases)} END)"

    def _copy(self, model: type[Model], names: list[str], query: str, drawn: list[range] | None) -> None:
        lines = _Lines(self._query(query))
        keys = None if drawn is None else [(each.start, each.stop - 1) for each in drawn]
        while lines.begin(COPIED):
            self._report(copy_lines(model, names, lines, keys))

    def _insert(self, model: type[Model], names: list[str], places: str, query: str) -> None:
        """In short transactions, between which others can write."""
        rows = self._query(query)
        columns = ", ".join(map(connection.ops.quote_name, names))
        statement = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places})"  # noqa: S608, SLF001
        for first in rows:
            with transaction.atomic(), connection.wrap_database_errors:
                several = chain([first], islice(rows, LOADED - 1))
                stored = connection.connection.executemany(statement, several).rowcount
            self._report(stored)

    def _query(self, query: str) -> sqlite3.Cursor:
        cursor = self.staged.cursor()
        cursor.row_factory = None
        return cursor.execute(query)


def exact_number(expression: str) -> str:
    """A number as text that PostgreSQL and Python read as the same one; SQLite would write 15 digits of it."""
    whole = f"CAST({expression} AS INTEGER)"
    return f"CASE WHEN {expression} = {whole} THEN {whole} WHEN {expression} IS NOT NULL THEN decimal({expression}) END"


def _line(values: list[str], fixed: list[Any]) -> str:
    """By `printf`, which takes half the time of so many `||`."""
    end = b"".join(_TAB + (_NULL if value is None else str(value).encode()) for value in fixed) + _END
    form = _TAB.join([b"%s"] * len(values)) + end.replace(b"%", b"%%")
    return f"CAST(printf({_text(form)}, {', '.join(f'COALESCE({each}, {_text(_NULL)})' for each in values)}) AS BLOB)"


def _text(constant: bytes) -> str:
    return f"CAST(x'{constant.hex()}' AS TEXT)"


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    return str(int(value)) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


class _Lines:
    """What a COPY reads of the lines of a query: up to so many, in blocks."""

    def __init__(self, rows: sqlite3.Cursor) -> None:
        self._rows, self._left = rows, 0
        self._next = rows.fetchmany(BLOCK)

    def begin(self, count: int) -> bool:
        self._left = count
        return bool(self._next)

    def read(self, _size: int = -1, /) -> bytes:
        if self._left <= 0:
            return b""
        block, self._next = b"".join(chain.from_iterable(self._next)), self._rows.fetchmany(BLOCK)
        self._left -= BLOCK
        for sign, written in _ESCAPED.items():
            block = block.replace(sign, written)
        return block
