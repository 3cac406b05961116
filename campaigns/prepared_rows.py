"""A query of plain values that is compiled once: for the few that run with every judgment.

Building and compiling a query costs Django several times what reading its rows does (docs/decisions/0006).
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Model, QuerySet

Build = Callable[..., "QuerySet[Any, Any]"]
Row = tuple[Any, ...]
M = TypeVar("M", bound=Model)


class PreparedRows:
    """`build` makes the query from named numbers and UUIDs; calling with others gives the rows for these.

    The query must be the same whatever the values: `build` sees stand-ins and must not look at them.
    """

    def __init__(self, build: Build, **kinds: type[int] | type[UUID]) -> None:
        self.build = build
        self.stand_ins = {name: _stand_in(kind, place) for place, (name, kind) in enumerate(kinds.items(), start=1)}
        self._own = threading.local()  # a compiler belongs to its thread's connection

    def __call__(self, **values: int | UUID) -> list[Row]:
        compiler, sql, parameters = self._compiled()
        arguments = [adapt(values[name]) if name else adapt for name, adapt in parameters]
        with connection.cursor() as cursor:
            cursor.execute(sql, arguments)
            rows = cursor.fetchall()
        return list(compiler.results_iter([rows], tuple_expected=True))

    def _compiled(self) -> tuple[Any, str, list[tuple[str, Any]]]:
        """With each parameter's name and how it is written; a constant has no name and stands for itself."""
        if getattr(self._own, "connection", None) is not connection.settings_dict:
            compiler = self.build(**self.stand_ins).query.get_compiler(connection=connection)
            sql, parameters = compiler.as_sql()
            self._own.compiled = compiler, sql, [self._named(parameter) for parameter in parameters]
            self._own.connection = connection.settings_dict
        return self._own.compiled  # type: ignore[no-any-return]

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


def instance_of(model: type[M], attributes: Sequence[str], values: Iterable[Any]) -> M:
    """Fields without a value are loaded on first use."""
    return model.from_db(connection.alias, attributes, tuple(values))


def _stand_in(kind: type[int] | type[UUID], place: int) -> int | UUID:
    """Numbers that no query contains, and that fit every column of numbers."""
    return 1_987_654_320 + place if kind is int else UUID(int=(0xA55A << 112) + place)


def _as_it_is(value: Any) -> Any:
    return value


def _as_hex(value: UUID) -> str:
    return value.hex
