from django.db import models

from campaigns.models.segment import Segment


class Reference(models.Model):
    """A human translation given as such; `name` tells several apart (`A` when the file named none)."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="references")
    name = models.CharField(max_length=100, default="A")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "name"], name="reference_name_once")]

    def __str__(self) -> str:
        return f"{self.segment_id} {self.name}"
