from django.conf import settings
from django.db import models

from annotation.models.item import Item


class ProblemReport(models.Model):
    """An annotator's word that something is wrong with an item."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="problem_reports")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=30)
    note = models.TextField(blank=True)
    reported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.reason} on {self.item_id}"
