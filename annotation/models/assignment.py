from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, CampaignStatus


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

    One that was given back (`returned_at`) keeps what was judged in it; the rest is asked in another assignment.
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
        """What was judged cannot be revised any more."""
        ended = (AssignmentStatus.CLOSED, AssignmentStatus.ARCHIVED)
        return self.status in ended or self.campaign.status == CampaignStatus.CLOSED

    @property
    def is_withdrawn(self) -> bool:
        """What was not judged in it is asked elsewhere: it was given to others, or is to be done anew."""
        return self.returned_at is not None or self.status == AssignmentStatus.ARCHIVED

    def __str__(self) -> str:
        return f"assignment {self.position} of {self.campaign_id}"
