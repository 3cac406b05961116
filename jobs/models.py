"""Runs, and the parts of their results. Their tables are called after `metrics`, where they were first made."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, TestSet


class RunStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


PENDING = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(models.Model):
    """One performed analysis or computation: the truth of every background job. A queue's message is only a hint."""

    kind = models.CharField(max_length=30)
    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE, related_name="runs")
    test_set = models.ForeignKey(TestSet, null=True, on_delete=models.CASCADE, related_name="runs")
    arguments = models.JSONField(default=dict)
    queue = models.CharField(max_length=20, default="default")
    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True)  # the worker; one whose claim was taken over writes nothing
    heartbeat_at = models.DateTimeField(null=True)
    progress = models.FloatField(default=0)
    progress_note = models.CharField(max_length=200, blank=True)
    signature = models.TextField(blank=True)
    result = models.JSONField(null=True)
    error = models.TextField(blank=True)
    is_automatic = models.BooleanField(default=False)  # requested by a page, not by a person
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "metrics_run"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=RunStatus.values), name="run_status_known"),
            models.CheckConstraint(condition=Q(progress__gte=0, progress__lte=1), name="run_progress_is_share"),
        ]
        indexes = [
            models.Index(fields=["status", "queue", "created_at"], name="run_waiting"),
            models.Index(fields=["campaign", "kind", "-created_at"], name="run_newest_of_campaign"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}: {self.kind}, {self.status}"


class RunPart(models.Model):
    """One analysis of a run that made several: a page reads the part it shows, however long the others are."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="parts")
    name = models.CharField(max_length=40)
    result = models.JSONField()

    class Meta:
        db_table = "metrics_runpart"
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="run_part_once")]

    def __str__(self) -> str:
        return f"{self.name} of run {self.run_id}"
