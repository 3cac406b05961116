"""All addresses, as OpenAPI and on one page of our own: nothing is fetched from elsewhere, and no script is needed."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from campaigns.site_address import site_address
from frontend.api.described import described, whole_schema

FORMATS = {"yaml": OpenApiYamlRenderer, "json": OpenApiJsonRenderer}


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"api": described(), "site": site_address("/api/v1/")})


@require_safe
def schema_file(request: HttpRequest) -> HttpResponse:
    """YAML, or JSON by `?format=json` and for whoever accepts nothing else."""
    accepted = request.headers.get("Accept", "")
    wants_json = "json" in accepted and "yaml" not in accepted and "*/*" not in accepted
    name = request.GET.get("format", "json" if wants_json else "yaml")
    form = name if name in FORMATS else "yaml"
    return HttpResponse(_written(form), content_type=FORMATS[form].media_type)


@cache
def _written(form: str) -> str | bytes:
    """Once in each process: it takes most of a second, and anybody may ask."""
    return FORMATS[form]().render(whole_schema())
