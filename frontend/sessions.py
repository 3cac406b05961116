"""Sessions that know whose they are and what they came of, so that they can be listed, and ended with that.

Looking a session up, which every page does, is the check: sessions that ended, or whose link was revoked, are refused.
"""

import time
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, logout
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme

from campaigns.actions.second_factors import asks_code
from campaigns.actions.tokens import Origin
from campaigns.models import Account, ApiToken, Invitation, Session
from campaigns.prepared_rows import PreparedRows, instance_of, names_of

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
USE_IS_NOTED_EVERY = timedelta(minutes=10)
HALF_IN_SECONDS = 600
_INVITATION, _BY_PASSWORD, _BY_PROVIDER = "came_of_invitation", "came_by_password", "came_by_provider"
_HALF = "half_signed_in"
SECOND_FACTOR, PASSED, NO_FACTOR = "second_factor", "passed", "none"  # what the session came in with
_SESSION = names_of(Session)


def _rows_of_session(session_key: str) -> "QuerySet[Session, tuple[Any, ...]]":
    return Session.objects.filter(session_key=session_key).values_list(*_SESSION, "invitation__revoked_at")


_ROWS_OF_SESSION = PreparedRows(_rows_of_session, session_key=str)


class SessionStore(db.SessionStore):
    """Django's own, over a table of ours; the setting `SESSION_ENGINE` names this module.

    `ended` is the session of the request's cookie if it has ended: its holder reads why. It keeps its key, so that
    Django does not delete the cookie and the next request gets the same answer.
    """

    ended: Session | None = None

    @classmethod
    def get_model_class(cls) -> Any:  # its stubs know their own model alone
        return Session

    def load(self) -> dict[str, Any]:
        rows = _ROWS_OF_SESSION(session_key=str(self.session_key))
        *values, link_ended_at = rows[0] if rows else (None,)
        row = instance_of(Session, _SESSION, values) if rows else None
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return {}
        if row.ended_at or link_ended_at:
            self.ended = row
            return {}
        note_use(row)
        data: dict[str, Any] = self.decode(row.session_data)
        return data

    def create_model_instance(self, data: Any) -> Any:
        now = timezone.now()
        return Session(
            session_key=self._get_or_create_session_key(),  # type: ignore[attr-defined] # as Django's own store does
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
            account_id=int(data[SESSION_KEY]) if SESSION_KEY in data else None,
            invitation_id=data.get(_INVITATION),
            by_password=data.get(_BY_PASSWORD, False),
            created_at=now,
            last_used_at=now,
        )

    def save(self, must_create: bool = False) -> None:
        """A session that ended meanwhile is not revived by a request that had begun before."""
        if self.ended and not must_create:  # somebody begins anew
            self.ended, self._session_key = None, None
        if must_create or self.session_key is None:
            super().save(must_create)
            return
        row = self.create_model_instance(self._get_session())  # type: ignore[attr-defined] # as above
        fields = ("session_data", "expire_date", "account_id", "invitation_id", "by_password")
        active = Session.objects.filter(session_key=row.session_key, ended_at=None)
        if not active.update(**{name: getattr(row, name) for name in fields}):
            raise UpdateError


def note_use(row: Session | ApiToken) -> None:
    """Only now and then: a write with every request would cost more than the time is worth."""
    now = timezone.now()
    if row.last_used_at is None or row.last_used_at < now - USE_IS_NOTED_EVERY:
        earlier = Q(last_used_at=None) | Q(last_used_at__lt=now)
        type(row).objects.filter(earlier, pk=row.pk).update(last_used_at=now)


def sign_in_by_link(request: HttpRequest, invitation: Invitation, after: str) -> str:
    """Where to go on: `after`, or where a code is asked for first. So with the others below."""
    return _sign_in(request, invitation.account, HalfSignedIn(invitation=invitation.pk, after=after))


def sign_in_by_password(request: HttpRequest, account: Account, after: str) -> str:
    """A password that was set with a link ends with it, and so does this."""
    how = HalfSignedIn(invitation=account.password_came_of_id, by_password=True, after=after)
    return _sign_in(request, account, how)


def sign_in_by_provider(request: HttpRequest, account: Account, after: str) -> str:
    how = HalfSignedIn(after=after, by_provider=True)
    if settings.PROVIDER_IS_SECOND_FACTOR:
        _enter(request, account, how, PASSED)
        return after
    return _sign_in(request, account, how)


def came_by_provider(request: HttpRequest) -> bool:
    return bool(request.session.get(_BY_PROVIDER))


@dataclass(frozen=True)
class HalfSignedIn:
    """How somebody came who has not entered their one-time code; kept in the session of nobody until they have."""

    after: str
    invitation: int | None = None
    by_password: bool = False
    by_provider: bool = False
    account: int = 0
    shown: str = ""  # changes with the password
    at: float = 0.0  # in seconds since 1970


def _sign_in(request: HttpRequest, account: Account, how: HalfSignedIn) -> str:
    if asks_code(account):
        if request.user.is_authenticated:
            logout(request)
        half = replace(how, account=account.pk, shown=account.get_session_auth_hash(), at=time.time())
        request.session[_HALF] = asdict(half)
        return resolve_url("sign-in-code")
    _enter(request, account, how, NO_FACTOR if settings.SECOND_FACTOR != "off" else "")
    return how.after


def who_is_half_in(request: HttpRequest) -> tuple[Account, HalfSignedIn] | None:
    """Who showed a password or a link a moment ago, if it still lets them in."""
    stored = request.session.get(_HALF)
    if stored is None:
        return None
    half = HalfSignedIn(**stored)
    account = Account.objects.filter(pk=half.account, is_active=True).first()
    links = Invitation.objects.filter(pk=half.invitation) if half.invitation else Invitation.objects.none()
    if account is None or links.exclude(revoked_at=None).exists() or time.time() > half.at + HALF_IN_SECONDS:
        return None
    if not constant_time_compare(half.shown, account.get_session_auth_hash()):
        return None
    return account, half


def finish_sign_in(request: HttpRequest, account: Account, half: HalfSignedIn) -> str:
    """After the code was right."""
    request.session.pop(_HALF, None)
    _enter(request, account, half, PASSED)
    return half.after


def _enter(request: HttpRequest, account: Account, how: HalfSignedIn, factor: str) -> None:
    login(request, account, backend=MODEL_BACKEND)
    request.session[_INVITATION], request.session[_BY_PASSWORD] = how.invitation, how.by_password
    if how.by_provider:
        request.session[_BY_PROVIDER] = True
    if factor:
        request.session[SECOND_FACTOR] = factor


def place_after(request: HttpRequest) -> str:
    """Where somebody goes on who has signed in: a page of this site, never another host's."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return address
    return resolve_url("home")


def origin_of(request: HttpRequest) -> Origin:
    """How a signed-in person came in."""
    session = request.session
    return Origin(session.get(_INVITATION), session.get(_BY_PASSWORD, False), session.session_key)


def who_was_in(request: HttpRequest) -> Account | None:
    """The account of the request's session, also if the session has ended or the account was closed."""
    session: Any = request.session
    if SESSION_KEY in session:  # loads it; an account that was closed is nobody to Django
        return Account.objects.filter(pk=session[SESSION_KEY]).first()
    return session.ended.account if session.ended else None
