"""Fills every table of the Assay in the current folder, of whatever age, with a row.

The databases in this folder were made so, each by the commit that it is named for:

    python manage.py migrate && PYTHONPATH=. python fill_every_table.py

`DATABASE_URL` or `ASSAY_DATA_DIR` says where. A `.sqlite3.gz` is the file, a `.sql.gz` is from `pg_dump --no-owner`.
"""

import os
import uuid
from datetime import UTC, datetime
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.apps import apps  # noqa: E402 - after set-up
from django.db import models  # noqa: E402

ROW_RULES: dict[str, dict[str, Any]] = {  # what constraints ask for, and a few values that are worth comparing
    "ApiToken": {"made_with": None},
    "Credit": {"translation": None},
    "Membership": {"role": "researcher", "withdrawn_at": None, "may_adjudicate": True},
    "Assignment": {"status": "reserved"},
    "Score": {"document": None, "system": None, "value": 1 / 3},
    "System": {"stands_for": ""},
    "Run": {"status": "failed", "result": {"systems": ["Reiher", "بلشون"], "mean": 0.1}},
}
VALUES: dict[type[Any], Any] = {
    models.JSONField: {"names": ["Reiher", "بلشون"], "share": 0.1, "none": None},
    models.UUIDField: uuid.UUID(int=26),
    models.DateTimeField: datetime(2026, 11, 22, 12, 30, 15, 123456, tzinfo=UTC),
    models.FloatField: 0.1,
    models.IntegerField: 1,
    models.GenericIPAddressField: "192.0.2.1",
}


def fill() -> None:
    waiting = [model for model in apps.get_models() if not model._base_manager.exists()]
    while waiting:
        model = next(model for model in waiting if all(target._base_manager.exists() for target in required(model)))
        fields = [field for field in model._meta.fields if not isinstance(field, models.AutoField)]
        chosen = {field.name: value(field) for field in fields} | ROW_RULES.get(model.__name__, {})
        model(**chosen).save(force_insert=True)
        waiting.remove(model)
    for model in apps.get_models():
        refer_to_what_came_later(model)


def required(model: type[models.Model]) -> list[Any]:
    return [field.related_model for field in model._meta.fields if field.is_relation and not field.null]


def refer_to_what_came_later(model: type[models.Model]) -> None:
    row = model._base_manager.latest("pk")
    for field in model._meta.fields:
        chosen = field.name in ROW_RULES.get(model.__name__, {})
        if (
            field.is_relation
            and field.related_model is not model
            and getattr(row, field.attname) is None
            and not chosen
        ):
            model._base_manager.filter(pk=row.pk).update(**{field.name: value(field)})
    for many in model._meta.many_to_many:
        getattr(row, many.name).add(value(many))


def value(field: Any) -> Any:
    if field.is_relation:
        return field.related_model._base_manager.order_by("pk").last()
    if field.choices:
        return field.choices[0][0]
    if isinstance(field, models.BooleanField):
        return not field.default
    text = f"{field.name} “ä ب 🙂”"[: field.max_length]
    return next((example for kind, example in VALUES.items() if isinstance(field, kind)), text)


if __name__ == "__main__":
    fill()
