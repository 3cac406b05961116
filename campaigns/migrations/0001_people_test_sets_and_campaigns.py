import django.contrib.auth.models
import django.contrib.auth.validators
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, PROTECT, SET_NULL, CheckConstraint, F, ForeignKey, Q, UniqueConstraint


class Migration(migrations.Migration):
    replaces = [
        ("campaigns", "0001_first_models"),
        ("campaigns", "0002_shared_pool"),
        ("campaigns", "0003_practice"),
        ("campaigns", "0004_stand_ins"),
        ("campaigns", "0005_share_links"),
        ("campaigns", "0006_token_scopes"),
        ("campaigns", "0007_researchers_who_adjudicate"),
        ("campaigns", "0008_people_by_list"),
        ("campaigns", "0009_campaign_drafts"),
        ("campaigns", "0010_rights_of_people"),
        ("campaigns", "0011_what_access_came_of"),
        ("campaigns", "0012_consent_of_programs"),
        ("campaigns", "0013_tokens_made_with_tokens"),
        ("campaigns", "0014_parameters_of_plans"),
    ]

    initial = True

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.CreateModel(
            name="TestSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=150, unique=True)),
                ("slug", models.SlugField(max_length=160, unique=True)),
                ("source_language", models.CharField(max_length=35)),
                ("target_language", models.CharField(max_length=35)),
                (
                    "status",
                    models.CharField(
                        choices=[("loading", "Loading"), ("ready", "Ready")], default="loading", max_length=10
                    ),
                ),
                ("content_hash", models.CharField(blank=True, max_length=64)),
                ("format", models.CharField(blank=True, max_length=20)),
                ("report", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(status__in=["loading", "ready"]), name="test_set_status_known"),
                    CheckConstraint(condition=~Q(name=""), name="test_set_named"),
                ]
            },
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("test_set", ForeignKey(on_delete=CASCADE, related_name="systems", to="campaigns.testset")),
                ("name", models.CharField(max_length=150)),
                ("is_human", models.BooleanField(default=False)),
                (
                    "stands_for",
                    models.CharField(
                        blank=True, choices=[("source", "Source"), ("reference", "Reference")], max_length=10
                    ),
                ),
            ],
            options={
                "ordering": ["test_set_id", "name"],
                "constraints": [
                    UniqueConstraint(fields=("test_set", "name"), name="system_name_once"),
                    UniqueConstraint(
                        condition=~Q(stands_for=""), fields=("test_set", "stands_for"), name="system_stand_in_once"
                    ),
                    CheckConstraint(
                        condition=Q(stands_for__in=["", "source", "reference"]), name="system_stands_for_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("test_set", ForeignKey(on_delete=CASCADE, related_name="documents", to="campaigns.testset")),
                ("name", models.CharField(max_length=255)),
                ("title", models.CharField(blank=True, max_length=255)),
                ("position", models.PositiveIntegerField()),
                ("domain", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "ordering": ["test_set_id", "position"],
                "constraints": [
                    UniqueConstraint(fields=("test_set", "name"), name="document_name_once"),
                    UniqueConstraint(fields=("test_set", "position"), name="document_position_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("document", ForeignKey(on_delete=CASCADE, related_name="questions", to="campaigns.document")),
                ("name", models.CharField(max_length=255)),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(choices=[("choice", "Choice"), ("text", "Text")], max_length=10)),
                ("text", models.TextField()),
                ("choices", models.JSONField(blank=True, default=list)),
                ("accepted", models.JSONField(default=list)),
            ],
            options={
                "ordering": ["document_id", "position"],
                "constraints": [
                    UniqueConstraint(fields=("document", "name"), name="question_name_once"),
                    CheckConstraint(condition=Q(kind__in=["choice", "text"]), name="question_kind_known"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Segment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("document", ForeignKey(on_delete=CASCADE, related_name="segments", to="campaigns.document")),
                ("name", models.CharField(max_length=255)),
                ("position", models.PositiveIntegerField()),
                ("source", models.TextField(null=True)),
                ("domain", models.CharField(blank=True, max_length=100)),
                ("tags", models.JSONField(blank=True, default=list)),
            ],
            options={
                "ordering": ["document_id", "position"],
                "constraints": [
                    UniqueConstraint(fields=("document", "name"), name="segment_name_once"),
                    UniqueConstraint(fields=("document", "position"), name="segment_position_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("segment", ForeignKey(on_delete=CASCADE, related_name="references", to="campaigns.segment")),
                ("name", models.CharField(default="A", max_length=100)),
                ("text", models.TextField()),
            ],
            options={"constraints": [UniqueConstraint(fields=("segment", "name"), name="reference_name_once")]},
        ),
        migrations.CreateModel(
            name="Translation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("segment", ForeignKey(on_delete=CASCADE, related_name="translations", to="campaigns.segment")),
                ("system", ForeignKey(on_delete=CASCADE, related_name="translations", to="campaigns.system")),
                ("text", models.TextField(null=True)),
            ],
            options={"constraints": [UniqueConstraint(fields=("segment", "system"), name="translation_once")]},
        ),
        migrations.CreateModel(
            name="SuggestedSpan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "translation",
                    ForeignKey(on_delete=CASCADE, related_name="suggested_spans", to="campaigns.translation"),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[("source", "source"), ("target", "target")], default="target", max_length=6
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("category", models.CharField(blank=True, max_length=150)),
                ("severity", models.CharField(max_length=20)),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(end__gte=F("start")), name="suggested_span_forward"),
                    CheckConstraint(condition=Q(side__in=["source", "target"]), name="suggested_span_side_known"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=150, unique=True)),
                ("slug", models.SlugField(max_length=160, unique=True)),
                ("test_set", ForeignKey(on_delete=PROTECT, related_name="campaigns", to="campaigns.testset")),
                ("protocol", models.CharField(max_length=30)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("guidelines", models.TextField(blank=True)),
                ("consent", models.TextField(blank=True)),
                (
                    "on_withdrawal",
                    models.CharField(
                        choices=[
                            ("pseudonymised", "They are kept under a number"),
                            ("erased", "They are left out of the results and erased"),
                        ],
                        default="pseudonymised",
                        max_length=15,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("draft", "Draft"), ("open", "Open"), ("paused", "Paused"), ("closed", "Closed")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "planning",
                    models.CharField(
                        choices=[("static", "Planned in advance"), ("pool", "Shared pool")],
                        default="static",
                        max_length=10,
                    ),
                ),
                ("redundancy", models.PositiveSmallIntegerField(default=1)),
                ("items_per_assignment", models.PositiveIntegerField(default=100)),
                ("reservation_minutes", models.PositiveIntegerField(default=60)),
                ("systems_per_segment", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("repeats_share", models.FloatField(default=0)),
                ("degraded_share", models.FloatField(default=0)),
                ("plan_options", models.JSONField(blank=True, default=dict)),
                ("pass_mark", models.FloatField(blank=True, null=True)),
                ("practice_attempts", models.PositiveSmallIntegerField(default=3)),
                ("seed", models.BigIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("systems", models.ManyToManyField(related_name="campaigns", to="campaigns.system")),
            ],
            options={
                "ordering": ["-created_at", "name"],
                "constraints": [
                    CheckConstraint(
                        condition=Q(status__in=["draft", "open", "paused", "closed"]), name="campaign_status_known"
                    ),
                    CheckConstraint(condition=Q(planning__in=["static", "pool"]), name="campaign_planning_known"),
                    CheckConstraint(
                        condition=Q(on_withdrawal__in=["pseudonymised", "erased"]), name="campaign_on_withdrawal_known"
                    ),
                    CheckConstraint(condition=Q(redundancy__gte=1), name="campaign_redundancy_positive"),
                    CheckConstraint(condition=Q(items_per_assignment__gte=1), name="campaign_size_positive"),
                    CheckConstraint(condition=Q(reservation_minutes__gte=1), name="campaign_reservation_positive"),
                    CheckConstraint(
                        condition=Q(
                            degraded_share__gte=0, degraded_share__lte=1, repeats_share__gte=0, repeats_share__lte=1
                        ),
                        name="campaign_shares_are_shares",
                    ),
                    CheckConstraint(
                        condition=Q(pass_mark=None) | Q(pass_mark__gte=0, pass_mark__lte=1),
                        name="campaign_pass_mark_is_share",
                    ),
                    CheckConstraint(condition=Q(practice_attempts__gte=1), name="campaign_attempts_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("name", models.CharField(blank=True, max_length=150, verbose_name="name")),
                ("may_create_campaigns", models.BooleanField(default=False)),
                ("single_keys", models.BooleanField(default=True, verbose_name="single-key shortcuts")),
                ("languages", models.JSONField(blank=True, default=list, verbose_name="languages")),
                (
                    "made_for",
                    ForeignKey(blank=True, null=True, on_delete=SET_NULL, related_name="+", to="campaigns.campaign"),
                ),
                ("is_number", models.BooleanField(default=False)),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "As the device"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=10,
                        verbose_name="theme",
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={"verbose_name": "user", "verbose_name_plural": "users", "abstract": False},
            managers=[("objects", django.contrib.auth.models.UserManager())],
        ),
        migrations.AddField(
            model_name="testset",
            name="created_by",
            field=ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name="campaign",
            name="created_by",
            field=ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name="AnsweredRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", ForeignKey(on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("key_hash", models.CharField(max_length=64)),
                ("request_hash", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("answer", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="answered_request_by_age")],
                "constraints": [UniqueConstraint(fields=("account", "key_hash"), name="answered_request_once")],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="memberships", to="campaigns.campaign")),
                ("account", ForeignKey(on_delete=PROTECT, related_name="memberships", to=settings.AUTH_USER_MODEL)),
                (
                    "role",
                    models.CharField(
                        choices=[("organiser", "Organiser"), ("annotator", "Annotator"), ("researcher", "Researcher")],
                        max_length=10,
                    ),
                ),
                ("consented_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("is_program", models.BooleanField(default=False)),
                (
                    "consented_by",
                    ForeignKey(
                        blank=True, null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("practice_attempt", models.PositiveSmallIntegerField(default=1)),
                ("qualified_at", models.DateTimeField(blank=True, null=True)),
                ("may_adjudicate", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["account", "role"], name="membership_by_account")],
                "constraints": [
                    CheckConstraint(
                        condition=Q(withdrawn_at=None) | Q(consented_at=None),
                        name="membership_withdrawn_has_no_consent",
                    ),
                    UniqueConstraint(fields=("campaign", "account", "role"), name="membership_once"),
                    CheckConstraint(
                        condition=Q(role__in=["organiser", "annotator", "researcher"]), name="membership_role_known"
                    ),
                    CheckConstraint(
                        condition=Q(may_adjudicate=False) | Q(role="researcher"),
                        name="membership_adjudicates_as_researcher",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="invitations", to="campaigns.campaign")),
                ("account", ForeignKey(on_delete=PROTECT, related_name="invitations", to=settings.AUTH_USER_MODEL)),
                (
                    "role",
                    models.CharField(
                        choices=[("organiser", "Organiser"), ("annotator", "Annotator"), ("researcher", "Researcher")],
                        default="annotator",
                        max_length=10,
                    ),
                ),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                (
                    "created_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(role__in=["organiser", "annotator", "researcher"]), name="invitation_role_known"
                    )
                ]
            },
        ),
        migrations.AddField(
            model_name="account",
            name="password_came_of",
            field=ForeignKey(blank=True, null=True, on_delete=SET_NULL, related_name="+", to="campaigns.invitation"),
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", ForeignKey(on_delete=CASCADE, related_name="api_tokens", to=settings.AUTH_USER_MODEL)),
                ("name", models.CharField(max_length=100)),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("scopes", models.CharField(default="read write judge", max_length=60)),
                (
                    "invitation",
                    ForeignKey(
                        blank=True, null=True, on_delete=CASCADE, related_name="api_tokens", to="campaigns.invitation"
                    ),
                ),
                ("by_password", models.BooleanField(default=False)),
                (
                    "made_with",
                    ForeignKey(
                        blank=True, null=True, on_delete=CASCADE, related_name="made_tokens", to="campaigns.apitoken"
                    ),
                ),
                (
                    "handed_out_for",
                    ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=CASCADE,
                        related_name="handed_out_tokens",
                        to="campaigns.campaign",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"constraints": [CheckConstraint(condition=~Q(scopes=""), name="api_token_opens_something")]},
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="audit_entries", to="campaigns.campaign"),
                ),
                ("actor", ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("action", models.CharField(max_length=50)),
                ("detail", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"indexes": [models.Index(fields=["campaign", "-at"], name="audit_by_campaign")]},
        ),
        migrations.CreateModel(
            name="CampaignDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", ForeignKey(on_delete=CASCADE, related_name="campaign_drafts", to=settings.AUTH_USER_MODEL)),
                ("values", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={"indexes": [models.Index(fields=["account", "-updated_at"], name="campaign_draft_by_account")]},
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("session_key", models.CharField(max_length=40, unique=True)),
                (
                    "account",
                    ForeignKey(null=True, on_delete=CASCADE, related_name="sessions", to=settings.AUTH_USER_MODEL),
                ),
                (
                    "invitation",
                    ForeignKey(null=True, on_delete=CASCADE, related_name="sessions", to="campaigns.invitation"),
                ),
                ("by_password", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.CreateModel(
            name="ShareLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("campaign", ForeignKey(on_delete=CASCADE, related_name="share_links", to="campaigns.campaign")),
                ("name", models.CharField(max_length=100)),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("choice", models.JSONField(default=dict)),
                ("shows_texts", models.BooleanField(default=False)),
                (
                    "created_by",
                    ForeignKey(null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
