"""Assay as an app on a device: what browsers must know to install it, and where it begins."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language_info, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.access import SignedInRequest
from frontend.campaign_pages import READ, signed_in

ICONS = (("app-192.png", 192, "any"), ("app-512.png", 512, "any"), ("app-maskable-512.png", 512, "maskable"))
PAPER = "#fbfbf9"  # of assay.css


@require_safe
def app_manifest(request: HttpRequest, language: str) -> HttpResponse:  # noqa: ARG001 - the same for everybody
    """W3C's Web Application Manifest. Browsers fetch it without a session: its address names the language."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        manifest = {
            "id": "/",
            "name": _("Assay, evaluation of translations"),
            "short_name": "Assay",
            "description": _("Judge translations, also without a network."),
            "lang": language,
            "dir": "rtl" if get_language_info(language)["bidi"] else "ltr",
            "start_url": reverse("app-start"),
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": [
                {"src": static(f"img/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for name, size, purpose in ICONS
            ],
            "shortcuts": [
                {"name": _("My tasks"), "url": reverse("home")},
                {"name": _("Timesheet"), "url": reverse("annotator-timesheet")},
            ],
        }
    return JsonResponse(manifest, content_type="application/manifest+json")


@signed_in(READ)
def app_start(request: SignedInRequest) -> HttpResponse:  # noqa: ARG001 - leads everybody to their own page
    """Below /assignments/, where the service worker answers: without a network it opens the task stored there."""
    return redirect("home")
