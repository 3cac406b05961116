"""Links that sign their holder in: issued, accepted as often as their holder likes, revoked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.accounts import AccountError
from campaigns.actions.audit import record
from campaigns.actions.memberships import add_member
from campaigns.models import Account, Campaign, Invitation, Membership, Role
from campaigns.queries import open_invitation
from campaigns.secret_keys import hash_secret, new_secret

_LONGEST_STEM = 125  # a role, a number and the hyphens fit into the 150 characters of a name


@dataclass(frozen=True)
class IssuedInvitation:
    """A new invitation with its secret: the only moment at which the link is known."""

    invitation: Invitation
    secret: str

    @property
    def link(self) -> str:
        return f"{settings.BASE_URL}/invitations/{self.secret}/"


def invite_annotators(
    *, campaign: Campaign, count: int, by: Account | None, role: Role = Role.ANNOTATOR
) -> list[IssuedInvitation]:
    """New accounts without passwords, each with its link; asked again, further people."""
    if count < 1:
        raise AccountError([_("Invite at least one person.")])
    with transaction.atomic():
        # one invitation of a campaign at a time, so that no two number their people alike; judging is not held up
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        return _invite_new_accounts(campaign, count, by, role)


def _invite_new_accounts(campaign: Campaign, count: int, by: Account | None, role: Role) -> list[IssuedInvitation]:
    names = _free_names(campaign, role)
    accounts = Account.objects.bulk_create(
        [Account(username=name, password=make_password(None)) for name in islice(names, count)]
    )
    Membership.objects.bulk_create([Membership(campaign=campaign, account=account, role=role) for account in accounts])
    issued = [_new_invitation(campaign, account, role, by) for account in accounts]
    Invitation.objects.bulk_create([each.invitation for each in issued])
    record(
        action="people_invited",
        by=by,
        campaign=campaign,
        role=str(role),
        count=count,
        first=accounts[0].username,
        last=accounts[-1].username,
    )
    return issued


def _free_names(campaign: Campaign, role: Role) -> Iterator[str]:
    """`campaign-07`: the campaign's address and a running number, so that a name says nothing about a person."""
    stem = campaign.slug[:_LONGEST_STEM].rstrip("-")
    if role != Role.ANNOTATOR:
        stem = f"{stem}-{role}"
    taken = Account.objects.filter(username__startswith=f"{stem}-").values_list("username", flat=True)
    numbered = re.compile(re.escape(stem) + r"-(\d{1,9})")
    number = max((int(match[1]) for name in taken if (match := numbered.fullmatch(name))), default=0)
    while True:
        number += 1
        yield f"{stem}-{number:02d}"


def _new_invitation(campaign: Campaign, account: Account, role: Role, by: Account | None) -> IssuedInvitation:
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
    issued = _new_invitation(campaign, account, role, by)
    with transaction.atomic():
        add_member(campaign=campaign, account=account, role=role, by=by)
        issued.invitation.save(force_insert=True)
        record(action="account_invited", by=by, campaign=campaign, role=str(role), account=account.username)
    return issued


def accept_invitation(*, secret: str) -> Invitation:
    """The holder of the link comes in, for the first time or again."""
    with transaction.atomic():
        invitation = open_invitation(secret)
        if Invitation.objects.filter(pk=invitation.pk, accepted_at=None).update(accepted_at=timezone.now()):
            add_member(
                campaign=invitation.campaign,
                account=invitation.account,
                role=Role(invitation.role),
                by=invitation.account,
            )
            record(action="invitation_accepted", by=invitation.account, campaign=invitation.campaign)
    return invitation


def revoke_invitation(*, invitation: Invitation, by: Account | None) -> Invitation:
    """The link opens nothing from now on; what was judged stays."""
    with transaction.atomic():
        if Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(
                action="invitation_revoked",
                by=by,
                campaign=invitation.campaign,
                account=invitation.account.username,
            )
    invitation.refresh_from_db(fields=["revoked_at"])
    return invitation
