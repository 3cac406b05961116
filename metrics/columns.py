"""Rows of a query as one array: bytes of PostgreSQL's COPY, or rows of SQLite without an object of Django for each."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import QuerySet

import numpy as np
from numpy.typing import NDArray

_ROWS_AT_ONCE = 10_000
_BYTES_AT_ONCE = 1 << 22
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
            parts = _Parts(dtype)
            names = [f"c{place}" for place in range(len(dtype.names or ()))]
            columns = ", ".join(_as_bytes(name, dtype[place]) for place, name in enumerate(names))
            query = f"SELECT {columns} FROM ({sql}) AS stored ({', '.join(names)})"  # noqa: S608 - of our own query
            filled = cursor.mogrify(query, parameters).decode()
            cursor.copy_expert(f"COPY ({filled}) TO STDOUT (FORMAT BINARY)", parts)
            return parts.joined()
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


class _Parts:
    """A file to which COPY writes: a row begins with the number of its fields, a field with its length."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        fields: list[tuple[str, str]] = [("fields", ">i2")]
        for place in range(len(dtype.names or ())):
            kind = dtype[place]
            fields += [(f"length{place}", ">i4")]
            fields += [(f"value{place}", kind.str if kind.kind == "S" else _KINDS[kind.kind][1])]
        self._packed = np.dtype(fields)
        self._bytes = bytearray()
        self._skip = _HEAD
        self._arrays: list[NDArray[Any]] = []

    def write(self, data: bytes) -> int:
        self._bytes += data
        if len(self._bytes) > _BYTES_AT_ONCE:
            self._unpack()
        return len(data)

    def joined(self) -> NDArray[Any]:
        self._unpack()
        return np.concatenate(self._arrays) if self._arrays else np.empty(0, dtype=self._dtype)

    def _unpack(self) -> None:
        whole = (len(self._bytes) - self._skip) // self._packed.itemsize
        packed = np.frombuffer(self._bytes, dtype=self._packed, count=whole, offset=self._skip)
        unpacked = np.empty(whole, dtype=self._dtype)
        for place, name in enumerate(self._dtype.names or ()):
            unpacked[name] = packed[f"value{place}"]
            if self._dtype[place].kind == "S":
                letters = unpacked[name].view(np.dtype((np.uint8, self._dtype[place].itemsize)))
                unpacked[name] = (
                    np.where(letters == ord(" "), 0, letters).astype(np.uint8).view(self._dtype[place])[:, 0]
                )
            if whole and (packed[f"length{place}"] != self._packed[f"value{place}"].itemsize).any():
                raise ValueError(f"column {name} has a null, or a text that is too long")
        self._arrays.append(unpacked)
        read = self._skip + whole * self._packed.itemsize
        del packed  # a view locks what it is of
        del self._bytes[:read]
        self._skip = 0
