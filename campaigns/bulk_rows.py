"""Rows of one table written by the thousand, past Django's building of objects and of statements for them.

Django spends several times as long on an object and its part of the statement as the database on the row.
"""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import repeat
from typing import Any
from uuid import UUID, uuid4

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import BooleanField, DateTimeField, Field, JSONField, Model, UUIDField

from psycopg2.extras import execute_values

from campaigns.rows_together import RowsTogether, current_rows

PAGE = 1_000
Row = Sequence[Any]


def insert_bulk(
    model: type[Model], fields: Sequence[str], rows: Sequence[Row], *, unique: Sequence[str] = ()
) -> list[int]:
    """`insert_columns` of rows that each have these fields."""
    return insert_columns(model, dict(zip(fields, zip(*rows, strict=True), strict=True)), unique=unique) if rows else []


def insert_columns(
    model: type[Model], columns: Mapping[str, Sequence[Any]], *, unique: Sequence[str] = (), ready: Collection[str] = ()
) -> list[int]:
    """The keys of the new rows, in their order. A foreign key is its number; other fields have their default.

    The only checks are those of the database. A row that is there already, by the fields of a `unique` constraint, gets
    the other values and keeps its key (the one returned for it is not used). JSON and times in `ready` columns are
    texts as both databases take them: times in UTC, without saying so.
    """
    count = len(next(iter(columns.values())))
    connection = connections[DEFAULT_DB_ALIAS]
    table, key, others = _columns(model)
    chosen = {name: others.pop(name) for name in columns}
    values = [
        columns[name] if name in ready else _written(connection, field, columns[name]) for name, field in chosen.items()
    ]
    values += [_defaults(connection, field, count) for field in others.values()]
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in (*chosen.values(), *others.values()))
    together = None if unique else current_rows()
    if together is not None:
        return _copied_together(together, model, values, names)
    with transaction.atomic(), connection.cursor() as cursor:
        keys = _free_keys(cursor, connection.vendor, table, key, count)
        statement = f"INSERT INTO {table} ({key}, {names}) VALUES"
        otherwise = _replacing(connection, {name: str(field.column) for name, field in chosen.items()}, unique)
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors:
                if unique:
                    rows = zip(keys, *values, strict=True)
                    execute_values(cursor.cursor, f"{statement} %s {otherwise}", rows, page_size=PAGE)
                else:
                    copy = f"COPY {table} ({key}, {names}) FROM STDIN"
                    cursor.cursor.copy_expert(copy, BytesIO(_lines(keys, *values)), 1 << 16)
        else:
            places = ", ".join(["%s"] * (1 + len(values)))
            cursor.executemany(f"{statement} ({places}) {otherwise}", list(zip(keys, *values, strict=True)))
    return keys


def _copied_together(
    together: RowsTogether, model: type[Model], values: Sequence[Sequence[Any]], names: str
) -> list[int]:
    table, key, _others = _columns(model)

    def draw(count: int) -> list[int]:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            return _free_keys(cursor, "postgresql", table, key, count)

    keys = together.keys(model, len(values[0]), draw)
    together.copy(model, keys, f"COPY {table} ({key}, {names}) FROM STDIN", _lines(keys, *values))
    return keys


def _lines(*columns: Sequence[Any]) -> bytes:
    return "\n".join(map("\t".join, zip(*map(_copied, columns), strict=True))).encode()


@contextmanager
def commits_that_do_not_wait() -> Iterator[None]:
    """For rows that nobody sees before a last commit outside of this: it waits for the disk, and for all before it.

    What a crash of the machine takes, from the end on, would be taken back anyway.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")
        try:
            yield
        finally:
            if connection.is_usable():
                cursor.execute("RESET synchronous_commit")


def _replacing(connection: Any, columns: Mapping[str, str], unique: Sequence[str]) -> str:
    """`columns` are those of the fields written, by field."""
    if not unique:
        return ""
    quoted = {name: connection.ops.quote_name(column) for name, column in columns.items()}
    once = ", ".join(quoted[name] for name in unique)
    news = ", ".join(f"{column} = excluded.{column}" for name, column in quoted.items() if name not in unique)
    return f"ON CONFLICT ({once}) DO UPDATE SET {news}"


def _columns(model: type[Model]) -> tuple[str, str, dict[str, "Field[Any, Any]"]]:
    """The table, the column of its key, and the other fields by name."""
    about = model._meta  # noqa: SLF001 - documented, for all its underscore
    key = next(str(field.column) for field in about.concrete_fields if field.primary_key)
    return about.db_table, key, {field.name: field for field in about.concrete_fields if not field.primary_key}


def _defaults(connection: Any, field: "Field[Any, Any]", count: int) -> Sequence[Any]:
    if field.has_default() and callable(field.default):  # another one for each row
        own = _random_identifiers(count) if field.default is uuid4 else [field.get_default() for _ in range(count)]
        return _written(connection, field, own)
    return list(_written(connection, field, [field.get_default()])) * count


def _random_identifiers(count: int) -> list[str]:
    """As texts of `uuid4`, which would take four times as long."""
    drawn = os.urandom(16 * count).hex()
    digits = (drawn[start : start + 32] for start in range(0, len(drawn), 32))
    return [f"{each[:8]}-{each[8:12]}-4{each[13:16]}-a{each[17:20]}-{each[20:]}" for each in digits]


def _written(connection: Any, field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    """The values as the database takes them."""
    write: Callable[[Any], Any]
    if isinstance(field, JSONField):
        write = json.dumps
    elif isinstance(field, BooleanField):  # staged rows have numbers
        write = bool
    elif isinstance(field, DateTimeField):
        write = connection.ops.adapt_datetimefield_value
    elif isinstance(field, UUIDField):
        write = str if connection.features.has_native_uuid_field else _hex
    else:
        return values
    return [None if value is None else write(value) for value in values]


_ESCAPED = {"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"}  # the backslash first


def _copied(values: Sequence[Any]) -> Iterable[str]:
    """Values in the text form of PostgreSQL's COPY; most columns have one kind of them, and nothing to escape."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return map(_escaped, values) if any(map("".join(values).__contains__, _ESCAPED)) else values
    if kinds == {type(None)}:
        return repeat(r"\N", len(values))
    return map(str if kinds <= {int, float, bool} else _copied_value, values)


def _copied_value(value: Any) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, str):
        return _escaped(value)
    if isinstance(value, bytes | memoryview):
        return rf"\\x{bytes(value).hex()}"
    return str(value)


def _escaped(text: str) -> str:
    for sign, written in _ESCAPED.items():  # several times as fast as `str.translate`
        text = text.replace(sign, written)
    return text


def _hex(value: UUID | str) -> str:
    return value.replace("-", "") if isinstance(value, str) else value.hex


def _free_keys(cursor: Any, vendor: str, table: str, key: str, count: int) -> list[int]:
    if vendor == "postgresql":
        while True:
            name = "SELECT pg_get_serial_sequence(%s, %s)::regclass AS sequence OFFSET 0"  # looked up once
            series = f"SELECT nextval(sequence) AS free FROM ({name}) AS named, generate_series(1, %s)"  # noqa: S608
            cursor.execute(f"SELECT MIN(free), MAX(free) FROM ({series}) AS series", [table, key, count])  # noqa: S608
            first, last = cursor.fetchone()
            if last - first == count - 1:  # nobody else took one meanwhile
                return list(range(first, last + 1))
    # SQLite has one writer at a time, and this is it: a transaction begins with the lock
    cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
    last = int(cursor.fetchone()[0])
    return list(range(last + 1, last + 1 + count))
