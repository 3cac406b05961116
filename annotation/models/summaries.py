"""What pages read instead of all items and judgments; `annotation.actions.summaries` keeps the rows."""

from typing import Any

from django.conf import settings
from django.db import models

from annotation.models.assignments import Assignment, Item
from annotation.models.judgments import Judgment
from campaigns.models import Campaign, Document, System

_KEPT_BY_ITEMS: dict[str, Any] = {"db_index": False, "db_constraint": False}  # which refuse that it is deleted


class PlannedOutputs(models.Model):
    """How many outputs of a document and a system the regular items of an assignment ask.

    An output shared by several systems counts for each.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="planned_outputs", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.DO_NOTHING, related_name="+", **_KEPT_BY_ITEMS)
    system = models.ForeignKey(System, on_delete=models.DO_NOTHING, related_name="+", **_KEPT_BY_ITEMS)
    outputs = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "document", "system"], name="planned_outputs_once"),
        ]

    def __str__(self) -> str:
        return f"{self.outputs} of document {self.document_id} and system {self.system_id} in {self.assignment_id}"


class ControlScore(models.Model):
    """A score of a degraded item or of its original, as long as it counts: what control items are tested on.

    `original` is the genuine item of both. `is_beside`: of a slot that is not the damaged one, where it is known which
    one is.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+", db_index=False)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    original = models.BigIntegerField()
    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="+")
    translation = models.BigIntegerField()
    slot = models.CharField(max_length=2)
    measure = models.CharField(max_length=50)
    value = models.FloatField()
    is_damaged = models.BooleanField()
    is_beside = models.BooleanField()

    class Meta:
        indexes = [models.Index(fields=["campaign", "annotator"], name="control_score_by_annotator")]

    def __str__(self) -> str:
        return f"{self.measure} {self.value} of item {self.item_id}"
