"""Links: invitations that sign their holder in, and links that show results. A link itself is returned once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from campaigns.actions.audit import record
from campaigns.actions.endings import end_links, lock, refuse_closed, refuse_more_than_own
from campaigns.actions.memberships import add_member
from campaigns.models import Account, Campaign, Invitation, Role, ShareLink
from campaigns.queries import open_invitation
from campaigns.secret_keys import hash_secret, new_secret
from campaigns.site_address import site_address


@dataclass(frozen=True)
class IssuedInvitation:
    """A new invitation with its secret: the only moment at which the link is known."""

    invitation: Invitation
    secret: str

    @property
    def link(self) -> str:
        return site_address(f"/invitations/{self.secret}/")


def new_invitation(campaign: Campaign, account: Account, role: Role, by: Account | None) -> IssuedInvitation:
    secret = new_secret()
    invitation = Invitation(
        campaign=campaign,
        account=account,
        role=role,
        secret_hash=hash_secret(secret),
        created_by=by,
        expires_at=timezone.now() + timedelta(days=settings.INVITATION_DAYS),
    )
    return IssuedInvitation(invitation, secret)


def invite_account(*, campaign: Campaign, account: Account, role: Role, by: Account | None) -> IssuedInvitation:
    """A further link for an account that exists, as when the first was lost; older links stay until revoked."""
    issued = new_invitation(campaign, account, role, by)
    with transaction.atomic():
        add_member(campaign=campaign, account=account, role=role, by=by)
        issued.invitation.save(force_insert=True)
        record(action="account_invited", by=by, campaign=campaign, role=str(role), account=account.username)
    return issued


def renew_invitation(*, invitation: Invitation, by: Account) -> IssuedInvitation:
    """A lost link is replaced: the old one ends with all that came of it, the account and its work stay.

    Who asks sees the link, and it opens all that the account may: no more than they may themselves.
    """
    account = invitation.account
    refuse_more_than_own(account, by)
    refuse_closed(account)
    with transaction.atomic():
        issued = invite_account(campaign=invitation.campaign, account=account, role=Role(invitation.role), by=by)
        revoke_invitation(invitation=invitation, by=by)
    return issued


def accept_invitation(*, secret: str) -> Invitation:
    """The holder of the link comes in, for the first time or again."""
    with transaction.atomic():
        invitation = open_invitation(secret)
        if Invitation.objects.filter(pk=invitation.pk, accepted_at=None).update(accepted_at=timezone.now()):
            campaign, account = invitation.campaign, invitation.account
            add_member(campaign=campaign, account=account, role=Role(invitation.role), by=account)
            record(action="invitation_accepted", by=account, campaign=campaign)
    return invitation


def revoke_invitation(*, invitation: Invitation, by: Account | None) -> Invitation:
    """Ends the link with its sessions, tokens and password. Judgments stay."""
    with transaction.atomic():
        lock(invitation.account)
        if end_links(Invitation.objects.filter(pk=invitation.pk)):
            name = invitation.account.username
            record(action="invitation_revoked", by=by, campaign=invitation.campaign, account=name)
    invitation.refresh_from_db(fields=["revoked_at"])
    return invitation


def expire_invitation(*, invitation: Invitation) -> Invitation:
    """The link lets nobody in any more; people who came in by it stay."""
    Invitation.objects.filter(pk=invitation.pk, expires_at__gt=timezone.now()).update(expires_at=timezone.now())
    invitation.refresh_from_db(fields=["expires_at"])
    return invitation


def make_share_link(
    *,
    campaign: Campaign,
    name: str,
    days: int,
    by: Account | None,
    shows_texts: bool = False,
    choice: Mapping[str, Any] | None = None,
) -> tuple[ShareLink, str]:
    """`choice` are the arguments of the runs it shows; without them the protocol's own."""
    secret = new_secret()
    with transaction.atomic():
        link = ShareLink.objects.create(
            campaign=campaign,
            name=name,
            secret_hash=hash_secret(secret),
            choice=dict(choice or {}),
            shows_texts=shows_texts,
            created_by=by,
            expires_at=timezone.now() + timedelta(days=days),
        )
        record(action="results_shared", by=by, campaign=campaign, link=name, days=days, shows_texts=shows_texts)
    return link, secret


def revoke_share_link(*, link: ShareLink, by: Account | None) -> ShareLink:
    """Ends the link; a second call does not change the time."""
    with transaction.atomic():
        if ShareLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(action="results_share_revoked", by=by, campaign=link.campaign, link=link.name)
    link.refresh_from_db(fields=["revoked_at"])
    return link
