from django.db import models

from campaigns.models import Translation


class SegmentScore(models.Model):
    """An automatic metric's value for one translation."""

    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="segment_scores")
    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500, blank=True)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["translation", "metric", "signature"], name="segment_score_once"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.value}"
