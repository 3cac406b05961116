"""Who asks: a program by its token, a page by its session."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from campaigns.models import Account, ApiToken
from campaigns.secret_keys import hash_secret

SCHEME = "Token"
USE_IS_NOTED_EVERY = timedelta(minutes=10)


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Token …`. Only the hash is looked up; a token that ended opens nothing."""

    def authenticate(self, request: Request) -> tuple[Account, ApiToken] | None:
        scheme, _space, secret = authentication.get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME.lower().encode():
            return None
        token = _token_of(secret.strip())
        _note_use(token)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF fixes the signature
        """Named in the answer to whoever is not known, which makes that answer 401."""
        return SCHEME


class SessionAuthentication(authentication.SessionAuthentication):
    """The page's session, with its CSRF token."""

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF fixes the signature
        return SCHEME


def _token_of(secret: bytes) -> ApiToken:
    token = (
        ApiToken.objects.select_related("account")
        .filter(secret_hash=hash_secret(secret.decode("latin-1")), revoked_at=None, account__is_active=True)
        .first()
    )
    if token is None:
        raise AuthenticationFailed(_("This token is unknown or was revoked."))
    if token.expires_at is not None and token.expires_at <= timezone.now():
        raise AuthenticationFailed(_("This token has expired. Make a new one."))
    return token


def _note_use(token: ApiToken) -> None:
    """Now and then: a write with every request would cost more than the figure is worth."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(Q(last_used_at=None) | Q(last_used_at__lt=now), pk=token.pk).update(last_used_at=now)
