"""Attention checks: screens that whoever reads passes, and who was served which with what outcome."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.assignments import Assignment, Item
from campaigns.models import Campaign, Document


class AttentionCheck(models.Model):
    """A whole document with some systems beside one another, and the rules that its answers must meet.

    `systems` are the names of those shown; `changed` says which outputs are shown otherwise: `row` (from 0), `system`,
    `text`. `rules` are those of `annotation.protocols.check_rules`. One that `is_loud` tells after its answer that it
    was not passed, and is served again. What `is_imported` has a document of its own, in a test set of checks.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="attention_checks")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=255, blank=True, help_text="as in an imported file")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    systems = models.JSONField()
    changed = models.JSONField(default=list, blank=True)
    rules = models.JSONField()
    is_loud = models.BooleanField(default=False)
    is_imported = models.BooleanField(default=False)

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "position"], name="attention_check_position_once"),
        ]

    def __str__(self) -> str:
        return f"attention check {self.position} of {self.campaign_id}"


class CheckDraw(models.Model):
    """The draw before one screen of an assignment: below the share of checks, one was served there.

    `first_passed` is the outcome of the first attempt, kept for good with the rules it did not meet (`first_unmet`);
    `is_passed` that of the newest. `first_item` and `last_item` are the first rows of the screens of these attempts.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="check_draws")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    screen = models.PositiveIntegerField(help_text="of the plan, from 1")
    value = models.FloatField(help_text="from 0 to 1")
    check_served = models.ForeignKey(AttentionCheck, null=True, on_delete=models.CASCADE, related_name="draws")
    first_item = models.ForeignKey(Item, null=True, on_delete=models.SET_NULL, related_name="+")
    last_item = models.ForeignKey(Item, null=True, on_delete=models.SET_NULL, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)
    first_passed = models.BooleanField(null=True)
    first_unmet = models.JSONField(default=list, blank=True)
    first_answered_at = models.DateTimeField(null=True)
    is_passed = models.BooleanField(null=True)

    class Meta:
        ordering = ["assignment_id", "screen"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "screen"], name="check_draw_once_a_screen"),
            models.UniqueConstraint(
                fields=["annotator", "check_served"],
                condition=Q(check_served__isnull=False),
                name="check_once_an_annotator",
            ),
            models.CheckConstraint(condition=Q(value__gte=0, value__lte=1), name="check_draw_is_share"),
        ]

    def __str__(self) -> str:
        return f"draw before screen {self.screen} of {self.assignment_id}"
