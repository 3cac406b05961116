"""What people write beside the work: to a day of a timesheet, and organisers for themselves."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Segment


class TimesheetNote(models.Model):
    """An annotator's dispute of a day's time, and the organiser's answer. `day` is one of the site's time zone."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="timesheet_notes")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="timesheet_notes")
    day = models.DateField()
    note = models.TextField()
    noted_at = models.DateTimeField()
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "annotator", "day"], name="timesheet_note_once")]

    def __str__(self) -> str:
        return f"{self.annotator_id} on {self.day}"


class OrganiserNote(models.Model):
    """What organisers write for themselves on an annotator or a segment; nobody else reads it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="organiser_notes")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    segment = models.ForeignKey(Segment, null=True, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "annotator"], condition=Q(annotator__isnull=False), name="note_of_annotator_once"
            ),
            models.UniqueConstraint(
                fields=["campaign", "segment"], condition=Q(segment__isnull=False), name="note_of_segment_once"
            ),
            models.CheckConstraint(
                condition=Q(annotator__isnull=False, segment=None) | Q(annotator=None, segment__isnull=False),
                name="note_of_annotator_or_segment",
            ),
        ]

    def __str__(self) -> str:
        return f"note {self.pk} in {self.campaign_id}"
