from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, SET_NULL, CheckConstraint, ForeignKey, Q, UniqueConstraint


class Migration(migrations.Migration):
    replaces = [
        ("metrics", "0001_first_models"),
        ("metrics", "0002_derived_weights"),
        ("metrics", "0003_texts_counted"),
        ("metrics", "0004_parts_of_results"),
        ("metrics", "0005_scores_from_elsewhere"),
        ("metrics", "0006_disagreements"),
        ("metrics", "0007_runs_pages_ask_for"),
        ("metrics", "0008_runs_moved_to_jobs"),
    ]

    initial = True

    dependencies = [
        ("annotation", "0001_assignments_and_judgments"),
        ("campaigns", "0001_people_test_sets_and_campaigns"),
        ("jobs", "0001_runs"),
    ]

    operations = [
        migrations.CreateModel(
            name="DerivedScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("judgment", ForeignKey(on_delete=CASCADE, related_name="derived_scores", to="annotation.judgment")),
                ("translation", ForeignKey(on_delete=CASCADE, related_name="+", to="campaigns.translation")),
                ("slot", models.CharField(default="A", max_length=2)),
                ("measure", models.CharField(max_length=50)),
                ("signature", models.CharField(blank=True, max_length=500)),
                ("value", models.FloatField()),
                ("weight", models.FloatField(default=1)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(
                        fields=("judgment", "translation", "measure", "signature"), name="derived_score_once"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Disagreement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("run", ForeignKey(on_delete=CASCADE, related_name="disagreements", to="jobs.run")),
                ("segment", ForeignKey(on_delete=CASCADE, related_name="disagreements", to="campaigns.segment")),
                ("system", ForeignKey(null=True, on_delete=CASCADE, related_name="+", to="campaigns.system")),
                ("judgments", models.PositiveIntegerField(default=0)),
                ("mean", models.FloatField(null=True)),
                ("spread", models.FloatField(help_text="null with fewer than two judgments of any output", null=True)),
                (
                    "metric_gap",
                    models.FloatField(
                        help_text="share of outputs by which metrics place it higher than people", null=True
                    ),
                ),
                ("metrics", models.JSONField(default=dict, help_text="metric scores of an output")),
                ("by_spread", models.PositiveIntegerField()),
                ("by_gap", models.PositiveIntegerField()),
                ("by_text", models.PositiveIntegerField()),
            ],
            options={
                "indexes": [
                    models.Index(condition=Q(system=None), fields=["run", "by_spread"], name="segments_by_spread"),
                    models.Index(condition=Q(system=None), fields=["run", "by_gap"], name="segments_by_gap"),
                    models.Index(condition=Q(system=None), fields=["run", "by_text"], name="segments_by_text"),
                    models.Index(
                        condition=Q(system__isnull=False), fields=["run", "by_spread"], name="outputs_by_spread"
                    ),
                    models.Index(condition=Q(system__isnull=False), fields=["run", "by_gap"], name="outputs_by_gap"),
                    models.Index(condition=Q(system__isnull=False), fields=["run", "by_text"], name="outputs_by_text"),
                ],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(system__isnull=False),
                        fields=("run", "segment", "system"),
                        name="disagreement_output_once",
                    ),
                    UniqueConstraint(
                        condition=Q(system=None), fields=("run", "segment"), name="disagreement_segment_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedScores",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("test_set", ForeignKey(on_delete=CASCADE, related_name="imported_scores", to="campaigns.testset")),
                ("metric", models.CharField(max_length=100)),
                ("level", models.CharField(choices=[("system", "System"), ("segment", "Segment")], max_length=10)),
                ("higher_is_better", models.BooleanField(default=True)),
                (
                    "references",
                    models.JSONField(blank=True, default=list, help_text="names of those the metric compared with"),
                ),
                ("file_name", models.CharField(max_length=255)),
                ("content_hash", models.CharField(help_text="SHA-256 of the file", max_length=64)),
                ("is_whole", models.BooleanField(default=False)),
                (
                    "imported_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["metric", "level"],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(is_whole=True), fields=("test_set", "metric", "level"), name="imported_scores_once"
                    ),
                    CheckConstraint(condition=Q(level__in=["system", "segment"]), name="imported_scores_level_known"),
                    CheckConstraint(condition=~Q(metric=""), name="imported_scores_named"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SegmentScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scores", ForeignKey(on_delete=CASCADE, related_name="segment_scores", to="metrics.importedscores")),
                (
                    "translation",
                    ForeignKey(on_delete=CASCADE, related_name="segment_scores", to="campaigns.translation"),
                ),
                ("value", models.FloatField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("scores", "translation"), name="segment_score_once")]},
        ),
        migrations.CreateModel(
            name="SegmentStatistic",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "translation",
                    ForeignKey(on_delete=CASCADE, related_name="segment_statistics", to="campaigns.translation"),
                ),
                ("metric", models.CharField(max_length=100)),
                ("signature", models.CharField(blank=True, max_length=500)),
                (
                    "texts",
                    models.CharField(
                        blank=True, help_text="hash of what was counted: it and its references", max_length=64
                    ),
                ),
                ("values", models.JSONField()),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("translation", "metric", "signature"), name="segment_statistic_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="SystemScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scores", ForeignKey(on_delete=CASCADE, related_name="system_scores", to="metrics.importedscores")),
                ("system", ForeignKey(on_delete=CASCADE, related_name="imported_scores", to="campaigns.system")),
                ("value", models.FloatField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("scores", "system"), name="system_score_once")]},
        ),
    ]
