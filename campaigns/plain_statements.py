"""Rows written by their columns: for the few statements that run with every judgment.

Making a query set and compiling it costs Django several times what the database needs (docs/decisions/0006). Values are
written as the model's fields write them, signals are not sent, and constraints are the database's.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

_Fields = Sequence["Field[Any, Any]"]


def insert(rows: Sequence[Model]) -> None:
    """Stores new rows of one model in one statement; each gets its key."""
    if not rows:
        return
    connection, options = connections[DEFAULT_DB_ALIAS], rows[0]._meta  # noqa: SLF001 - documented
    fields: _Fields = [field for field in options.concrete_fields if not field.primary_key]
    columns = ", ".join(_quoted(str(field.column)) for field in fields)
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * len(rows))
    into = ["INSERT INTO", _quoted(options.db_table), f"({columns})", "VALUES", places]
    statement = " ".join([*into, "RETURNING", _quoted(str(options.pk.column))])
    values = [_written(field, field.pre_save(row, True), connection) for row in rows for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = key
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001 - documented


def update(model: type[Model], known: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Changes the rows whose fields have the `known` values, none of them null; the number of these rows."""
    connection, options = connections[DEFAULT_DB_ALIAS], model._meta  # noqa: SLF001 - documented
    changed: _Fields = [options.get_field(name) for name in values]  # type: ignore[misc] # no relation from elsewhere
    unchanged: _Fields = [options.get_field(name) for name in known]  # type: ignore[misc] # as above
    news = ", ".join(f"{_quoted(str(field.column))} = %s" for field in changed)
    which = " AND ".join(f"{_quoted(str(field.column))} = %s" for field in unchanged)
    statement = " ".join(["UPDATE", _quoted(options.db_table), "SET", news, "WHERE", which])
    pairs = [*zip(changed, values.values(), strict=True), *zip(unchanged, known.values(), strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(statement, [_written(field, value, connection) for field, value in pairs])
        return int(cursor.rowcount)


def _quoted(name: str) -> str:
    return f'"{name}"'  # our own, as both databases read it


def _written(field: "Field[Any, Any]", value: Any, connection: Any) -> Any:
    return field.get_db_prep_save(value, connection)
