import uuid

from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, PROTECT, SET_NULL, CheckConstraint, F, ForeignKey, Q, UniqueConstraint


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
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="assignments", to="campaigns.campaign")),
                (
                    "annotator",
                    ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=PROTECT,
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
                    UniqueConstraint(fields=("campaign", "position"), name="assignment_position_once"),
                    CheckConstraint(
                        condition=Q(status__in=["planned", "reserved", "open", "done", "closed", "archived"]),
                        name="assignment_status_known",
                    ),
                    CheckConstraint(condition=Q(done__lte=F("total")), name="assignment_done_within_total"),
                    CheckConstraint(
                        condition=Q(annotator=None, status="planned") | ~Q(status="planned"),
                        name="assignment_planned_is_free",
                    ),
                    CheckConstraint(
                        condition=Q(annotator__isnull=False, status__in=["open", "reserved", "done"])
                        | Q(status__in=["planned", "closed", "archived"]),
                        name="assignment_open_has_annotator",
                    ),
                    CheckConstraint(
                        condition=~Q(status="reserved") | Q(expires_at__isnull=False), name="assignment_reserved_until"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("assignment", ForeignKey(on_delete=CASCADE, related_name="items", to="annotation.assignment")),
                ("position", models.PositiveIntegerField()),
                ("block", models.PositiveIntegerField(default=0)),
                ("document", ForeignKey(on_delete=PROTECT, related_name="+", to="campaigns.document")),
                ("segment", ForeignKey(null=True, on_delete=PROTECT, related_name="items", to="campaigns.segment")),
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
                ("original", ForeignKey(null=True, on_delete=SET_NULL, related_name="controls", to="annotation.item")),
                ("revision", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["assignment_id", "position"],
                "indexes": [
                    models.Index(fields=["assignment", "block"], name="item_by_block"),
                    models.Index(
                        condition=Q(revision=0) & ~Q(level="context"),
                        fields=["assignment", "position"],
                        name="item_not_judged",
                    ),
                ],
                "constraints": [
                    UniqueConstraint(fields=("assignment", "position"), name="item_position_once"),
                    CheckConstraint(condition=Q(level__in=["segment", "document", "context"]), name="item_level_known"),
                    CheckConstraint(
                        condition=Q(kind__in=["regular", "repeat", "degraded", "reference", "practice"]),
                        name="item_kind_known",
                    ),
                    CheckConstraint(
                        condition=Q(level="document", segment=None) | ~Q(level="document") & Q(segment__isnull=False),
                        name="item_segment_fits_level",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", ForeignKey(on_delete=PROTECT, related_name="judgments", to="annotation.item")),
                ("annotator", ForeignKey(on_delete=PROTECT, related_name="judgments", to=settings.AUTH_USER_MODEL)),
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
                    UniqueConstraint(fields=("item", "revision"), name="judgment_revision_once"),
                    UniqueConstraint(condition=Q(is_current=True), fields=("item",), name="judgment_one_current"),
                    CheckConstraint(condition=Q(revision__gte=1), name="judgment_revision_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="adjudications", to="campaigns.campaign")),
                (
                    "translation",
                    ForeignKey(on_delete=PROTECT, related_name="adjudications", to="campaigns.translation"),
                ),
                ("answer", models.JSONField()),
                ("based_on", ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to="annotation.judgment")),
                ("reason", models.TextField()),
                (
                    "decided_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("decided_at", models.DateTimeField(auto_now_add=True)),
                ("undone_by", ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["campaign_id", "-decided_at", "-id"],
                "constraints": [
                    UniqueConstraint(
                        condition=Q(undone_at=None),
                        fields=("campaign", "translation"),
                        name="adjudication_standing_once",
                    ),
                    CheckConstraint(condition=~Q(reason=""), name="adjudication_has_reason"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", ForeignKey(on_delete=CASCADE, related_name="slots", to="annotation.item")),
                ("label", models.CharField(max_length=2)),
                ("translation", ForeignKey(null=True, on_delete=PROTECT, related_name="+", to="campaigns.translation")),
                ("system", ForeignKey(on_delete=PROTECT, related_name="+", to="campaigns.system")),
                ("damaged", models.TextField(null=True)),
            ],
            options={
                "ordering": ["item_id", "label"],
                "constraints": [
                    UniqueConstraint(fields=("item", "label"), name="slot_label_once"),
                    CheckConstraint(condition=~Q(label=""), name="slot_labelled"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Credit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slot", ForeignKey(on_delete=CASCADE, related_name="credits", to="annotation.slot")),
                ("system", ForeignKey(on_delete=PROTECT, related_name="+", to="campaigns.system")),
                ("translation", ForeignKey(null=True, on_delete=PROTECT, related_name="+", to="campaigns.translation")),
            ],
            options={"constraints": [UniqueConstraint(fields=("slot", "system"), name="credit_once")]},
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.OneToOneField(on_delete=CASCADE, related_name="draft", to="annotation.item")),
                ("answer", models.JSONField()),
                ("base_revision", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="ErrorSpan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("judgment", ForeignKey(on_delete=CASCADE, related_name="error_spans", to="annotation.judgment")),
                ("translation", ForeignKey(on_delete=PROTECT, related_name="error_spans", to="campaigns.translation")),
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
                    CheckConstraint(condition=Q(end__gte=F("start")), name="error_span_forward"),
                    CheckConstraint(condition=Q(side__in=["source", "target"]), name="error_span_side_known"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="exclusions", to="campaigns.campaign")),
                ("annotator", ForeignKey(on_delete=PROTECT, related_name="exclusions", to=settings.AUTH_USER_MODEL)),
                ("reason", models.TextField()),
                (
                    "decided_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("decided_at", models.DateTimeField(auto_now_add=True)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(
                        condition=Q(lifted_at=None), fields=("campaign", "annotator"), name="exclusion_standing_once"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="PracticeItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="practice_items", to="campaigns.campaign")),
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
                "constraints": [UniqueConstraint(fields=("campaign", "position"), name="practice_item_position_once")],
            },
        ),
        migrations.CreateModel(
            name="PracticeAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", ForeignKey(on_delete=CASCADE, related_name="answers", to="annotation.practiceitem")),
                ("annotator", ForeignKey(on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("attempt", models.PositiveSmallIntegerField()),
                ("client_id", models.UUIDField(unique=True)),
                ("answer", models.JSONField()),
                ("is_right", models.BooleanField()),
                ("submitted_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    UniqueConstraint(fields=("item", "annotator", "attempt"), name="practice_answer_once_an_attempt"),
                    CheckConstraint(condition=Q(attempt__gte=1), name="practice_attempt_positive"),
                ]
            },
        ),
        migrations.CreateModel(
            name="ProblemReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", ForeignKey(on_delete=PROTECT, related_name="problem_reports", to="annotation.item")),
                ("annotator", ForeignKey(on_delete=PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("reason", models.CharField(max_length=30)),
                ("note", models.TextField(blank=True)),
                ("reported_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("judgment", ForeignKey(on_delete=CASCADE, related_name="scores", to="annotation.judgment")),
                ("measure", models.CharField(max_length=50)),
                ("value", models.FloatField()),
                ("slot", models.CharField(default="A", max_length=2)),
                (
                    "translation",
                    ForeignKey(null=True, on_delete=PROTECT, related_name="scores", to="campaigns.translation"),
                ),
                ("document", ForeignKey(null=True, on_delete=PROTECT, related_name="+", to="campaigns.document")),
                ("system", ForeignKey(null=True, on_delete=PROTECT, related_name="+", to="campaigns.system")),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(document=None, system=None, translation__isnull=False)
                        | Q(document__isnull=False, system__isnull=False, translation=None),
                        name="score_of_translation_or_document",
                    ),
                    UniqueConstraint(
                        condition=Q(translation__isnull=False),
                        fields=("judgment", "measure", "translation"),
                        name="score_of_translation_once",
                    ),
                    UniqueConstraint(
                        condition=Q(translation=None),
                        fields=("judgment", "measure", "document", "system"),
                        name="score_of_document_once",
                    ),
                ]
            },
        ),
    ]
