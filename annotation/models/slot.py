from django.db import models
from django.db.models import Q

from annotation.models.item import Item
from campaigns.models import System, Translation


class Slot(models.Model):
    """What an item shows under one opaque label. `damaged` stands in place of the translation's text in degraded items.

    A document-level slot names the system alone; so does one of a system that stands for the source or the reference.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="slots")
    label = models.CharField(max_length=2)
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="+")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    damaged = models.TextField(null=True)  # noqa: DJ001 - null means: as the system wrote it

    class Meta:
        ordering = ["item_id", "label"]
        constraints = [
            models.UniqueConstraint(fields=["item", "label"], name="slot_label_once"),
            models.CheckConstraint(condition=~Q(label=""), name="slot_labelled"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}{self.label}"
