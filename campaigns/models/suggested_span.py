from django.db import models
from django.db.models import F, Q

from campaigns.models.translation import Translation


class SuggestedSpan(models.Model):
    """An error span that came with the test set, offered to annotators; half-open, in code points."""

    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="suggested_spans")
    side = models.CharField(max_length=6, choices=[("source", "source"), ("target", "target")], default="target")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    category = models.CharField(max_length=150, blank=True)
    severity = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="suggested_span_forward"),
            models.CheckConstraint(condition=Q(side__in=["source", "target"]), name="suggested_span_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.translation_id}[{self.start}:{self.end}]"
