"""Error pages: what happened, what follows, what to do. Programs get the same as JSON."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from campaigns.disk_space import is_disk_full
from campaigns.file_stores import StoreAway

PROGRAMS = "/api/"
DATABASE_AWAY = (OperationalError, InterfaceError)  # as Django names it when a server is gone, or locked for too long

_CODES = {
    400: "bad_request",
    403: "permission_denied",
    404: "not_found",
    413: "too_large",
    500: "error",
    503: "busy",
    507: "disk_full",
}


def _page(
    request: HttpRequest, status: int, title: str, text: str, *, template: str = "errors/error.html", detail: str = ""
) -> HttpResponse:
    if f"{request.path_info}/".startswith(PROGRAMS):
        return JsonResponse({"detail": detail or f"{title}.", "code": _CODES[status]}, status=status)
    return render(request, template, {"title": title, "text": text}, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    text = _("Nothing was changed. Go back and try again.")
    return _page(request, 400, _("This request could not be read"), text)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    text = _("If it should be, ask the organiser of the campaign.")
    return _page(request, 403, _("This page is not open to your account"), text)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    text = _("It may have moved, or it belongs to a campaign you are not part of.")
    return _page(request, 404, _("There is nothing at this address"), text)


def too_large(request: HttpRequest, text: str) -> HttpResponse:
    return _page(request, 413, _("This is too large"), text, detail=text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls it while it handles what was raised, by whichever layer: a view, a session, a form's token."""
    error = sys.exception()
    if is_disk_full(error):
        status, title = 507, _("The server's disk is full")
        text = _("What was saved before is safe; this was not saved. Tell whoever runs this site.")
    elif isinstance(error, StoreAway):
        status, title = 503, _("The store of files does not answer")
        text = _("What was saved is safe. Wait a moment and load the page again.")
    elif isinstance(error, DATABASE_AWAY):
        status, title = 503, _("The database does not answer")
        text = _("What was saved is safe. Wait a moment and load the page again.")
    else:
        status, title = 500, _("This page could not be loaded")
        text = _("Your judgments are saved. Wait a moment and try again.")
    return _page(request, status, title, text, template="errors/server_error.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = _("Nothing was changed. Go back, load the page again and send it once more.")
    return _page(request, 403, _("This form has expired"), text)
