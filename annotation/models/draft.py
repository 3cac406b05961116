from django.db import models

from annotation.models.item import Item


class Draft(models.Model):
    """Unfinished work on an item, saved as one goes; void once the item has been judged past `base_revision`."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="draft")
    answer = models.JSONField()
    base_revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft of {self.item_id}"
