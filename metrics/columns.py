"""Rows of a query as one array: bytes of PostgreSQL's COPY, or rows of SQLite without an object of Django for each."""

from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import QuerySet

import numpy as np
from numpy.typing import NDArray

_ROWS_AT_ONCE = 10_000
_HEAD = 19  # bytes before the first row; behind the last one there are two
_KINDS = {"i": ("bigint", ">i8"), "f": ("double precision", ">f8"), "b": ("boolean", "?")}


def read_columns(rows: "QuerySet[Any, Any]", dtype: np.dtype[Any]) -> NDArray[Any]:
    """The rows of a `values_list` as a structured array, a field a column; in one query, in parts.

    Whole numbers (`i8`) and truth values must not be null; numbers (`f8`) become NaN. Texts (`S2`) are ASCII, without
    blanks at their end, and no longer than their field.
    """
    sql, parameters = rows.query.get_compiler(connection=connection).as_sql()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            names = [f"c{place}" for place in range(len(dtype.names or ()))]
            columns = ", ".join(_as_bytes(name, dtype[place]) for place, name in enumerate(names))
            query = f"SELECT {columns} FROM ({sql}) AS stored ({', '.join(names)})"  # noqa: S608 - of our own query
            filled = cursor.mogrify(query, parameters).decode()
            copied = BytesIO()  # which takes a row in a tenth of the time that a method of ours needs
            cursor.copy_expert(f"COPY ({filled}) TO STDOUT (FORMAT BINARY)", copied)
            return _unpacked(copied.getbuffer(), dtype)
        cursor.execute(sql, parameters)
        return np.fromiter(chain.from_iterable(_fetched(cursor)), dtype=dtype)


def _fetched(cursor: Any) -> Iterator[list[tuple[Any, ...]]]:
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        yield rows


def _as_bytes(name: str, kind: np.dtype[Any]) -> str:
    """An expression whose value has always the same number of bytes."""
    if kind.kind == "S":
        return f"convert_to(rpad({name}, {kind.itemsize}), 'UTF8')"
    cast = f"{name}::{_KINDS[kind.kind][0]}"
    return f"COALESCE({cast}, 'NaN')" if kind.kind == "f" else cast


def _unpacked(copied: memoryview, dtype: np.dtype[Any]) -> NDArray[Any]:
    """What COPY wrote: a row begins with the number of its fields, a field with its length."""
    fields: list[tuple[str, str]] = [("fields", ">i2")]
    for place in range(len(dtype.names or ())):
        kind = dtype[place]
        fields += [(f"length{place}", ">i4")]
        fields += [(f"value{place}", kind.str if kind.kind == "S" else _KINDS[kind.kind][1])]
    row = np.dtype(fields)
    rows = np.frombuffer(copied, dtype=row, count=(len(copied) - _HEAD) // row.itemsize, offset=_HEAD)
    unpacked = np.empty(rows.size, dtype=dtype)
    for place, name in enumerate(dtype.names or ()):
        if (rows[f"length{place}"] != row[f"value{place}"].itemsize).any():
            raise ValueError(f"column {name} has a null, or a text that is too long")
        unpacked[name] = rows[f"value{place}"]
        if dtype[place].kind == "S":
            letters = unpacked[name].view(np.dtype((np.uint8, dtype[place].itemsize)))
            letters = np.where(letters == ord(" "), 0, letters).astype(np.uint8)
            unpacked[name] = letters.view(dtype[place])[:, 0]
    return unpacked
