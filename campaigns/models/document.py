from django.db import models

from campaigns.models.test_set import TestSet


class Document(models.Model):
    """An ordered text; `name` is the file's, `title` what people read above it."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=255)
    title = models.CharField(max_length=255, blank=True)
    position = models.PositiveIntegerField()
    domain = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["test_set_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="document_name_once"),
            models.UniqueConstraint(fields=["test_set", "position"], name="document_position_once"),
        ]

    def __str__(self) -> str:
        return self.title or self.name
