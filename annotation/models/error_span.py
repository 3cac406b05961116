from django.db import models
from django.db.models import F, Q

from annotation.models.judgment import Judgment
from campaigns.models import Translation


class Side(models.TextChoices):
    SOURCE = "source"
    TARGET = "target"


class ErrorSpan(models.Model):
    """A marked error: half-open, in code points of the stored text; an empty one marks an omission."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="error_spans")
    translation = models.ForeignKey(Translation, on_delete=models.PROTECT, related_name="error_spans")
    side = models.CharField(max_length=6, choices=Side, default=Side.TARGET)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    category = models.CharField(max_length=150, blank=True)
    severity = models.CharField(max_length=20)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="error_span_forward"),
            models.CheckConstraint(condition=Q(side__in=Side.values), name="error_span_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.severity} [{self.start}:{self.end}]"
