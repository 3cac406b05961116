from django.db import models

from annotation.models import Judgment
from campaigns.models import Translation


class DerivedScore(models.Model):
    """A number that follows from an answer by a formula that may change (HTER, a penalty), with its signature.

    `weight` is what the formula divided by (the words of a post-edit): values of many judgments, each by its weight,
    make the value of the whole.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="derived_scores")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="+")
    slot = models.CharField(max_length=2, default="A")
    measure = models.CharField(max_length=50)
    signature = models.CharField(max_length=500, blank=True)
    value = models.FloatField()
    weight = models.FloatField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "translation", "measure", "signature"], name="derived_score_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.value}"
