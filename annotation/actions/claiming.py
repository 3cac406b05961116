"""Handing out assignments: two annotators asking at once is the normal case."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.eliminating import without_dropped
from annotation.actions.remaining_items import give_back, store_remaining, unjudged_items
from annotation.actions.serving_checks import draw_checks
from annotation.models import IN_HAND, Assignment, AssignmentStatus
from annotation.queries.task_list import lapsed_for, planned_for
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Planning

LOCKED_SECONDS = 2.0  # after these, what others still hold is not waited for


def claim_assignment(*, campaign: Campaign, annotator: Account) -> Assignment | None:
    """The annotator's assignment in hand, else the next one; None when nothing may be handed out.

    The annotator's own membership is locked, so that one who asks twice at once gets one assignment; the assignment is
    taken by a conditional UPDATE, so that two who ask at once get two. Rounds go out one after the other, so the next
    is one of the least judged; a reservation that has run out stands where it stood before.
    """
    if campaign.status != CampaignStatus.OPEN:
        return None
    with transaction.atomic():
        places = Membership.objects.judging().filter(campaign=campaign, account=annotator)
        if not places.select_for_update():
            raise InvalidInput.of("annotator", _("This account is not an annotator in this campaign."))
        return _mine(campaign, annotator) or _take_next(campaign, annotator)


def _mine(campaign: Campaign, annotator: Account) -> Assignment | None:
    """Renews a reservation, even an expired one, while nobody else has taken it."""
    own = Assignment.objects.filter(campaign=campaign, annotator=annotator, status__in=IN_HAND)
    assignment = own.order_by("position").first()
    if assignment is None or assignment.status == AssignmentStatus.OPEN:
        return assignment
    assignment.expires_at = reserved_until(campaign)
    renewed = own.filter(pk=assignment.pk).update(expires_at=assignment.expires_at)
    return assignment if renewed else _mine(campaign, annotator)


def _take_next(campaign: Campaign, annotator: Account) -> Assignment | None:
    """Another one is looked for when somebody was quicker, or nothing of this one is to be judged any more."""
    offers = [planned_for(annotator)] + ([lapsed_for(annotator)] if campaign.planning == Planning.POOL else [])
    patience = time.monotonic() + LOCKED_SECONDS
    while True:
        firsts = [_first(campaign, each) for each in offers]
        planned, offered = firsts[0], [assignment for assignment in firsts if assignment is not None]
        if not offered and _is_locked(campaign, offers) and time.monotonic() < patience:
            time.sleep(0.05)  # a look counts what is left: it must not seem that nothing is
            continue
        if not offered:
            return None
        chosen = min(offered, key=lambda each: (each.round, each.position))
        taken = _take(chosen, annotator) if chosen is planned else _take_over(chosen, annotator)
        ready = None if taken is None else without_dropped(taken)
        if ready is not None:
            return draw_checks(ready, annotator)


def _is_locked(campaign: Campaign, offers: Sequence[QuerySet[Assignment]]) -> bool:
    """Whether there is something after all, which others hold at this moment."""
    can_skip = connection.features.has_select_for_update_skip_locked
    return can_skip and any(each.filter(campaign=campaign).exists() for each in offers)


def _first(campaign: Campaign, offers: QuerySet[Assignment]) -> Assignment | None:
    waiting = offers.filter(campaign=campaign).order_by("round", "position")
    first = waiting.select_for_update(skip_locked=True, of=("self",)).first()
    if first is not None:
        first.campaign = campaign
    return first


def _take(planned: Assignment, annotator: Account) -> Assignment | None:
    values = claim_values(annotator, planned.campaign)
    if not Assignment.objects.filter(pk=planned.pk, status=AssignmentStatus.PLANNED).update(**values):
        return None
    for name, value in values.items():
        setattr(planned, name, value)
    return planned


def _take_over(lapsed: Assignment, annotator: Account) -> Assignment | None:
    """Judged items stay with the first annotator; the rest goes to the new one."""
    if not give_back(lapsed, expires_at__lt=timezone.now()):
        return None
    return store_remaining(lapsed, unjudged_items(lapsed), **claim_values(annotator, lapsed.campaign))


def claim_values(annotator: Account, campaign: Campaign) -> dict[str, Any]:
    """The new state of an assignment: permanent, or reserved for a time."""
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
