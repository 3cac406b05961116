from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0001_assignments_and_judgments"),
    ]

    operations = [
        migrations.AddField(
            model_name="slot",
            name="columns",
            field=models.CharField(blank=True, db_default="", default="", max_length=9),
        ),
    ]
