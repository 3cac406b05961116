from django.db import models

from annotation.models import Judgment
from campaigns.models import Translation


class DerivedScore(models.Model):
    """A number that follows from an answer by a formula that may change (HTER, a penalty), with its signature."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="derived_scores")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="+")
    measure = models.CharField(max_length=50)
    signature = models.CharField(max_length=500, blank=True)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "translation", "measure", "signature"], name="derived_score_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.value}"
