import uuid

from django.db import models
from django.db.models import Q

from annotation.models.assignment import Assignment
from campaigns.models import Document, Segment


class ItemLevel(models.TextChoices):
    SEGMENT = "segment"
    DOCUMENT = "document"
    CONTEXT = "context"  # shown so that the document stays whole, not asked


class ItemKind(models.TextChoices):
    REGULAR = "regular"
    REPEAT = "repeat"
    DEGRADED = "degraded"
    REFERENCE = "reference"
    PRACTICE = "practice"


class Item(models.Model):
    """One screen's question: a segment (or a whole document) with its slots.

    `block` numbers the runs of items shown together as one text. `revision` counts the judgments; raising it by a
    conditional UPDATE is how two tabs are told apart. `public_id` is random, so that nothing can be read from it.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    block = models.PositiveIntegerField(default=0)
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    segment = models.ForeignKey(Segment, null=True, on_delete=models.PROTECT, related_name="items")
    level = models.CharField(max_length=10, choices=ItemLevel, default=ItemLevel.SEGMENT)
    kind = models.CharField(max_length=10, choices=ItemKind, default=ItemKind.REGULAR)
    original = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="controls")
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["assignment_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "position"], name="item_position_once"),
            models.CheckConstraint(condition=Q(level__in=ItemLevel.values), name="item_level_known"),
            models.CheckConstraint(condition=Q(kind__in=ItemKind.values), name="item_kind_known"),
            models.CheckConstraint(
                condition=Q(level="document", segment=None) | (~Q(level="document") & Q(segment__isnull=False)),
                name="item_segment_fits_level",
            ),
        ]
        indexes = [
            models.Index(fields=["assignment", "block"], name="item_by_block"),
            models.Index(
                fields=["assignment", "position"],
                condition=Q(revision=0) & ~Q(level="context"),
                name="item_not_judged",
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.position} of assignment {self.assignment_id}"
