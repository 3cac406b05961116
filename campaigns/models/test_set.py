from django.conf import settings
from django.db import models


class TestSetStatus(models.TextChoices):
    __test__ = False  # as below

    LOADING = "loading"
    READY = "ready"


class TestSet(models.Model):
    """Documents, references and systems of one language pair; several campaigns may share it."""

    __test__ = False  # the name is the field's, not a test case's

    name = models.CharField(max_length=150, unique=True)
    slug = models.SlugField(max_length=160, unique=True)
    source_language = models.CharField(max_length=35, help_text="BCP 47")
    target_language = models.CharField(max_length=35, help_text="BCP 47")
    status = models.CharField(max_length=10, choices=TestSetStatus, default=TestSetStatus.LOADING)
    content_hash = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the imported files")
    format = models.CharField(max_length=20, blank=True)
    report = models.JSONField(default=dict, blank=True, help_text="what the import counted and left out")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=TestSetStatus.values), name="test_set_status_known"),
            models.CheckConstraint(condition=~models.Q(name=""), name="test_set_named"),
        ]

    def __str__(self) -> str:
        return self.name
