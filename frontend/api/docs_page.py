"""All addresses on one page of our own: nothing is fetched from elsewhere, and no script is needed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.api.described import described


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"api": described(), "site": request.build_absolute_uri("/api/v1/")})
