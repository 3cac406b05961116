"""Who judges what: assignments, their items, and the translations that an item shows."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, CampaignStatus, Document, Segment, System, Translation


class AssignmentStatus(models.TextChoices):
    PLANNED = "planned", _("Planned")
    RESERVED = "reserved", _("Reserved")
    OPEN = "open", _("Open")
    DONE = "done", _("Done")
    CLOSED = "closed", _("Closed")
    ARCHIVED = "archived", _("Archived")


IN_HAND = (AssignmentStatus.OPEN, AssignmentStatus.RESERVED)


class Assignment(models.Model):
    """One annotator's ordered items (nobody's yet while planned); documents are kept together.

    A returned one (`returned_at`) keeps its judgments; the rest is asked in another assignment.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments"
    )
    name = models.CharField(max_length=255, blank=True, help_text="as in an imported file")
    position = models.PositiveIntegerField(help_text="order of handing out")
    round = models.PositiveSmallIntegerField(default=0, help_text="assignments of one round share no output")
    content = models.PositiveIntegerField(default=0, help_text="assignments of one content ask the same outputs")
    status = models.CharField(max_length=10, choices=AssignmentStatus, default=AssignmentStatus.PLANNED)
    total = models.PositiveIntegerField(default=0, help_text="items asked")
    done = models.PositiveIntegerField(default=0, help_text="items judged at least once")
    completion_code = models.CharField(max_length=20, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="when a reservation may go to somebody else")
    returned_at = models.DateTimeField(null=True, blank=True, help_text="when what was not judged was given back")
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "position"], name="assignment_position_once"),
            models.CheckConstraint(condition=Q(status__in=AssignmentStatus.values), name="assignment_status_known"),
            models.CheckConstraint(condition=Q(done__lte=models.F("total")), name="assignment_done_within_total"),
            models.CheckConstraint(
                condition=Q(status="planned", annotator=None) | ~Q(status="planned"), name="assignment_planned_is_free"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "reserved", "done"], annotator__isnull=False)
                | Q(status__in=["planned", "closed", "archived"]),
                name="assignment_open_has_annotator",
            ),
            models.CheckConstraint(
                condition=~Q(status="reserved") | Q(expires_at__isnull=False), name="assignment_reserved_until"
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "status"], name="assignment_by_annotator"),
            models.Index(fields=["annotator", "campaign", "content"], name="assignment_content_seen"),
            models.Index(fields=["campaign", "status", "round", "position"], name="assignment_next_planned"),
        ]

    @property
    def is_closed(self) -> bool:
        """Its judgments cannot be revised any more."""
        ended = (AssignmentStatus.CLOSED, AssignmentStatus.ARCHIVED)
        return self.status in ended or self.campaign.status == CampaignStatus.CLOSED

    @property
    def is_withdrawn(self) -> bool:
        """Unjudged items are asked elsewhere: they were reassigned, or the assignment is to be repeated."""
        return self.returned_at is not None or self.status == AssignmentStatus.ARCHIVED

    def __str__(self) -> str:
        return f"assignment {self.position} of {self.campaign_id}"


class ItemLevel(models.TextChoices):
    SEGMENT = "segment"
    DOCUMENT = "document"
    CONTEXT = "context"  # shown so that the document stays whole, not judged


class ItemKind(models.TextChoices):
    REGULAR = "regular"
    REPEAT = "repeat"
    DEGRADED = "degraded"
    REFERENCE = "reference"
    PRACTICE = "practice"
    CHECK = "check"  # an attention check; it counts for nothing else


class Item(models.Model):
    """One screen's question: a segment (or a whole document) with its slots.

    `block` numbers the runs of items shown together as one text. `revision` counts the judgments; raising it by a
    conditional UPDATE is how two tabs are distinguished. `public_id` is random, so that nothing can be read from it.
    `is_by_chance`: a repeat that nobody planned; a file had the output on another screen of its annotator.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    block = models.PositiveIntegerField(default=0)
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    segment = models.ForeignKey(Segment, null=True, on_delete=models.PROTECT, related_name="items")
    level = models.CharField(max_length=10, choices=ItemLevel, default=ItemLevel.SEGMENT)
    kind = models.CharField(max_length=10, choices=ItemKind, default=ItemKind.REGULAR)
    original = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="controls", db_index=False)
    is_by_chance = models.BooleanField(default=False, db_default=False)
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
            models.Index(fields=["kind", "assignment"], condition=~Q(kind="regular"), name="item_of_rare_kind"),
            models.Index(fields=["original"], condition=Q(original__isnull=False), name="item_by_original"),
        ]

    def __str__(self) -> str:
        return f"item {self.position} of assignment {self.assignment_id}"


class Slot(models.Model):
    """A text of an item under one opaque label. `damaged` replaces the translation's text in degraded items.

    A document-level slot names the system alone; so does one of a system that stands for the source or the reference.
    `columns`, from 1 and a digit each, are the slot's and its credits' places in the order of systems on the screen;
    empty where that of its label is meant.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="slots", db_index=False)
    label = models.CharField(max_length=2)
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="+")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    damaged = models.TextField(null=True)  # noqa: DJ001 - null means: as the system wrote it
    columns = models.CharField(max_length=9, blank=True, default="", db_default="")

    class Meta:
        ordering = ["item_id", "label"]
        constraints = [
            models.UniqueConstraint(fields=["item", "label"], name="slot_label_once"),
            models.CheckConstraint(condition=~Q(label=""), name="slot_labelled"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}{self.label}"


class Credit(models.Model):
    """A further system whose output is identical to a slot's, so that the slot's judgment counts for it too.

    A document-level credit names the system alone.
    """

    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="credits")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slot", "system"], name="credit_once")]

    def __str__(self) -> str:
        return f"{self.slot_id} also {self.system_id}"
