from django.db import models

from campaigns.models import System
from metrics.models.imported_scores import ImportedScores


class SystemScore(models.Model):
    """What a metric from elsewhere says of one system."""

    scores = models.ForeignKey(ImportedScores, on_delete=models.CASCADE, related_name="system_scores")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="imported_scores")
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scores", "system"], name="system_score_once")]

    def __str__(self) -> str:
        return f"{self.value} of {self.system_id}"
