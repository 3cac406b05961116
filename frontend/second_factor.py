"""Before any page: who must enter a one-time code first, or set one up, as `ASSAY_SECOND_FACTOR` says."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.actions.second_factors import factor_of, organises
from campaigns.models import Account
from frontend.errors import PROGRAMS
from frontend.sessions import NO_FACTOR, PASSED, SECOND_FACTOR

NextLayer = Callable[[HttpRequest], HttpResponse]
SIGNED_OUT = "signed_out"  # pages keep what was not sent, as for somebody whose session has ended
CODE, SET_UP = "sign-in-code", "settings-second-factor"
# what is open to somebody who is led to one of the two
_OPEN = (CODE, SET_UP, "sign-out", "language", "service-worker", "health")


def asked_first(get_response: NextLayer) -> NextLayer:
    """Costs nothing while the setting is off, nor in a session that came in with a code."""

    def answer(request: HttpRequest) -> HttpResponse:
        page = _page_before(request) if settings.SECOND_FACTOR != "off" else None
        if page is None:
            return get_response(request)
        if request.path_info.startswith(PROGRAMS):
            detail = _("Enter your one-time code first: reload the page.")
            return JsonResponse({"detail": detail, "code": SIGNED_OUT}, status=401)
        return redirect(page)

    return answer


def _page_before(request: HttpRequest) -> str | None:
    """The name of the page that comes first."""
    account = request.user
    if not isinstance(account, Account) or request.session.get(SECOND_FACTOR) == PASSED:
        return None
    if request.path_info in {reverse(name) for name in _OPEN}:
        return None
    if request.session.get(SECOND_FACTOR) != NO_FACTOR:  # signed in while the setting was off
        if factor_of(account) is not None:
            return CODE
        request.session[SECOND_FACTOR] = NO_FACTOR
    return SET_UP if settings.SECOND_FACTOR == "required" and organises(account) else None
