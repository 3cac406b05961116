from django.db import models

from campaigns.models.document import Document


class Segment(models.Model):
    """A unit of a document. `source` is null where judgments came without texts."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="segments")
    name = models.CharField(max_length=255, help_text="as in the file")
    position = models.PositiveIntegerField()
    source = models.TextField(null=True)  # noqa: DJ001 - an empty source and an absent one differ
    domain = models.CharField(max_length=100, blank=True)
    tags = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["document_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "name"], name="segment_name_once"),
            models.UniqueConstraint(fields=["document", "position"], name="segment_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}:{self.name}"
