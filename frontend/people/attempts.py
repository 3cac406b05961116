"""How often somebody may guess: one name from one address, many names from one address, a password in settings."""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt

from campaigns.models import Account

_HOUSEHOLD = 64  # bits of an IPv6 address; one client has all addresses with the same beginning


def client_address(request: HttpRequest) -> str | None:
    """Whose attempts are counted together. Only what our own proxies added to `X-Forwarded-For` is believed."""
    direct = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.headers.get("X-Forwarded-For", "").split(",") if settings.BEHIND_PROXY else []
    client = forwarded[-settings.PROXIES].strip() if len(forwarded) >= settings.PROXIES else ""
    return _household(client) or _household(direct)


def _household(text: str) -> str | None:
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    if host.count(":") == 1:  # some proxies name the port
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _HOUSEHOLD), strict=False).network_address)


def tries_many_names(request: HttpRequest) -> bool:
    """One query, when somebody signs in. A name that got in is forgotten, with its failures."""
    recent = AccessAttempt.objects.filter(ip_address=client_address(request), attempt_time__gt=timezone.now() - _wait())
    failures = recent.aggregate(failures=Sum("failures_since_start"))["failures"] or 0
    return failures >= settings.SIGN_IN_ATTEMPTS_PER_ADDRESS


def may_guess(request: HttpRequest, account: Account) -> bool:
    """Whether a signed-in person may try their password; counted with the sign-ins of that name."""
    return bool(AxesProxyHandler.is_allowed(request, {"username": account.username}))


def note_wrong_password(request: HttpRequest, account: Account) -> None:
    user_login_failed.send(sender=__name__, credentials={"username": account.username}, request=request)


def forget_guesses(request: HttpRequest, account: Account) -> None:
    AxesProxyHandler.reset_attempts(username=account.username, ip_address=client_address(request))


def locked_page(request: HttpRequest, *, many_names: bool = False, codes_until: datetime | None = None) -> HttpResponse:
    """`codes_until`: it was one-time codes that were wrong, and when they are tried again."""
    wait = codes_until - timezone.now() if codes_until else _wait()
    context = {"cooloff_timedelta": wait, "many_names": many_names, "codes": codes_until is not None}
    return render(request, settings.AXES_LOCKOUT_TEMPLATE, context, status=429)


def _wait() -> timedelta:
    return timedelta(hours=settings.AXES_COOLOFF_TIME)
