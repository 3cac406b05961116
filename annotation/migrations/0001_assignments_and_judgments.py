import uuid

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("annotation", "0001_first_models"),
        ("annotation", "0002_shared_pool"),
        ("annotation", "0003_practice"),
        ("annotation", "0004_practice_by_order_and_text"),
        ("annotation", "0005_practice_questions"),
        ("annotation", "0006_adjudications"),
    ]

    initial = True

    dependencies = [("campaigns", "0001_people_test_sets_and_campaigns")]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="assignments", to="campaigns.campaign"),
                ),
                (
                    "annotator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("name", models.CharField(blank=True, help_text="as in an imported file", max_length=255)),
                ("position", models.PositiveIntegerField(help_text="order of handing out")),
                (
                    "round",
                    models.PositiveSmallIntegerField(default=0, help_text="assignments of one round share no output"),
                ),
                (
                    "content",
                    models.PositiveIntegerField(default=0, help_text="assignments of one content ask the same outputs"),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("reserved", "Reserved"),
                            ("open", "Open"),
                            ("done", "Done"),
                            ("closed", "Closed"),
                            ("archived", "Archived"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0, help_text="items asked")),
                ("done", models.PositiveIntegerField(default=0, help_text="items judged at least once")),
                ("completion_code", models.CharField(blank=True, max_length=20)),
                (
                    "expires_at",
                    models.DateTimeField(blank=True, help_text="when a reservation may go to somebody else", null=True),
                ),
                (
                    "returned_at",
                    models.DateTimeField(blank=True, help_text="when what was not judged was given back", null=True),
                ),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["campaign_id", "position"],
                "indexes": [
                    models.Index(fields=["annotator", "status"], name="assignment_by_annotator"),
                    models.Index(fields=["annotator", "campaign", "content"], name="assignment_content_seen"),
                    models.Index(fields=["campaign", "status", "round", "position"], name="assignment_next_planned"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "position"), name="assignment_position_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["planned", "reserved", "open", "done", "closed", "archived"])
                        ),
                        name="assignment_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("done__lte", models.F("total"))), name="assignment_done_within_total"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("annotator", None), ("status", "planned")),
                            models.Q(("status", "planned"), _negated=True),
                            _connector="OR",
                        ),
                        name="assignment_planned_is_free",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("annotator__isnull", False), ("status__in", ["open", "reserved", "done"])),
                            ("status__in", ["planned", "closed", "archived"]),
                            _connector="OR",
                        ),
                        name="assignment_open_has_annotator",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "reserved"), _negated=True),
                            ("expires_at__isnull", False),
                            _connector="OR",
                        ),
                        name="assignment_reserved_until",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "assignment",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="items", to="annotation.assignment"),
                ),
                ("position", models.PositiveIntegerField()),
                ("block", models.PositiveIntegerField(default=0)),
                ("document", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="campaigns.document")),
                (
                    "segment",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="items", to="campaigns.segment"
                    ),
                ),
                (
                    "level",
                    models.CharField(
                        choices=[("segment", "Segment"), ("document", "Document"), ("context", "Context")],
                        default="segment",
                        max_length=10,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regular", "Regular"),
                            ("repeat", "Repeat"),
                            ("degraded", "Degraded"),
                            ("reference", "Reference"),
                            ("practice", "Practice"),
                        ],
                        default="regular",
                        max_length=10,
                    ),
                ),
                (
                    "original",
                    models.ForeignKey(
                        null=True, on_delete=models.SET_NULL, related_name="controls", to="annotation.item"
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["assignment_id", "position"],
                "indexes": [
                    models.Index(fields=["assignment", "block"], name="item_by_block"),
                    models.Index(
                        condition=models.Q(("revision", 0), models.Q(("level", "context"), _negated=True)),
                        fields=["assignment", "position"],
                        name="item_not_judged",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("assignment", "position"), name="item_position_once"),
                    models.CheckConstraint(
                        condition=models.Q(("level__in", ["segment", "document", "context"])), name="item_level_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["regular", "repeat", "degraded", "reference", "practice"])),
                        name="item_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("level", "document"), ("segment", None)),
                            models.Q(models.Q(("level", "document"), _negated=True), ("segment__isnull", False)),
                            _connector="OR",
                        ),
                        name="item_segment_fits_level",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.ForeignKey(on_delete=models.PROTECT, related_name="judgments", to="annotation.item")),
                (
                    "annotator",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="judgments", to=settings.AUTH_USER_MODEL),
                ),
                ("revision", models.PositiveIntegerField()),
                ("is_current", models.BooleanField(default=True)),
                ("surplus", models.BooleanField(default=False)),
                ("client_id", models.UUIDField(unique=True)),
                ("base_revision", models.PositiveIntegerField(default=0)),
                ("answer", models.JSONField()),
                (
                    "cannot_judge",
                    models.CharField(blank=True, help_text="reason, when no judgment was possible", max_length=30),
                ),
                ("started_at", models.DateTimeField(null=True)),
                ("submitted_at", models.DateTimeField()),
                ("elapsed_ms", models.PositiveIntegerField(null=True)),
                ("active_ms", models.PositiveIntegerField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["annotator", "submitted_at"], name="judgment_by_annotator")],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "revision"), name="judgment_revision_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)), fields=("item",), name="judgment_one_current"
                    ),
                    models.CheckConstraint(condition=models.Q(("revision__gte", 1)), name="judgment_revision_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="adjudications", to="campaigns.campaign"),
                ),
                (
                    "translation",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="adjudications", to="campaigns.translation"
                    ),
                ),
                ("answer", models.JSONField()),
                (
                    "based_on",
                    models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="+", to="annotation.judgment"),
                ),
                ("reason", models.TextField()),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("decided_at", models.DateTimeField(auto_now_add=True)),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["campaign_id", "-decided_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)),
                        fields=("campaign", "translation"),
                        name="adjudication_standing_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="adjudication_has_reason"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.ForeignKey(on_delete=models.CASCADE, related_name="slots", to="annotation.item")),
                ("label", models.CharField(max_length=2)),
                (
                    "translation",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.translation"
                    ),
                ),
                ("system", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="campaigns.system")),
                ("damaged", models.TextField(null=True)),
            ],
            options={
                "ordering": ["item_id", "label"],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "label"), name="slot_label_once"),
                    models.CheckConstraint(condition=models.Q(("label", ""), _negated=True), name="slot_labelled"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Credit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slot", models.ForeignKey(on_delete=models.CASCADE, related_name="credits", to="annotation.slot")),
                ("system", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="campaigns.system")),
                (
                    "translation",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.translation"
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("slot", "system"), name="credit_once")]},
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.OneToOneField(on_delete=models.CASCADE, related_name="draft", to="annotation.item")),
                ("answer", models.JSONField()),
                ("base_revision", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="ErrorSpan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "judgment",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="error_spans", to="annotation.judgment"),
                ),
                (
                    "translation",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="error_spans", to="campaigns.translation"),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[("source", "Source"), ("target", "Target")], default="target", max_length=6
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("category", models.CharField(blank=True, max_length=150)),
                ("severity", models.CharField(max_length=20)),
                ("note", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gte", models.F("start"))), name="error_span_forward"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["source", "target"])), name="error_span_side_known"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="exclusions", to="campaigns.campaign"),
                ),
                (
                    "annotator",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="exclusions", to=settings.AUTH_USER_MODEL),
                ),
                ("reason", models.TextField()),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("decided_at", models.DateTimeField(auto_now_add=True)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("lifted_at", None)),
                        fields=("campaign", "annotator"),
                        name="exclusion_standing_once",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="PracticeItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "campaign",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="practice_items", to="campaigns.campaign"),
                ),
                ("position", models.PositiveIntegerField()),
                ("source", models.TextField(blank=True)),
                ("reference", models.TextField(blank=True)),
                ("slots", models.JSONField()),
                ("questions", models.JSONField(blank=True, default=list)),
                ("expected", models.JSONField(blank=True, default=dict)),
                ("better", models.JSONField(blank=True, default=dict)),
                ("accepted", models.JSONField(blank=True, default=dict)),
                ("feedback", models.TextField(blank=True)),
            ],
            options={
                "ordering": ["campaign_id", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "position"), name="practice_item_position_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PracticeAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="answers", to="annotation.practiceitem"),
                ),
                (
                    "annotator",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("attempt", models.PositiveSmallIntegerField()),
                ("client_id", models.UUIDField(unique=True)),
                ("answer", models.JSONField()),
                ("is_right", models.BooleanField()),
                ("submitted_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "annotator", "attempt"), name="practice_answer_once_an_attempt"
                    ),
                    models.CheckConstraint(condition=models.Q(("attempt__gte", 1)), name="practice_attempt_positive"),
                ]
            },
        ),
        migrations.CreateModel(
            name="ProblemReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="problem_reports", to="annotation.item"),
                ),
                (
                    "annotator",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("reason", models.CharField(max_length=30)),
                ("note", models.TextField(blank=True)),
                ("reported_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "judgment",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="scores", to="annotation.judgment"),
                ),
                ("measure", models.CharField(max_length=50)),
                ("value", models.FloatField()),
                ("slot", models.CharField(default="A", max_length=2)),
                (
                    "translation",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="scores", to="campaigns.translation"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.document"),
                ),
                (
                    "system",
                    models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.system"),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("document", None), ("system", None), ("translation__isnull", False)),
                            models.Q(("document__isnull", False), ("system__isnull", False), ("translation", None)),
                            _connector="OR",
                        ),
                        name="score_of_translation_or_document",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("translation__isnull", False)),
                        fields=("judgment", "measure", "translation"),
                        name="score_of_translation_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("translation", None)),
                        fields=("judgment", "measure", "document", "system"),
                        name="score_of_document_once",
                    ),
                ]
            },
        ),
    ]
