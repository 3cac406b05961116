"""How much was judged when, how fast, and in which working time, so that no page reads all judgments."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models import Campaign


class CountedBy(models.TextChoices):
    TEN_MINUTES = "minutes"
    SECONDS = "seconds"


class WorkCount(models.Model):
    """Judgments of an annotator in a campaign, without those of archived assignments.

    `judged` are first answers that are not surplus: those that arrived in the ten minutes that begin `at` minutes
    after 1970 (UTC), or those that took `at` seconds, rounded. `last` is when the newest answer of any kind arrived in
    these ten minutes, `answers` how many of any kind did. `annotation.actions.work_counts` keeps the rows, `./assay
    manage check_counts` proves them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="work_counts")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    counted_by = models.CharField(max_length=10, choices=CountedBy)
    at = models.IntegerField()
    judged = models.PositiveIntegerField()
    answers = models.PositiveIntegerField(default=0)
    last = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "counted_by", "annotator", "at"], name="work_count_once"),
            models.CheckConstraint(condition=Q(counted_by__in=CountedBy.values), name="work_count_known"),
        ]

    def __str__(self) -> str:
        return f"{self.judged} by {self.annotator_id} in {self.campaign_id}, {self.counted_by} {self.at}"


class TimesheetSums(models.Model):
    """An annotator's days in a large campaign, as they were last summed, from `judgments` judgments of any kind.

    `days` are those of `time_zone`, as `annotation.queries.work_sums` has them. Workers store the rows by
    `annotation.actions.work_sums`, whatever moves or deletes judgments deletes them, `./assay manage check_counts`
    proves them. A version that sums by other rules deletes all of them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+", db_index=False)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    time_zone = models.CharField(max_length=100)
    judgments = models.PositiveIntegerField()
    days = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "annotator"], name="timesheet_sums_once")]

    def __str__(self) -> str:
        return f"{self.judgments} judgments of {self.annotator_id} in {self.campaign_id}"
