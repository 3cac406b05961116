"""Accounts and their passwords: made, named, and changed by their holders."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.endings import end_sessions, end_tokens, lock, refuse_closed
from campaigns.invalid_input import AccountError
from campaigns.models import Account, Campaign, Invitation, Session
from campaigns.queries import InvitationEnded, open_invitation

NAME_LIMIT = 150


def create_account(
    *,
    username: str,
    name: str = "",
    password: str | None = None,
    may_create_campaigns: bool = False,
    by: Account | None = None,
) -> Account:
    """Without a password the account can only be entered by an invitation."""
    account = Account(username=username, name=name, may_create_campaigns=may_create_campaigns)
    try:
        account.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise AccountError(*error.messages) from error
    if password is not None:
        _refuse_weak(account, password)
    account.set_password(password)  # None makes it unusable
    try:
        with transaction.atomic():
            account.save(force_insert=True)
            record(action="account_created", by=by, account=account.username)
    except IntegrityError as error:
        raise AccountError(_("The name “%(name)s” is taken. Choose another.") % {"name": username}) from error
    return account


def rename_account(*, account: Account, name: str, campaign: Campaign, by: Account | None) -> Account:
    """Of an account that was made for the campaign: others are named by their owners."""
    name = name.strip().replace("\x00", "")
    if account.made_for_id != campaign.pk:
        raise AccountError(_("Only accounts that were made for this campaign can be renamed."))
    if not name or len(name) > NAME_LIMIT:
        raise AccountError(_("Enter a name of at most %(limit)d characters.") % {"limit": NAME_LIMIT})
    with transaction.atomic():
        Account.objects.filter(pk=account.pk).update(name=name)
        record(action="account_renamed", by=by, campaign=campaign, account=account.username)
    account.name = name
    return account


def update_settings(*, account: Account, name: str, email: str, theme: str, single_keys: bool) -> Account:
    account.name, account.email, account.theme, account.single_keys = name, email, theme, single_keys
    account.save(update_fields=["name", "email", "theme", "single_keys"])
    return account


def change_password(*, account: Account, password: str, session: str | None = None) -> Account:
    """For the holder of the account, who has shown the old password. Only `session` stays signed in."""
    _refuse_weak(account, password)
    shown = account.password  # the hash that the old password was checked against
    with transaction.atomic():
        lock(account)
        account.refresh_from_db(fields=["password", "password_came_of", "is_active"])
        refuse_closed(account)
        is_out = session is not None and not Session.objects.filter(session_key=session, ended_at=None).exists()
        if is_out or account.password != shown:
            raise AccountError(_("Your access has ended. Sign in again."))
        _store_password(account, password, session)
        record(action="password_changed", by=account)
    return account


def set_first_password(*, account: Account, password: str, link: str, session: str | None = None) -> Account:
    """Who sits at somebody else's device has no link; and the password ends when its link is revoked."""
    _refuse_weak(account, password)
    with transaction.atomic():
        lock(account)
        account.refresh_from_db(fields=["password"])
        if account.has_usable_password():
            raise AccountError(_("This account already has a password. Reload the page to change it."))
        account.password_came_of = own_link(account, link)
        _store_password(account, password, session)
        record(action="password_set", by=account, campaign=account.password_came_of.campaign)
    return account


class LinkError(AccountError):
    """This is not a link of the account."""


def own_link(account: Account, link: str) -> Invitation:
    """Locked, so that it is not revoked in this moment."""
    secret = link.strip().rstrip("/").rpartition("/")[2]
    try:
        invitation = open_invitation(secret)
    except InvitationEnded:
        invitation = None
    own = Invitation.objects.select_for_update(no_key=True).filter(account=account, revoked_at=None)
    if invitation is None or not own.filter(pk=invitation.pk).exists():
        raise LinkError(_("This is not the link of your account, or it has ended. Ask your organiser for a new one."))
    return invitation


def _store_password(account: Account, password: str, session: str | None) -> None:
    account.set_password(password)
    account.save(update_fields=["password", "password_came_of"])
    end_sessions(Session.objects.filter(account=account).exclude(session_key=session or ""))
    end_tokens(account.api_tokens.filter(by_password=True))


def _refuse_weak(account: Account, password: str) -> None:
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise AccountError(*error.messages) from error
