"""What annotators are told beside the texts: an instruction, and terms with their translations."""

from django.db import models
from django.db.models import Q

from campaigns.models.test_sets import Document, TestSet


class TextGuidance(models.Model):
    """For a document, for a domain of the test set, or, with neither, for all its texts.

    `glossary` is a list of `{"term", "required": [], "forbidden": [], "note"}`.
    """

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="guidance")
    document = models.ForeignKey(Document, null=True, on_delete=models.CASCADE, related_name="guidance")
    domain = models.CharField(max_length=100, blank=True)
    instruction = models.TextField(blank=True)
    glossary = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["test_set", "domain"], condition=Q(document=None), name="text_guidance_domain_once"
            ),
            models.UniqueConstraint(
                fields=["document"], condition=Q(document__isnull=False), name="text_guidance_document_once"
            ),
            models.CheckConstraint(condition=Q(document=None) | Q(domain=""), name="text_guidance_one_scope"),
        ]

    def __str__(self) -> str:
        return f"{self.test_set_id} {self.document_id or self.domain}".strip()
