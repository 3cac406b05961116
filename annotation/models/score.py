from django.db import models
from django.db.models import Q

from annotation.models.judgment import Judgment
from campaigns.models import Document, System, Translation


class Score(models.Model):
    """What was answered as a number, in natural units: of a translation, or of a document as one system has it."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="scores")
    measure = models.CharField(max_length=50)
    value = models.FloatField()
    slot = models.CharField(max_length=2, default="A")
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="scores")
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    system = models.ForeignKey(System, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(translation__isnull=False, document=None, system=None)
                | Q(translation=None, document__isnull=False, system__isnull=False),
                name="score_of_translation_or_document",
            ),
            models.UniqueConstraint(
                fields=["judgment", "measure", "translation"],
                condition=Q(translation__isnull=False),
                name="score_of_translation_once",
            ),
            models.UniqueConstraint(
                fields=["judgment", "measure", "document", "system"],
                condition=Q(translation=None),
                name="score_of_document_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.value}"
