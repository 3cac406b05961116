"""Handing out assignments: two annotators asking at once is the normal case."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.campaign_error import CampaignError
from annotation.models import Assignment, AssignmentStatus
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role

BEGUN = (AssignmentStatus.OPEN, AssignmentStatus.RESERVED)


def claim_assignment(*, campaign: Campaign, annotator: Account) -> Assignment | None:
    """The annotator's open assignment, else the next planned one; None when nothing may be handed out.

    The annotator's own membership is locked, so that one who asks twice at once gets one assignment; the assignment is
    taken by a conditional UPDATE, so that two who ask at once get two.
    """
    if campaign.status != CampaignStatus.OPEN:
        return None
    with transaction.atomic():
        places = Membership.objects.filter(campaign=campaign, account=annotator, role=Role.ANNOTATOR)
        if not places.select_for_update():
            raise CampaignError({"annotator": [_("This account does not judge in this campaign.")]})
        mine = Assignment.objects.filter(campaign=campaign, annotator=annotator, status__in=BEGUN)
        return mine.order_by("position").first() or _take_next(campaign, annotator)


def claimable(campaign: Campaign, annotator: Account) -> QuerySet[Assignment]:
    """Planned assignments that ask nothing the annotator was asked before."""
    seen = Assignment.objects.filter(campaign=campaign, annotator=annotator, content=OuterRef("content"))
    return Assignment.objects.filter(~Exists(seen), campaign=campaign, status=AssignmentStatus.PLANNED)


def _take_next(campaign: Campaign, annotator: Account) -> Assignment | None:
    waiting = claimable(campaign, annotator).order_by("position").select_for_update(skip_locked=True, of=("self",))
    while (assignment := waiting.first()) is not None:
        assignment.campaign, assignment.annotator = campaign, annotator
        assignment.status, assignment.claimed_at = AssignmentStatus.OPEN, timezone.now()
        if Assignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.PLANNED).update(
            annotator=annotator, status=assignment.status, claimed_at=assignment.claimed_at
        ):
            return assignment
    return None
