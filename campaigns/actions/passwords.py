"""Passwords their holders set: the first one with the link, later ones with the one before."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.accounts import AccountError
from campaigns.actions.audit import record
from campaigns.actions.endings import end_sessions, end_tokens, lock, refuse_closed
from campaigns.models import Account, Invitation, Session
from campaigns.queries import InvitationEnded, open_invitation


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
            raise AccountError([_("Your access has ended meanwhile. Sign in again.")])
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
            raise AccountError([_("This account has a password. Load the page again and change it.")])
        account.password_came_of = _own_link(account, link)
        _store_password(account, password, session)
        record(action="password_set", by=account, campaign=account.password_came_of.campaign)
    return account


class LinkError(AccountError):
    """What was given as one's own link is none."""


def _own_link(account: Account, link: str) -> Invitation:
    """Locked, so that it is not revoked in this moment."""
    secret = link.strip().rstrip("/").rpartition("/")[2]
    try:
        found = open_invitation(secret)
    except InvitationEnded:
        found = None
    standing = Invitation.objects.select_for_update(no_key=True).filter(account=account, revoked_at=None)
    if found is None or not standing.filter(pk=found.pk).exists():
        raise LinkError([_("This is not the link of your account, or it has ended. Ask your organiser for a new one.")])
    return found


def _store_password(account: Account, password: str, session: str | None) -> None:
    account.set_password(password)
    account.save(update_fields=["password", "password_came_of"])
    end_sessions(Session.objects.filter(account=account).exclude(session_key=session or ""))
    end_tokens(account.api_tokens.filter(by_password=True))


def _refuse_weak(account: Account, password: str) -> None:
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise AccountError(error.messages) from error
