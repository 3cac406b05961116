from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, SET_NULL, CheckConstraint, ForeignKey, Q, UniqueConstraint


class Migration(migrations.Migration):
    replaces = [("jobs", "0001_runs_of_their_own")]

    initial = True

    dependencies = [("campaigns", "0001_people_test_sets_and_campaigns")]

    operations = [
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=30)),
                ("campaign", ForeignKey(null=True, on_delete=CASCADE, related_name="runs", to="campaigns.campaign")),
                ("test_set", ForeignKey(null=True, on_delete=CASCADE, related_name="runs", to="campaigns.testset")),
                ("arguments", models.JSONField(default=dict)),
                ("queue", models.CharField(default="default", max_length=20)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("claim", models.UUIDField(null=True)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("progress", models.FloatField(default=0)),
                ("progress_note", models.CharField(blank=True, max_length=200)),
                ("signature", models.TextField(blank=True)),
                ("result", models.JSONField(null=True)),
                ("error", models.TextField(blank=True)),
                ("is_automatic", models.BooleanField(default=False)),
                (
                    "created_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "metrics_run",
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(fields=["status", "queue", "created_at"], name="run_waiting"),
                    models.Index(fields=["campaign", "kind", "-created_at"], name="run_newest_of_campaign"),
                ],
                "constraints": [
                    CheckConstraint(
                        condition=Q(status__in=["queued", "running", "done", "failed", "cancelled"]),
                        name="run_status_known",
                    ),
                    CheckConstraint(condition=Q(progress__gte=0, progress__lte=1), name="run_progress_is_share"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("run", ForeignKey(on_delete=CASCADE, related_name="parts", to="jobs.run")),
                ("name", models.CharField(max_length=40)),
                ("result", models.JSONField()),
            ],
            options={
                "db_table": "metrics_runpart",
                "constraints": [UniqueConstraint(fields=("run", "name"), name="run_part_once")],
            },
        ),
    ]
