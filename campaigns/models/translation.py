from django.db import models

from campaigns.models.segment import Segment
from campaigns.models.system import System


class Translation(models.Model):
    """One system's output for one segment. `text` is null where judgments came without texts."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="translations")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="translations")
    text = models.TextField(null=True)  # noqa: DJ001 - an empty output and an absent one differ

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "system"], name="translation_once")]

    def __str__(self) -> str:
        return f"{self.segment_id} by {self.system_id}"
