from django.conf import settings
from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.models.assignment import AssignmentStatus
from annotation.models.item import Item


class Judgment(models.Model):
    """One annotator's answer on one item, one revision. Rows are added, never changed, but for `is_current`.

    `answer` is what was entered; `client_id` makes a retry the same judgment; `surplus` marks one that came when
    others had filled the item meanwhile: stored, left out of analyses by default.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="judgments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgments")
    revision = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    surplus = models.BooleanField(default=False)
    client_id = models.UUIDField(unique=True)
    base_revision = models.PositiveIntegerField(default=0)
    answer = models.JSONField()
    cannot_judge = models.CharField(max_length=30, blank=True, help_text="reason, when no judgment was possible")
    started_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField()
    elapsed_ms = models.PositiveIntegerField(null=True)
    active_ms = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="judgment_revision_once"),
            models.UniqueConstraint(fields=["item"], condition=Q(is_current=True), name="judgment_one_current"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="judgment_revision_positive"),
        ]
        indexes = [models.Index(fields=["annotator", "submitted_at"], name="judgment_by_annotator")]

    def __str__(self) -> str:
        return f"judgment {self.pk} of item {self.item_id}, revision {self.revision}"


def is_surplus(judgment: str = "") -> "ExpressionWrapper[Q]":
    """Marked as such, or of an assignment that was archived to be done anew; `judgment` is the way to it, with `__`."""
    archived = {f"{judgment}item__assignment__status": AssignmentStatus.ARCHIVED}
    return ExpressionWrapper(Q(**{f"{judgment}surplus": True}) | Q(**archived), output_field=BooleanField())
