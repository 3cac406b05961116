"""Access that ends: of one session, of all that came of a link, a password or a place, of a whole account.

What was judged stays. Whatever makes a token or sets a password locks the account first, and looks whether what it
comes of still stands, so that nothing slips through while access is being ended.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.invalid_input import AccountError
from campaigns.models import Account, ApiToken, Campaign, Identity, Invitation, Membership, Role, Session


@dataclass(frozen=True)
class Ended:
    """How many were ended."""

    sessions: int = 0
    tokens: int = 0


def refuse_more_than_own(account: Account, by: Account | None) -> None:
    """As `may_end_access`, in words."""
    if not may_end_access(account, by):
        raise AccountError(
            _(
                "You cannot do this with this account: it can create campaigns, or it belongs or belonged to a "
                "campaign that you do not organise. Ask a superuser."
            )
        )


def may_end_access(account: Account, by: Account | None) -> bool:
    """Who opens or ends all that an account may must organise all of it; superusers and the command line may."""
    if by is None or by == account or by.is_superuser:
        return True
    return not may_make_campaigns(account) and not _is_where_they_are_not(account, by)


def beyond_reach(accounts: Collection[Account], by: Account | None) -> set[int]:
    """Those of whom `may_end_access` is false: one query, however many."""
    if by is None or by.is_superuser:
        return set()
    organised = Membership.objects.filter(account=by, role=Role.ORGANISER).values("campaign")
    elsewhere = Membership.ever.filter(account__in=accounts).exclude(campaign__in=organised)
    refused = set(elsewhere.values_list("account", flat=True))
    return {each.pk for each in accounts if each != by and (may_make_campaigns(each) or each.pk in refused)}


def may_make_campaigns(account: Account) -> bool:
    return account.may_create_campaigns or account.is_staff or account.is_superuser


def end_session(*, session: Session, by: Account) -> Session:
    """One device is signed out; ending it twice keeps the first time."""
    with transaction.atomic():
        if end_sessions(Session.objects.filter(pk=session.pk)):
            record(action="session_ended", by=by, session=session.pk)
    session.refresh_from_db(fields=["ended_at"])
    return session


def sign_out_everywhere(*, account: Account, by: Account | None, campaign: Campaign | None = None) -> Ended:
    """Every session and every token ends; links and the password still let the holder in."""
    refuse_more_than_own(account, by)
    with transaction.atomic():
        lock(account)
        ended = _end_all(account)
        counts = asdict(ended)
        record(action="signed_out_everywhere", by=by, campaign=campaign, account=account.username, **counts)
    return ended


def remove_member(*, membership: Membership, by: Account | None) -> Membership:
    """Removes them from the campaign, with their links and all that was made with these. Consent stays on record."""
    campaign, account = membership.campaign, membership.account
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # two organisers may remove each other
        lock(account)
        others = Membership.objects.filter(campaign=campaign, role=Role.ORGANISER).exclude(pk=membership.pk)
        if membership.role == Role.ORGANISER and not others.exists():
            raise AccountError(_("Nobody else organises this campaign. Invite another organiser first."))
        if Membership.objects.filter(pk=membership.pk).update(removed_at=timezone.now()):
            end_links(Invitation.objects.filter(campaign=campaign, account=account, role=membership.role))
            if membership.role == Role.ANNOTATOR:
                end_tokens(account.api_tokens.filter(handed_out_for=campaign))
            end_all_if_nowhere(account)
            name, role = account.username, membership.role
            record(action="member_removed", by=by, campaign=campaign, account=name, role=role)
    membership.refresh_from_db(fields=["removed_at"])
    return membership


def close_account(*, account: Account, by: Account | None, campaign: Campaign | None = None) -> Account:
    """Ends all access: sessions, tokens, links and the password."""
    refuse_more_than_own(account, by)
    if account == by:
        raise AccountError(_("You cannot close your own account."))
    with transaction.atomic():
        lock(account)
        if Account.objects.filter(pk=account.pk, is_active=True).update(is_active=False):
            end_links(Invitation.objects.filter(account=account))
            _end_all(account)
            _take_password(Account.objects.filter(pk=account.pk))
            record(action="account_closed", by=by, campaign=campaign, account=account.username)
    account.refresh_from_db(fields=["is_active", "password", "password_came_of"])
    return account


def reopen_account(*, account: Account, by: Account | None) -> Account:
    """Ended access is not restored: the holder needs a new link, or a new password."""
    refuse_more_than_own(account, by)
    with transaction.atomic():
        if Account.objects.filter(pk=account.pk, is_active=False).update(is_active=True):
            record(action="account_reopened", by=by, account=account.username)
    account.refresh_from_db(fields=["is_active"])
    return account


def refuse_closed(account: Account) -> None:
    if not account.is_active:
        raise AccountError(_("This account is closed: nobody can sign in to it."))


def lock(account: Account) -> None:
    """Until the transaction ends, nobody else can change the account's ways in."""
    Account.objects.select_for_update(no_key=True).filter(pk=account.pk).values_list("pk").first()


def end_links(links: QuerySet[Invitation]) -> int:
    """With the sessions, tokens and passwords made with these links."""
    keys = list(links.select_for_update(no_key=True, of=("self",)).filter(revoked_at=None).values_list("pk", flat=True))
    ended = Invitation.objects.filter(pk__in=keys).update(revoked_at=timezone.now())
    end_sessions(Session.objects.filter(invitation__in=keys))
    end_tokens(ApiToken.objects.filter(invitation__in=keys))
    _take_password(Account.objects.filter(password_came_of__in=keys))
    Identity.objects.filter(came_of__in=keys).delete()
    return ended


def end_sessions(sessions: QuerySet[Session]) -> int:
    return sessions.filter(ended_at=None).update(ended_at=timezone.now())


def end_tokens(tokens: QuerySet[ApiToken]) -> int:
    """With the tokens made with them, because a leaked token may have made others."""
    now, ended = timezone.now(), 0
    while keys := list(tokens.filter(revoked_at=None).values_list("pk", flat=True)):
        ended += ApiToken.objects.filter(pk__in=keys, revoked_at=None).update(revoked_at=now)
        tokens = ApiToken.objects.filter(made_with__in=keys)
    return ended


def end_all_if_nowhere(account: Account) -> None:
    """Ends all access of an account that is in no campaign and may create none."""
    if not may_make_campaigns(account) and not Membership.objects.filter(account=account).exists():
        _end_all(account)


def _end_all(account: Account) -> Ended:
    return Ended(
        sessions=end_sessions(Session.objects.filter(account=account)),
        tokens=end_tokens(ApiToken.objects.filter(account=account)),
    )


def _take_password(accounts: QuerySet[Account]) -> None:
    accounts.update(password=make_password(None), password_came_of=None)


def _is_where_they_are_not(account: Account, by: Account) -> bool:
    """Whether it is or was in a campaign of another organiser, so that its own entries there are private."""
    organised = Membership.objects.filter(account=by, role=Role.ORGANISER).values("campaign")
    return Membership.ever.filter(account=account).exclude(campaign__in=organised).exists()
