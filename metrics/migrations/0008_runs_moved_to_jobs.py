"""Runs belong to `jobs` now. Nothing is done to the database; see jobs/migrations/0001_runs_of_their_own.py."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("metrics", "0007_runs_pages_ask_for"),
        ("jobs", "0001_runs_of_their_own"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="disagreement",
                    name="run",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="disagreements", to="jobs.run"
                    ),
                ),
                migrations.DeleteModel(name="RunPart"),
                migrations.DeleteModel(name="Run"),
            ],
        ),
    ]
