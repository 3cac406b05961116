"""Pages go over the wire compressed; style sheets and scripts are compressed once, when they are collected."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressedPages(GZipMiddleware):
    """HTML only: exports stream as they are, and answers of the API are small.

    Django hides the length of what it compresses by random bytes, and masks its CSRF token anew in each answer, so that
    nobody learns a secret from lengths (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html")
        return super().process_response(request, response) if is_page else response
