"""Programs' keys. The key itself is returned once and cannot be read again."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.models import Account, ApiToken, Scope
from campaigns.secret_keys import hash_secret, new_token


class TokenError(Exception):
    """A token that cannot be made as asked. `errors` holds messages by field."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__(" ".join(message for messages in self.errors.values() for message in messages))


def make_api_token(
    *,
    account: Account,
    name: str,
    by: Account | None,
    scopes: Collection[str] = tuple(Scope.values),
    expires_at: datetime | None = None,
    within: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """A key to what the account may, narrowed to `scopes`, until `expires_at`.

    `within` is the token that asked for it: what it makes may do no more, and not for longer.
    """
    _check(scopes, expires_at, within)
    secret = new_token()
    chosen = [scope for scope in Scope.values if scope in scopes]
    with transaction.atomic():
        token = ApiToken.objects.create(
            account=account,
            name=name,
            secret_hash=hash_secret(secret),
            scopes=" ".join(chosen),
            expires_at=expires_at,
        )
        record(action="api_token_made", by=by, account=account.username, token=name, scopes=chosen)
    return token, secret


def revoke_api_token(*, token: ApiToken, by: Account | None) -> ApiToken:
    """From now on the key opens nothing; revoking twice keeps the first time."""
    with transaction.atomic():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(action="api_token_revoked", by=by, account=token.account.username, token=token.name)
    token.refresh_from_db(fields=["revoked_at"])
    return token


def _check(scopes: Collection[str], expires_at: datetime | None, within: ApiToken | None) -> None:
    errors: dict[str, list[str]] = {}
    unknown = [scope for scope in scopes if scope not in Scope.values]
    if unknown or not scopes:
        errors["scopes"] = [_("Choose at least one of %(known)s.") % {"known": ", ".join(Scope.values)}]
    if expires_at is not None and expires_at <= timezone.now():
        errors["expires_at"] = [_("Choose a time to come.")]
    if within is not None:
        if not set(scopes) <= set(within.scope_names):
            errors["scopes"] = [_("A token makes no token that may do more: %(own)s.") % {"own": within.scopes}]
        if within.expires_at is not None and (expires_at is None or expires_at > within.expires_at):
            errors["expires_at"] = [_("A token makes no token that lasts longer than itself.")]
    if errors:
        raise TokenError(errors)
