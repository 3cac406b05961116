"""Indexes whose column others begin with go; those of columns that few rows fill have these rows only.

Dropped by name: Django would make the tables anew on SQLite.
"""

from typing import Any

from django.conf import settings
from django.db import migrations, models


def _unindexed(model: str, field: str, number: str, to: str, **options: Any) -> migrations.SeparateDatabaseAndState:
    index = f"annotation_{model}_{field}_id_{number}"
    key: models.ForeignKey[Any, Any] = models.ForeignKey(to=to, db_index=False, **options)
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(f"DROP INDEX {index}", f"CREATE INDEX {index} ON annotation_{model} ({field}_id)")
        ],
        state_operations=[migrations.AlterField(model, field, key)],
    )


def _of_few(model: str, field: str) -> migrations.AddIndex:
    condition = models.Q((f"{field}__isnull", False))
    return migrations.AddIndex(model, models.Index(fields=[field], condition=condition, name=f"{model}_by_{field}"))


_PROTECTED: dict[str, Any] = {"on_delete": models.PROTECT, "related_name": "+", "null": True}


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0015_index_of_rare_kinds"),
    ]

    operations = [
        _unindexed(
            "item", "assignment", "3b7ee609", "annotation.assignment", on_delete=models.CASCADE, related_name="items"
        ),
        _unindexed("slot", "item", "72f3fa2e", "annotation.item", on_delete=models.CASCADE, related_name="slots"),
        _unindexed(
            "judgment", "item", "d6d37935", "annotation.item", on_delete=models.PROTECT, related_name="judgments"
        ),
        _unindexed(
            "judgment",
            "annotator",
            "b6d5694a",
            settings.AUTH_USER_MODEL,
            on_delete=models.PROTECT,
            related_name="judgments",
        ),
        _of_few("item", "original"),
        _unindexed(
            "item",
            "original",
            "9ef41f13",
            "annotation.item",
            on_delete=models.SET_NULL,
            related_name="controls",
            null=True,
        ),
        _of_few("score", "document"),
        _unindexed("score", "document", "267bb02b", "campaigns.document", **_PROTECTED),
        _of_few("score", "system"),
        _unindexed("score", "system", "f323d018", "campaigns.system", **_PROTECTED),
    ]
