"""Rows of one table written by the thousand, past Django's building of objects and of statements for them.

Django spends several times as long on an object and its part of the statement as the database on the row.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import BooleanField, DateTimeField, Field, JSONField, Model, UUIDField

from psycopg2.extras import execute_values

PAGE = 1_000
Row = Sequence[Any]


def insert_bulk(
    model: type[Model], fields: Sequence[str], rows: Sequence[Row], *, unique: Sequence[str] = ()
) -> list[int]:
    """The keys of the new rows, in their order. A foreign key is its number; other fields have their default.

    The only checks are those of the database. A row that is there already, by the fields of a `unique` constraint, gets
    the other values and keeps its key (the one returned for it is not used).
    """
    if not rows:
        return []
    connection = connections[DEFAULT_DB_ALIAS]
    table, key, others = _columns(model)
    chosen = [others.pop(name) for name in fields]
    columns = [
        _written(connection, field, column) for field, column in zip(chosen, zip(*rows, strict=True), strict=True)
    ]
    columns += [_written(connection, field, [field.get_default() for _ in rows]) for field in others.values()]
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in (*chosen, *others.values()))
    with transaction.atomic(), connection.cursor() as cursor:
        keys = _free_keys(cursor, connection.vendor, table, key, len(rows))
        complete = zip(keys, *columns, strict=True)
        statement = f"INSERT INTO {table} ({key}, {names}) VALUES"
        columns_by_field = {field.name: str(field.column) for field in chosen}
        otherwise = _replacing(connection, columns_by_field, unique) if unique else ""
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors:
                if unique:
                    execute_values(cursor.cursor, f"{statement} %s {otherwise}", complete, page_size=PAGE)
                else:
                    lines = "".join("\t".join(map(_copied, row)) + "\n" for row in complete)
                    cursor.cursor.copy_expert(f"COPY {table} ({key}, {names}) FROM STDIN", StringIO(lines))
        else:
            places = ", ".join(["%s"] * (1 + len(columns)))
            cursor.executemany(f"{statement} ({places}) {otherwise}", list(complete))
    return keys


def _replacing(connection: Any, columns: Mapping[str, str], unique: Sequence[str]) -> str:
    """`columns` are those of the fields written, by field."""
    quoted = {name: connection.ops.quote_name(column) for name, column in columns.items()}
    once = ", ".join(quoted[name] for name in unique)
    news = ", ".join(f"{column} = excluded.{column}" for name, column in quoted.items() if name not in unique)
    return f"ON CONFLICT ({once}) DO UPDATE SET {news}"


def _columns(model: type[Model]) -> tuple[str, str, dict[str, "Field[Any, Any]"]]:
    """The table, the column of its key, and the other fields by name."""
    about = model._meta  # noqa: SLF001 - documented, for all its underscore
    key = next(str(field.column) for field in about.concrete_fields if field.primary_key)
    return about.db_table, key, {field.name: field for field in about.concrete_fields if not field.primary_key}


def _written(connection: Any, field: "Field[Any, Any]", values: Sequence[Any]) -> Iterable[Any]:
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


_ESCAPED = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def _copied(value: Any) -> str:
    """A value in the text form of PostgreSQL's COPY."""
    if value is None:
        return r"\N"
    if isinstance(value, str):
        return value.translate(_ESCAPED)
    if isinstance(value, bytes | memoryview):
        return rf"\\x{bytes(value).hex()}"
    return str(value)


def _hex(value: UUID) -> str:
    return value.hex


def _free_keys(cursor: Any, vendor: str, table: str, key: str, count: int) -> list[int]:
    if vendor == "postgresql":
        series = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
        cursor.execute(series, [table, key, count])
        return sorted(number for (number,) in cursor.fetchall())
    # SQLite has one writer at a time, and this is it: a transaction begins with the lock
    cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
    last = int(cursor.fetchone()[0])
    return list(range(last + 1, last + 1 + count))
