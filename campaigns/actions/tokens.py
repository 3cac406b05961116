"""Programs: their keys, which are returned once, and requests that are done once however often they are sent."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.endings import end_tokens, lock
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, AnsweredRequest, ApiToken, Campaign, Invitation, Membership, Role, Scope, Session
from campaigns.secret_keys import hash_secret, new_token

HANDED_OUT = "invitation"  # what such tokens are called


@dataclass(frozen=True)
class Origin:
    """How somebody came in: a link, a password, and the session. Tokens they make end with these."""

    invitation: int | None = None
    by_password: bool = False
    session: str | None = None


def make_api_token(
    *,
    account: Account,
    name: str,
    by: Account | None,
    scopes: Collection[str] = tuple(Scope.values),
    expires_at: datetime | None = None,
    within: ApiToken | None = None,
    origin: Origin | None = None,
) -> tuple[ApiToken, str]:
    """A key to what the account may, narrowed to `scopes`, until `expires_at`.

    `within` is the token that asked for it: what it makes may do no more, not for longer, and ends with it. Or `origin`
    is the session.
    """
    _check(scopes, expires_at, within)
    came_of = within or origin
    secret = new_token()
    chosen = [scope for scope in Scope.values if scope in scopes]
    with transaction.atomic():
        lock(account)
        _check_access(within, origin)
        token = ApiToken.objects.create(
            account=account,
            name=name,
            secret_hash=hash_secret(secret),
            scopes=" ".join(chosen),
            expires_at=expires_at,
            invitation_id=within.invitation_id if within else origin.invitation if origin else None,
            by_password=bool(came_of and came_of.by_password),
            made_with=within,
            handed_out_for_id=within.handed_out_for_id if within else None,
        )
        record(action="api_token_made", by=by, account=account.username, token=name, scopes=chosen)
    return token, secret


def hand_out_tokens(
    *, campaign: Campaign, accounts: Sequence[Account], links: Mapping[int, Invitation], by: Account | None
) -> dict[int, str]:
    """A token that judges for each program, by account; the organiser consents in its place. `links` by account."""
    secrets = {account.pk: new_token() for account in accounts}
    with transaction.atomic():
        ApiToken.objects.bulk_create(
            ApiToken(
                account=account,
                name=HANDED_OUT,
                secret_hash=hash_secret(secrets[account.pk]),
                scopes=str(Scope.JUDGE),
                invitation=links.get(account.pk),
                handed_out_for=campaign,
            )
            for account in accounts
        )
        places = Membership.objects.filter(campaign=campaign, account__in=accounts, role=Role.ANNOTATOR)
        places.update(is_program=True)
        places.filter(consented_at=None).update(consented_at=timezone.now(), consented_by=by)
        record(action="tokens_handed_out", by=by, campaign=campaign, count=len(secrets))
    return secrets


def revoke_api_token(*, token: ApiToken, by: Account | None) -> ApiToken:
    """Ends the key and those made with it; a second call does not change the time."""
    with transaction.atomic():
        lock(token.account)  # none is made with it in this moment
        if ended := end_tokens(ApiToken.objects.filter(pk=token.pk)):
            record(action="api_token_revoked", by=by, account=token.account.username, token=token.name, tokens=ended)
    token.refresh_from_db(fields=["revoked_at"])
    return token


def _check_access(within: ApiToken | None, origin: Origin | None) -> None:
    """The requester's access may have ended since the request began."""
    is_ended = within is not None and not ApiToken.objects.filter(pk=within.pk, revoked_at=None).exists()
    if origin is not None and origin.session is not None:
        is_ended = not Session.objects.filter(session_key=origin.session, ended_at=None).exists()
    if is_ended:
        raise InvalidInput.of("name", _("Your access has ended. Sign in again."))


def _check(scopes: Collection[str], expires_at: datetime | None, within: ApiToken | None) -> None:
    errors: dict[str, list[str]] = {}
    unknown = [scope for scope in scopes if scope not in Scope.values]
    if unknown or not scopes:
        errors["scopes"] = [_("Choose at least one of: %(known)s.") % {"known": ", ".join(Scope.values)}]
    if expires_at is not None and expires_at <= timezone.now():
        errors["expires_at"] = [_("Choose a time in the future.")]
    if within is not None:
        if not set(scopes) <= set(within.scope_names):
            errors["scopes"] = [
                _("A token cannot create a token with wider scopes than its own: %(own)s.") % {"own": within.scopes}
            ]
        if within.expires_at is not None and (expires_at is None or expires_at > within.expires_at):
            errors["expires_at"] = [_("A token cannot create a token that lasts longer than itself.")]
    if errors:
        raise InvalidInput(errors)


ANSWERED_FOR = timedelta(days=2)
Answer = tuple[int, Any]


class KeyTaken(Exception):
    """The key belongs to another request."""


def perform_once(*, account: Account, key: str, request: str, perform: Callable[[], Answer]) -> tuple[Answer, bool]:
    """The answer as `perform` gave it, now or before, and whether it was before.

    Who comes while the first is under way waits for it at the unique name. What raises leaves no trace, so that it can
    be sent again.
    """
    own = {"account": account, "key_hash": hash_secret(key)}
    fingerprint = hash_secret(request)
    AnsweredRequest.objects.filter(created_at__lt=timezone.now() - ANSWERED_FOR).delete()
    with transaction.atomic():
        stored, is_new = AnsweredRequest.objects.get_or_create(**own, defaults={"request_hash": fingerprint})
        if not is_new:
            if stored.request_hash != fingerprint:
                raise KeyTaken
            return (stored.status, stored.answer), True
        stored.status, stored.answer = perform()
        stored.save(update_fields=["status", "answer"])
    return (stored.status, stored.answer), False
