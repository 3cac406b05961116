"""A campaign, the draft of one, and the record of what was done in it."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.test_sets import System, TestSet


class CampaignStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")


class Planning(models.TextChoices):
    STATIC = "static", _("Planned in advance")
    POOL = "pool", _("Shared pool")


class Withdrawal(models.TextChoices):
    """How answers are treated after their annotator withdraws consent."""

    PSEUDONYMISED = "pseudonymised", _("They are kept under a number")
    ERASED = "erased", _("They are left out of the results and erased")


class Campaign(models.Model):
    """One evaluation effort: a test set, a protocol, systems, guidelines and a plan."""

    name = models.CharField(max_length=150, unique=True)
    slug = models.SlugField(max_length=160, unique=True)
    project = models.CharField(
        max_length=60, blank=True, default="", db_default=""
    )  # of campaigns that belong together
    test_set = models.ForeignKey(TestSet, on_delete=models.PROTECT, related_name="campaigns")
    systems = models.ManyToManyField(System, related_name="campaigns")
    protocol = models.CharField(max_length=30)
    options = models.JSONField(default=dict, blank=True)
    guidelines = models.TextField(blank=True)  # Markdown
    consent = models.TextField(blank=True)  # Markdown; shown before the first item
    # cannot change once somebody has consented
    on_withdrawal = models.CharField(max_length=15, choices=Withdrawal, default=Withdrawal.PSEUDONYMISED)
    status = models.CharField(max_length=10, choices=CampaignStatus, default=CampaignStatus.DRAFT)
    planning = models.CharField(max_length=10, choices=Planning, default=Planning.STATIC)
    redundancy = models.PositiveSmallIntegerField(default=1)
    items_per_assignment = models.PositiveIntegerField(default=100)
    reservation_minutes = models.PositiveIntegerField(default=60)  # of a shared pool
    systems_per_segment = models.PositiveSmallIntegerField(null=True, blank=True)  # null: all
    repeats_share = models.FloatField(default=0)
    degraded_share = models.FloatField(default=0)
    # parameters of the plan that have no column of their own, by name
    plan_options = models.JSONField(default=dict, blank=True)
    # share of practice items to get right before the first item; null: practice is optional
    pass_mark = models.FloatField(null=True, blank=True)
    practice_attempts = models.PositiveSmallIntegerField(default=3)
    # a pause counts as work as long as this, and as reading all that is on the screen takes
    pause_seconds = models.PositiveSmallIntegerField(default=60, db_default=60)
    words_per_minute = models.PositiveSmallIntegerField(default=100, db_default=100)
    seed = models.BigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)  # left out of the list, readable as before
    deleted_at = models.DateTimeField(null=True, blank=True)  # set aside: nobody reaches it until it is restored
    finish_by = models.DateTimeField(null=True, blank=True)  # the end of the last day, as its organiser plans
    additions = models.JSONField(default=list, blank=True)  # systems and documents that came late: late_additions.py

    class Meta:
        ordering = ["-created_at", "name"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=CampaignStatus.values), name="campaign_status_known"),
            models.CheckConstraint(condition=Q(planning__in=Planning.values), name="campaign_planning_known"),
            models.CheckConstraint(
                condition=Q(on_withdrawal__in=Withdrawal.values), name="campaign_on_withdrawal_known"
            ),
            models.CheckConstraint(condition=Q(redundancy__gte=1), name="campaign_redundancy_positive"),
            models.CheckConstraint(condition=Q(items_per_assignment__gte=1), name="campaign_size_positive"),
            models.CheckConstraint(condition=Q(reservation_minutes__gte=1), name="campaign_reservation_positive"),
            models.CheckConstraint(
                condition=Q(repeats_share__gte=0, repeats_share__lte=1, degraded_share__gte=0, degraded_share__lte=1),
                name="campaign_shares_are_shares",
            ),
            models.CheckConstraint(
                condition=Q(pass_mark=None) | Q(pass_mark__gte=0, pass_mark__lte=1), name="campaign_pass_mark_is_share"
            ),
            models.CheckConstraint(condition=Q(practice_attempts__gte=1), name="campaign_attempts_positive"),
            models.CheckConstraint(condition=Q(words_per_minute__gte=1), name="campaign_reading_positive"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def last_day(self) -> date | None:
        return timezone.localtime(self.finish_by).date() if self.finish_by else None


class CampaignDraft(models.Model):
    """Entries for a campaign that is not created yet, so that another device can continue. Never a password."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="campaign_drafts")
    values = models.JSONField(default=dict)  # the form's fields by name, each a list of texts
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["account", "-updated_at"], name="campaign_draft_by_account")]

    def __str__(self) -> str:
        return f"draft {self.pk} of {self.account_id}"

    @property
    def name(self) -> str:
        return next(iter(self.values.get("name", ())), "").strip()


class AuditEntry(models.Model):
    """Who did what, when. Entries are added, never changed."""

    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.SET_NULL, related_name="audit_entries")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    action = models.CharField(max_length=50)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "-at"], name="audit_by_campaign")]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"
