"""Authentication: programs by token, pages by session."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from campaigns.models import Account, ApiToken, Scope
from campaigns.prepared_rows import PreparedRows, instance_of, names_of
from campaigns.secret_keys import hash_secret
from frontend.sessions import note_use, who_was_in

SCHEME = "Token"


class Refusal:
    """Codes that programs and the judging page react to; `detail` is for people."""

    SIGNED_OUT = "signed_out"
    TOKEN_ENDED = "token_ended"  # noqa: S105 - a word, no secret
    ACCESS_ENDED = "access_ended"
    CONSENT_NEEDED = "consent_needed"
    PRACTICE_NEEDED = "practice_needed"
    QUESTIONNAIRE_NEEDED = "questionnaire_needed"
    SCOPE_MISSING = "scope_missing"
    CSRF_FAILED = "csrf_failed"


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Token …`. Only the hash is looked up; an ended token is refused."""

    def authenticate(self, request: Request) -> tuple[Account, ApiToken] | None:
        scheme, _space, secret = authentication.get_authorization_header(request).partition(b" ")
        if scheme.lower() != SCHEME.lower().encode():
            return None
        token = _token_of(secret.strip())
        note_use(token)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF fixes the signature
        """Named in the answer to an unknown caller, which makes that answer 401."""
        return SCHEME


class SessionAuthentication(authentication.SessionAuthentication):
    """The page's session, with its CSRF token. A closed account is reported as such, not as signed out."""

    def authenticate(self, request: Request) -> tuple[Account, None] | None:
        known = super().authenticate(request)
        if known is None:
            account = who_was_in(request._request)  # noqa: SLF001 - as Django REST framework reads the user itself
            if account is not None and not account.is_active:
                raise account_closed()
        return known

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise PermissionDenied(str(error.detail), code=Refusal.CSRF_FAILED) from error

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF fixes the signature
        return SCHEME


def account_closed() -> PermissionDenied:
    return PermissionDenied(_("This account was closed. Ask your organiser."), code=Refusal.ACCESS_ENDED)


_ACCOUNT, _TOKEN = names_of(Account), names_of(ApiToken)


def _rows_of_token(secret_hash: str) -> "QuerySet[ApiToken, tuple[Any, ...]]":
    """A token ends with the link it was made with, which is looked up along with it."""
    known = ApiToken.objects.filter(secret_hash=secret_hash)
    return known.values_list(*_TOKEN, *(f"account__{name}" for name in _ACCOUNT), "invitation__revoked_at")


_ROWS_OF_TOKEN = PreparedRows(_rows_of_token, secret_hash=str)


def _token_of(secret: bytes) -> ApiToken:
    """One query."""
    rows = _ROWS_OF_TOKEN(secret_hash=hash_secret(secret.decode("latin-1")))
    if not rows:
        raise AuthenticationFailed(_("This token is unknown or was revoked."), code=Refusal.TOKEN_ENDED)
    *values, link_ended_at = rows[0]
    token = instance_of(ApiToken, _TOKEN, values[: len(_TOKEN)])
    token.account = instance_of(Account, _ACCOUNT, values[len(_TOKEN) :])
    if not token.account.is_active:
        raise account_closed()
    if token.revoked_at is not None or link_ended_at is not None:
        raise AuthenticationFailed(_("This token is unknown or was revoked."), code=Refusal.TOKEN_ENDED)
    if token.expires_at is not None and token.expires_at <= timezone.now():
        raise AuthenticationFailed(_("This token has expired. Make a new one."), code=Refusal.TOKEN_ENDED)
    return token


class HasScope(BasePermission):
    """The view's `scopes` by method; by default, reading for methods that change nothing, writing for the rest."""

    def has_permission(self, request: Request, view: Any) -> bool:
        token = request.auth
        scope = scope_of(view, request.method or "")
        if isinstance(token, ApiToken) and scope not in token.scope_names:
            refusal = _("This token lacks the scope “%(scope)s”.") % {"scope": scope}
            raise PermissionDenied(refusal, code=Refusal.SCOPE_MISSING)
        return True


def scope_of(view: Any, method: str) -> str:
    usual = Scope.READ if method in SAFE_METHODS else Scope.WRITE
    return str(getattr(view, "scopes", {}).get(method, usual))
