"""Who may send how much, decided before a byte of it is read: one limit for every address.

The web server asks as soon as it has a request's head (`config/buffering_worker.py`); under any other server the
middleware itself is the first to ask. Whatever reads a body (CSRF, parsers) comes after.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

BODY_FROM_ANYBODY = 64 * 1024  # forms of sign-in and invitation are far smaller; their files stay in memory
AROUND_FILES = 1_000_000  # names, boundaries and other fields of the form
BODY_WAITS = "assay.body_waits"  # in the environment of a request whose body is not sent yet
GO_ON = 204
SENDER = "Assay-Sender"  # of that answer: whose account it is


class LargeBodies:
    """Stands behind the middleware that knows the session's account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = _size_of(request)
        sender = _sender_or_refusal(request, size) if size > BODY_FROM_ANYBODY else None
        if isinstance(sender, HttpResponse):
            return sender
        if BODY_WAITS in request.META:
            return HttpResponse(status=GO_ON, headers={SENDER: str(sender)})
        if size and sender is None and not request.user.is_authenticated:
            request.upload_handlers = [MemoryFileUploadHandler(request)]
        return self._get_response(request)


def _size_of(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _sender_or_refusal(request: HttpRequest, size: int) -> int | HttpResponse:
    """The account's key."""
    from frontend.errors import too_large  # noqa: PLC0415 - the web server reads this file before Django is ready

    if size > settings.UPLOAD_MEGABYTES * 1_000_000 + AROUND_FILES:
        return too_large(request, _("At most %(limit)d MB can be sent at once.") % {"limit": settings.UPLOAD_MEGABYTES})
    if request.user.is_authenticated:
        return request.user.pk
    if request.headers.get("Authorization"):
        return _holder_or_refusal(request)
    return too_large(
        request, _("Sign in first: from others at most %(limit)d kB are read.") % {"limit": BODY_FROM_ANYBODY // 1024}
    )


def _holder_or_refusal(request: HttpRequest) -> int | HttpResponse:
    from rest_framework.exceptions import APIException, AuthenticationFailed  # noqa: PLC0415
    from rest_framework.request import Request  # noqa: PLC0415

    from frontend.api.authentication import SCHEME, Refusal, TokenAuthentication  # noqa: PLC0415

    try:
        if (known := TokenAuthentication().authenticate(Request(request))) is not None:
            return known[0].pk
        refusal: APIException = AuthenticationFailed(
            _("This token is unknown or was revoked."), code=Refusal.TOKEN_ENDED
        )
    except APIException as error:
        refusal = error
    body = {"detail": str(refusal.detail), "code": refusal.get_codes()}
    return JsonResponse(body, status=refusal.status_code, headers={"WWW-Authenticate": SCHEME})
