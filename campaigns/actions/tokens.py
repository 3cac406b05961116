"""Programs' keys. The key itself is returned once and cannot be read again."""

from django.db import transaction
from django.utils import timezone

from campaigns.actions.audit import record
from campaigns.models import Account, ApiToken
from campaigns.secret_keys import hash_secret, new_token


def make_api_token(*, account: Account, name: str, by: Account | None) -> tuple[ApiToken, str]:
    secret = new_token()
    with transaction.atomic():
        token = ApiToken.objects.create(account=account, name=name, secret_hash=hash_secret(secret))
        record(action="api_token_made", by=by, account=account.username, token=name)
    return token, secret


def revoke_api_token(*, token: ApiToken, by: Account | None) -> ApiToken:
    """From now on the key opens nothing; revoking twice keeps the first time."""
    with transaction.atomic():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(action="api_token_revoked", by=by, account=token.account.username, token=token.name)
    token.refresh_from_db(fields=["revoked_at"])
    return token
