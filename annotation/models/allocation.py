"""Adaptive allocation: which systems are still in the race, each look at the judgments, and what was drawn."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import Assignment
from campaigns.models import Campaign, Document, System


class RaceStatus(models.TextChoices):
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    STOPPED = "stopped", _("Stopped")
    DECIDED = "decided", _("Question answered")


class Race(models.Model):
    """The race of a campaign's systems; its question and numbers are parameters of the campaign's plan.

    `waves` are the numbers of documents of the plan's waves, in their order, `planned` all items it asks. While it is
    `paused` or `stopped` no look is made; when it is `decided` nothing more is handed out.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="race")
    status = models.CharField(max_length=10, choices=RaceStatus, default=RaceStatus.RUNNING)
    waves = models.JSONField(default=list)
    planned = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(status__in=RaceStatus.values), name="race_status_known")]

    def __str__(self) -> str:
        return f"race of campaign {self.campaign_id}: {self.status}"


class RaceSystem(models.Model):
    """A system in the race, or out of it since the look at so many documents.

    One that was brought back `is_protected`: no look drops it again.
    """

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="systems")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    is_in = models.BooleanField(default=True)
    is_protected = models.BooleanField(default=False)
    dropped_after = models.PositiveIntegerField(null=True, blank=True, help_text="documents of the look")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["race", "system"], name="race_system_once")]

    def __str__(self) -> str:
        return f"system {self.system_id} of race {self.race_id}"


class RaceLook(models.Model):
    """One look at the judgments of so many documents; never changed.

    `systems` has an entry for each system: name, state, documents, mean, distance to the leaders and its bound.
    """

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="looks")
    documents = models.PositiveIntegerField()
    systems = models.JSONField()
    is_over = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["race_id", "documents"]
        constraints = [models.UniqueConstraint(fields=["race", "documents"], name="race_look_once")]

    def __str__(self) -> str:
        return f"look of race {self.race_id} at {self.documents} documents"


class DrawnScreen(models.Model):
    """What was handed out as one text of an assignment, and how probable that was when it was.

    `propensities` are those of every system in the race, by name; `document_propensity` is that of the document among
    all that nobody had begun. The seed is the campaign's, the annotator the assignment's.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drawn_screens")
    block = models.PositiveIntegerField()
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    rule = models.CharField(max_length=20)
    propensities = models.JSONField()
    document_propensity = models.FloatField()
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["assignment_id", "block"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "block"], name="drawn_screen_once"),
            models.CheckConstraint(
                condition=Q(document_propensity__gt=0, document_propensity__lte=1), name="drawn_screen_is_probable"
            ),
        ]

    def __str__(self) -> str:
        return f"screen {self.block} of assignment {self.assignment_id}"
