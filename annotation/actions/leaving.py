"""Somebody leaves a campaign, or all of them: what they judged stays, the rest goes to whoever asks next."""

from django.db import transaction

from annotation.actions.campaign_error import CampaignError
from annotation.actions.returning import return_assignment
from annotation.annotator_work import work_in_hand
from campaigns.actions import close_account, remove_member
from campaigns.models import Account, Campaign, Membership, Role


def remove_from_campaign(*, membership: Membership, by: Account | None) -> Membership:
    with transaction.atomic():
        removed = remove_member(membership=membership, by=by)
        if removed.role == Role.ANNOTATOR:
            _return_work(removed.campaign, removed.account, by)
    return removed


def retire_account(*, account: Account, by: Account | None, campaign: Campaign | None = None) -> Account:
    """Closed, and its work in hand given to others; `campaign` is where that was decided."""
    with transaction.atomic():
        closed = close_account(account=account, by=by, campaign=campaign)
        for each in Campaign.objects.filter(assignments__annotator=account).distinct():
            _return_work(each, account, by)
    return closed


def _return_work(campaign: Campaign, annotator: Account, by: Account | None) -> None:
    for assignment in work_in_hand(campaign, [annotator.pk]):
        try:
            return_assignment(assignment=assignment, by=by)
        except CampaignError:  # its last item was judged in this moment
            continue
