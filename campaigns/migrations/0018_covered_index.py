"""A unique index begins with the same column. Dropped by name: Django would make the table anew on SQLite."""

from django.db import migrations, models

_INDEX = "campaigns_translation_segment_id_38ef6b97"


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0017_alignments"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX {_INDEX}", f"CREATE INDEX {_INDEX} ON campaigns_translation (segment_id)"
                )
            ],
            state_operations=[
                migrations.AlterField(
                    "translation",
                    "segment",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="translations",
                        to="campaigns.segment",
                        db_index=False,
                    ),
                ),
            ],
        ),
    ]
