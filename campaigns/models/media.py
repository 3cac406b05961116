"""Pictures, sound and video beside the texts. The files are stored by their hash, outside the database."""

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.test_sets import Document, Segment


class MediumKind(models.TextChoices):
    PICTURE = "picture", _("Picture")
    AUDIO = "audio", _("Audio")
    VIDEO = "video", _("Video")


CONTENT_TYPES = (
    *("image/png", "image/jpeg", "image/webp", "image/gif"),
    *("video/mp4", "video/webm"),
    *("audio/mpeg", "audio/wav", "audio/ogg", "audio/mp4"),
)


class Medium(models.Model):
    """What lies beside a segment; beside the whole document where `segment` is null."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="media")
    segment = models.ForeignKey(Segment, null=True, blank=True, on_delete=models.CASCADE, related_name="media")
    kind = models.CharField(max_length=10, choices=MediumKind)
    # SHA-256 of the stored file
    file_hash = models.CharField(max_length=64, db_index=True, validators=[RegexValidator(r"^[0-9a-f]{64}\Z")])
    content_type = models.CharField(max_length=30, choices=[(name, name) for name in CONTENT_TYPES])
    size = models.PositiveBigIntegerField()  # bytes
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    duration_ms = models.PositiveBigIntegerField(null=True, blank=True)
    name = models.CharField(max_length=255)  # of the uploaded file, for messages
    alt = models.CharField(max_length=1000, blank=True)
    captions = models.TextField(blank=True)  # WebVTT

    class Meta:
        verbose_name_plural = "media"
        ordering = ["document_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["segment"], name="medium_once_a_segment"),
            models.UniqueConstraint(
                fields=["document"], condition=Q(segment=None), name="medium_once_beside_a_document"
            ),
            models.CheckConstraint(condition=Q(kind__in=MediumKind.values), name="medium_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.file_hash[:12]} of {self.document_id}:{self.segment_id or ''}"
