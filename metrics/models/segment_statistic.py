from django.db import models

from campaigns.models import Translation


class SegmentStatistic(models.Model):
    """A metric's sufficient statistics for one translation, kept so that resampling need not count again."""

    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="segment_statistics")
    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500, blank=True)
    texts = models.CharField(max_length=64, blank=True, help_text="hash of what was counted: it and its references")
    values = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["translation", "metric", "signature"], name="segment_statistic_once"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.translation_id}"
