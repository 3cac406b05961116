"""The states of a campaign and the ways between them."""

from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.claiming import reserved_until, status_in_hand
from annotation.models import IN_HAND, Assignment, AssignmentStatus
from campaigns.actions.audit import record
from campaigns.actions.webhooks import announce
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus, HookEvent

FROM = {
    CampaignStatus.OPEN: (CampaignStatus.DRAFT, CampaignStatus.PAUSED, CampaignStatus.CLOSED),
    CampaignStatus.PAUSED: (CampaignStatus.OPEN,),
    CampaignStatus.CLOSED: (CampaignStatus.OPEN, CampaignStatus.PAUSED),
}
_DONE = {
    CampaignStatus.OPEN: "campaign_opened",
    CampaignStatus.PAUSED: "campaign_paused",
    CampaignStatus.CLOSED: "campaign_closed",
}


def set_status(*, campaign: Campaign, status: str, by: Account | None) -> Campaign:
    """Opens, pauses or closes; setting the current state changes nothing.

    Closing ends the assignments in hand and keeps all that was entered; opening again gives them back. An answer that
    arrives late is stored all the same (see `submit_judgment`).
    """
    if status not in FROM:
        raise InvalidInput.of("status", _("Unknown status. Allowed: open, paused, closed."))
    target = CampaignStatus(status)
    with transaction.atomic():
        if campaign.status == CampaignStatus.DRAFT:
            _refuse_without_plan(campaign)
        moved = _move(campaign, target)
        campaign.refresh_from_db(fields=["status", "opened_at", "closed_at"])
        if moved:
            _move_assignments(campaign, target)
            record(action=_DONE[target], by=by, campaign=campaign)
            if target == CampaignStatus.OPEN:
                announce(campaign.pk, HookEvent.CAMPAIGN_OPENED)
        elif campaign.status != target:
            states = {"now": campaign.get_status_display(), "wanted": target.label}
            raise InvalidInput.of("status", _("A campaign cannot change from “%(now)s” to “%(wanted)s”.") % states)
    return campaign


def _move(campaign: Campaign, target: CampaignStatus) -> int:
    now = timezone.now()
    stamps: dict[CampaignStatus, dict[str, Any]] = {
        CampaignStatus.OPEN: {"opened_at": Coalesce(F("opened_at"), now), "closed_at": None},
        CampaignStatus.PAUSED: {},
        CampaignStatus.CLOSED: {"closed_at": now},
    }
    return Campaign.objects.filter(pk=campaign.pk, status__in=FROM[target]).update(status=target, **stamps[target])


def _move_assignments(campaign: Campaign, target: CampaignStatus) -> None:
    """Reservations do not expire while nobody may judge."""
    own = Assignment.objects.filter(campaign=campaign)
    if target == CampaignStatus.CLOSED:
        own.filter(status__in=IN_HAND).update(status=AssignmentStatus.CLOSED, expires_at=None)
    elif target == CampaignStatus.OPEN:
        in_hand = {"status": status_in_hand(campaign), "expires_at": reserved_until(campaign)}
        closed_with_campaign = own.filter(status=AssignmentStatus.CLOSED, annotator__isnull=False, returned_at=None)
        (closed_with_campaign | own.filter(status=AssignmentStatus.RESERVED)).update(**in_hand)


def _refuse_without_plan(campaign: Campaign) -> None:
    """A campaign whose plan was not stored to the end has archived assignments alone."""
    usable = Assignment.objects.filter(~Q(status=AssignmentStatus.ARCHIVED), campaign=campaign)
    if not usable.exists():
        raise InvalidInput.of("status", _("This campaign has no tasks, so there is nothing to judge."))
