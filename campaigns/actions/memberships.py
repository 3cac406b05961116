"""Memberships of a campaign, and the texts that annotators consent to."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from campaigns.actions.audit import record
from campaigns.models import Account, Campaign, Membership, Role


def add_member(*, campaign: Campaign, account: Account, role: Role, by: Account | None) -> Membership:
    """Asked twice, it is the same place; who was removed comes back to it, and agrees anew."""
    with transaction.atomic():
        membership, is_new = Membership.ever.get_or_create(campaign=campaign, account=account, role=role)
        if not is_new and membership.removed_at is not None:
            anew = {"removed_at": None, "consented_at": None, "consented_by": None, "is_program": False}
            is_new = bool(Membership.ever.filter(pk=membership.pk).exclude(removed_at=None).update(**anew))
            membership.refresh_from_db()
        if is_new:
            record(action="member_added", by=by, campaign=campaign, account=account.username, role=str(role))
    return membership


def allow_to_adjudicate(*, membership: Membership, may: bool, by: Account | None) -> Membership:
    """Lets a researcher adjudicate, or ends that; a second call changes nothing."""
    with transaction.atomic():
        changed = Membership.objects.filter(pk=membership.pk, role=Role.RESEARCHER).exclude(may_adjudicate=may)
        if changed.update(may_adjudicate=may):
            action = "adjudicating_allowed" if may else "adjudicating_forbidden"
            record(action=action, by=by, campaign=membership.campaign, account=membership.account.username)
    membership.refresh_from_db(fields=["may_adjudicate"])
    return membership


def give_consent(*, membership: Membership, name: str = "") -> Membership:
    """The first time counts. Consenting again changes nothing, and withdrawal is final.

    A `name` becomes the account's.
    """
    with transaction.atomic():
        own = Membership.objects.filter(pk=membership.pk, consented_at=None, withdrawn_at=None)
        is_new = bool(own.update(consented_at=timezone.now()))
        if is_new and name:
            Account.objects.filter(pk=membership.account_id).update(name=name)
        if is_new:
            record(action="consent_given", by=membership.account, campaign=membership.campaign)
    membership.refresh_from_db(fields=["consented_at"])
    return membership


def change_texts(*, campaign: Campaign, guidelines: str, consent: str, by: Account | None) -> Campaign:
    """Who agreed before has agreed to what was written then: the record keeps the texts as they were."""
    with transaction.atomic():
        before = Campaign.objects.select_for_update().get(pk=campaign.pk)
        texts = {"guidelines": guidelines, "consent": consent}
        changed = {name: getattr(before, name) for name, text in texts.items() if getattr(before, name) != text}
        if changed:
            Campaign.objects.filter(pk=campaign.pk).update(**texts)
            record(action="texts_changed", by=by, campaign=campaign, before=changed)
    campaign.guidelines, campaign.consent = guidelines, consent
    return campaign


def note_guidelines_read(*, membership: Membership, seen_at: datetime) -> Membership:
    """`seen_at` is when the text was fetched: what was changed while somebody read it is still to be read."""
    seen_at = min(seen_at, timezone.now())
    earlier = Q(guidelines_read_at=None) | Q(guidelines_read_at__lt=seen_at)
    Membership.objects.filter(earlier, pk=membership.pk).update(guidelines_read_at=seen_at)
    membership.refresh_from_db(fields=["guidelines_read_at"])
    return membership
