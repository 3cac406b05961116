from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models import TestSet


class ScoreLevel(models.TextChoices):
    SYSTEM = "system"
    SEGMENT = "segment"


class ImportedScores(models.Model):
    """One metric's scores of one level, brought from elsewhere: from which file, when and by whom.

    Rows come in short batches while `is_whole` is False; nobody reads them before it is True.
    """

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="imported_scores")
    metric = models.CharField(max_length=100)
    level = models.CharField(max_length=10, choices=ScoreLevel)
    higher_is_better = models.BooleanField(default=True)
    references = models.JSONField(default=list, blank=True, help_text="names of those the metric compared with")
    file_name = models.CharField(max_length=255)
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the file")
    is_whole = models.BooleanField(default=False)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["metric", "level"]
        constraints = [
            models.UniqueConstraint(
                fields=["test_set", "metric", "level"], condition=Q(is_whole=True), name="imported_scores_once"
            ),
            models.CheckConstraint(condition=Q(level__in=ScoreLevel.values), name="imported_scores_level_known"),
            models.CheckConstraint(condition=~Q(metric=""), name="imported_scores_named"),
        ]

    def __str__(self) -> str:
        return f"{self.metric}, {self.level}, from {self.file_name}"

    @property
    def signature(self) -> str:
        """What tells these numbers from others of the same name."""
        return f"imported|file:{self.file_name}|sha256:{self.content_hash[:12]}"
