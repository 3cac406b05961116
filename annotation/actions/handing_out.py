"""What an assignment becomes when it is handed to somebody: theirs to the end, or reserved for a time."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from annotation.models import AssignmentStatus
from campaigns.models import Account, Campaign, Planning


def handed_to(annotator: Account, campaign: Campaign) -> dict[str, Any]:
    return {
        "annotator": annotator,
        "status": status_in_hand(campaign),
        "claimed_at": timezone.now(),
        "expires_at": reserved_until(campaign),
    }


def status_in_hand(campaign: Campaign) -> AssignmentStatus:
    return AssignmentStatus.RESERVED if campaign.planning == Planning.POOL else AssignmentStatus.OPEN


def reserved_until(campaign: Campaign) -> datetime | None:
    """Counted from now, anew with every judgment; no end where the work was planned in advance."""
    if campaign.planning != Planning.POOL:
        return None
    return timezone.now() + timedelta(minutes=campaign.reservation_minutes)
