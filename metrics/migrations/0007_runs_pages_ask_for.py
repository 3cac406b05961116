from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def move_segments(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What is long and no page shows stands in a row of its own."""
    part_of = apps.get_model("metrics", "RunPart")
    for part in part_of.objects.filter(name="errors").iterator(chunk_size=10):
        if "segments" in part.result:
            part_of.objects.create(run_id=part.run_id, name="errors.segments", result=part.result.pop("segments"))
            part.save(update_fields=["result"])


def move_segments_back(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    part_of = apps.get_model("metrics", "RunPart")
    for long in part_of.objects.filter(name="errors.segments").iterator(chunk_size=10):
        part = part_of.objects.get(run_id=long.run_id, name="errors")
        part.result["segments"] = long.result
        part.save(update_fields=["result"])
        long.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("metrics", "0006_disagreements"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="is_automatic",
            field=models.BooleanField(default=False, help_text="a page asked for it by itself"),
        ),
        migrations.RunPython(move_segments, move_segments_back),
    ]
