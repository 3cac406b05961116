"""What an annotator's device may keep of a judging page to go on without a network, and the script that keeps it."""

import time
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.models import Account, Campaign

KEEP_HEADER = "Assay-Keep"  # no page without it is kept, whatever a browser does; frontend/src/offline/kept_pages.ts
WHO_ASKS = "Assay-Account"  # of a refusal: a page that was kept for another account is not for whoever asks


def permit_to_keep(account: Account, campaign: Campaign) -> str:
    """What the header says: for whom, and until when; empty where nothing is kept.

    Another account's sign-in, the end of the session or of access end it before.
    """
    until = int(time.time()) + settings.OFFLINE_DAYS * 24 * 60 * 60
    return f"{account.pk}:{campaign.pk} {until}" if settings.OFFLINE_DAYS else ""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    """Below /assignments/, because a service worker answers for what stands below its own address, and for no more."""
    script = finders.find("build/service-worker.js")
    if script is None:
        raise Http404
    return HttpResponse(Path(script).read_bytes(), content_type="text/javascript; charset=utf-8")
