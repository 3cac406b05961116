"""Rows of one table written by the thousand, past Django's building of objects and of statements for them.

Django spends several times as long on an object and its part of the statement as the database on the row.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import repeat
from typing import Any
from uuid import UUID, uuid4

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import BooleanField, DateTimeField, Field, JSONField, Model, UUIDField

from psycopg2.extras import execute_values

PAGE = 1_000
ALIKE = 4_096  # identifiers with the same beginning
DRAWN = 64  # of them at once
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
    chosen = {name: others.pop(name) for name in fields}
    columns = zip(*rows, strict=True)
    values = [_written(connection, field, each) for field, each in zip(chosen.values(), columns, strict=True)]
    values += [_defaults(connection, field, len(rows)) for field in others.values()]
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in (*chosen.values(), *others.values()))
    with transaction.atomic(), connection.cursor() as cursor:
        (free,) = free_keys(model, len(rows), most=len(rows))
        keys = list(free)
        statement = f"INSERT INTO {table} ({key}, {names}) VALUES"
        otherwise = _replacing(connection, {name: str(field.column) for name, field in chosen.items()}, unique)
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors:
                if unique:
                    lines = zip(keys, *values, strict=True)
                    execute_values(cursor.cursor, f"{statement} %s {otherwise}", lines, page_size=PAGE)
                else:
                    copy = f"COPY {table} ({key}, {names}) FROM STDIN"
                    cursor.cursor.copy_expert(copy, BytesIO(_lines(keys, *values)), 1 << 16)
        else:
            places = ", ".join(["%s"] * (1 + len(values)))
            cursor.executemany(f"{statement} ({places}) {otherwise}", list(zip(keys, *values, strict=True)))
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
            with connection.cursor() as cursor:
                cursor.execute("RESET synchronous_commit")
        elif not connection.in_atomic_block:
            connection.close()  # it was lost: the next statement opens another


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
        identifiers = random_identifiers()
        own = [next(identifiers) if field.default is uuid4 else field.get_default() for _ in range(count)]
        return _written(connection, field, own)
    return list(_written(connection, field, [field.get_default()])) * count


def random_identifiers() -> Iterator[str]:
    """Hexadecimal digits of random UUIDs, of which some thousand begin alike.

    Their index then grows in one place for a while, where identifiers without order each change another of its pages.
    The 88 random bits after the beginning say nothing of the order, and nobody can guess them.
    """
    while True:
        beginning = os.urandom(4).hex()
        for _ in range(ALIKE // DRAWN):
            drawn = os.urandom(12 * DRAWN).hex()
            for start in range(0, len(drawn), 24):
                middle, rest = drawn[start : start + 7], drawn[start + 9 : start + 24]
                yield f"{beginning}{middle[:4]}4{middle[4:]}a{rest}"


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


def free_keys(model: type[Model], count: int, *, most: int = 50_000) -> list[range]:
    """New keys, of which at most so many follow each other for certain: somebody else may draw some meanwhile."""
    connection = connections[DEFAULT_DB_ALIAS]
    ranges: list[range] = []
    with transaction.atomic(), connection.cursor() as cursor:
        while count > 0:
            drawn = _drawn(cursor, connection.vendor, model, min(count, most))
            count -= len(drawn)
            if ranges and ranges[-1].stop == drawn.start:
                ranges[-1] = range(ranges[-1].start, drawn.stop)
            else:
                ranges.append(drawn)
    return ranges


def _drawn(cursor: Any, vendor: str, model: type[Model], count: int) -> range:
    table, key, _others = _columns(model)
    if vendor == "postgresql":
        while True:
            name = "SELECT pg_get_serial_sequence(%s, %s)::regclass AS sequence OFFSET 0"  # looked up once
            series = f"SELECT nextval(sequence) AS free FROM ({name}) AS named, generate_series(1, %s)"  # noqa: S608
            cursor.execute(f"SELECT MIN(free), MAX(free) FROM ({series}) AS series", [table, key, count])  # noqa: S608
            first, last = cursor.fetchone()
            if last - first == count - 1:  # nobody else took one meanwhile
                return range(first, last + 1)
    # SQLite has one writer at a time, and this is it: a transaction begins with the lock
    cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s RETURNING seq", [count, table])
    row = cursor.fetchone()
    if row is None:
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
    last = int(row[0]) if row else count
    return range(last + 1 - count, last + 1)
