"""A query of plain values that is compiled once: for the few that run with every judgment.

Building and compiling a query costs Django several times what reading its rows does (docs/decisions/0006).
"""

import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet

from psycopg2.extensions import AsIs

POSTGRES_TYPES = {int: "bigint", UUID: "uuid", str: "text"}
Build = Callable[..., "QuerySet[Any, Any]"]
Row = tuple[Any, ...]
M = TypeVar("M", bound=Model)


class PreparedRows:
    """`build` makes the query from named numbers, UUIDs and texts; calling with others gives the rows for these.

    The query must be the same whatever the values: `build` sees stand-ins and must not look at them. PostgreSQL parses
    and plans it once for each connection, too, unless connections are not kept (`CONN_MAX_AGE` is 0): behind a pooler
    each statement may go to another session of the server.
    """

    def __init__(self, build: Build, **kinds: type[int] | type[UUID] | type[str]) -> None:
        self.build = build
        self.kinds = kinds
        self.stand_ins = {name: _stand_in(kind, place) for place, (name, kind) in enumerate(kinds.items(), start=1)}
        self._own = threading.local()  # a compiler belongs to its thread's connection

    def __call__(self, **values: int | UUID | str) -> list[Row]:
        connection = connections[DEFAULT_DB_ALIAS]  # itself: each look through the proxy costs as much as a value
        compiler, sql, parameters, converters = self._compiled(connection)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql" and connection.settings_dict["CONN_MAX_AGE"] != 0:
                cursor.execute(self._prepared(connection), [values[name] for name in self.kinds])
            else:
                cursor.execute(sql, [adapt(values[name]) if name else adapt for name, adapt in parameters])
            rows = cursor.fetchall()
        return list(map(tuple, compiler.apply_converters(rows, converters)) if converters else rows)

    def _compiled(self, connection: Any) -> tuple[Any, str, list[tuple[str, Any]], Any]:
        """With each parameter's name and how it is written; a constant has no name and stands for itself."""
        if getattr(self._own, "connection", None) is not connection:
            compiler = self.build(**self.stand_ins).query.get_compiler(connection=connection)
            sql, parameters = compiler.as_sql()
            converters = compiler.get_converters([column for column, _sql, _alias in compiler.select])
            self._own.compiled = compiler, sql, [self._named(parameter) for parameter in parameters], converters
            self._own.connection = connection
        return self._own.compiled  # type: ignore[no-any-return]

    def _prepared(self, connection: Any) -> str:
        """The statement that runs the one that this connection has prepared; it outlives transactions."""
        name, places = f"rows_{id(self)}", ", ".join(["%s"] * len(self.kinds))
        known = getattr(self._own, "prepared_on", None)
        if known is None or known() is not connection.connection:
            _compiler, sql, parameters, _converters = self._compiled(connection)
            numbers = {name: AsIs(f"${place}") for place, name in enumerate(self.kinds, start=1)}
            kinds = ", ".join(POSTGRES_TYPES[kind] for kind in self.kinds.values())
            with connection.wrap_database_errors, connection.connection.cursor() as cursor:
                statement = cursor.mogrify(sql, [numbers.get(name, constant) for name, constant in parameters])
                cursor.execute(f"PREPARE {name} ({kinds}) AS {statement.decode()}")
            self._own.prepared_on = weakref.ref(connection.connection)
        return f"EXECUTE {name} ({places})"

    def _named(self, parameter: Any) -> tuple[str, Any]:
        for name, stand_in in self.stand_ins.items():
            if parameter == stand_in:
                return name, _as_it_is
            if isinstance(stand_in, UUID) and parameter == stand_in.hex:  # as SQLite stores it
                return name, _as_hex
        return "", parameter


def columns_of(row: type[tuple[Any, ...]]) -> tuple[str, ...]:
    """The columns that fill a NamedTuple: each field's own name, or the one that its annotation names."""
    return tuple(getattr(kind, "__metadata__", (name,))[0] for name, kind in row.__annotations__.items())


def attributes_of(model: type[Model], *fields: str) -> tuple[str, ...]:
    """The names of these fields in a row, in the order that `instance_of` needs."""
    concrete = model._meta.concrete_fields  # noqa: SLF001 - documented, for all its underscore
    return tuple(field.attname for field in concrete if field.name in fields)


def names_of(model: type[Model]) -> tuple[str, ...]:
    """Those of all fields, in the order that `instance_of` needs."""
    return tuple(field.attname for field in model._meta.concrete_fields)  # noqa: SLF001 - as above


def instance_of(model: type[M], attributes: Sequence[str], values: Iterable[Any]) -> M:
    """Fields without a value are loaded on first use."""
    return model.from_db(DEFAULT_DB_ALIAS, attributes, tuple(values))


def _stand_in(kind: type[int] | type[UUID] | type[str], place: int) -> int | UUID | str:
    """Values that no query contains; the numbers fit every column of numbers."""
    number = 1_987_654_320 + place
    if kind is UUID:
        return UUID(int=(0xA55A << 112) + place)
    return number if kind is int else f"stand-in {number}"


def _as_it_is(value: Any) -> Any:
    return value


def _as_hex(value: UUID) -> str:
    return value.hex
