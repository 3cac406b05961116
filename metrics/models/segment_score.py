from django.db import models

from campaigns.models import Translation
from metrics.models.imported_scores import ImportedScores


class SegmentScore(models.Model):
    """What a metric from elsewhere says of one translation."""

    scores = models.ForeignKey(ImportedScores, on_delete=models.CASCADE, related_name="segment_scores")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="segment_scores")
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scores", "translation"], name="segment_score_once")]

    def __str__(self) -> str:
        return f"{self.value} of {self.translation_id}"
