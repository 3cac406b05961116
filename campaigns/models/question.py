from django.db import models

from campaigns.models.document import Document


class QuestionKind(models.TextChoices):
    CHOICE = "choice"
    TEXT = "text"


class Question(models.Model):
    """A comprehension question on a document; `accepted` never leaves the server for an annotator."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="questions")
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=QuestionKind)
    text = models.TextField()
    choices = models.JSONField(default=list, blank=True)
    accepted = models.JSONField(default=list)

    class Meta:
        ordering = ["document_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "name"], name="question_name_once"),
            models.CheckConstraint(condition=models.Q(kind__in=QuestionKind.values), name="question_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}:{self.name}"
