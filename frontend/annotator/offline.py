"""What an annotator's device may keep of a judging page to go on without a network, and the script that keeps it."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.models import Account, Campaign


@dataclass(frozen=True)
class Permit:
    """No page without this header is kept, whatever a browser does."""

    HEADER: ClassVar = "Assay-Keep"
    key: str
    until: int

    def as_header(self) -> str:
        return f"{self.key} {self.until}"


def permit_to_keep(account: Account, campaign: Campaign) -> Permit | None:
    """For so many days from now; another account's sign-in, the end of the session or of access end it before."""
    if not settings.OFFLINE_DAYS:
        return None
    return Permit(key=f"{account.pk}:{campaign.pk}", until=int(time.time()) + settings.OFFLINE_DAYS * 24 * 60 * 60)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    """Below /assignments/, because a service worker answers for what stands below its own address, and for no more."""
    script = finders.find("build/service-worker.js")
    if script is None:
        raise Http404
    return HttpResponse(Path(script).read_bytes(), content_type="text/javascript; charset=utf-8")
