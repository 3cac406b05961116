"""Answers with a picture, sound or video: by ranges, so that a player can jump, and harmless whatever is in it."""

import re

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase

from campaigns.file_stores import media_store
from campaigns.media.storage import name_of
from campaigns.models import Medium

KEPT_SECONDS = 3_600  # by the browser of who may see it; its address changes with its content
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_HARMLESS = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": "inline",
    "Cache-Control": f"private, max-age={KEPT_SECONDS}",
}


def medium_response(request: HttpRequest, medium: Medium) -> HttpResponseBase:
    """One range as HTTP describes it (RFC 9110, section 14); several at once are answered with the whole file."""
    store, name, tag = media_store(), name_of(medium.file_hash), f'"{medium.file_hash}"'
    try:
        size = store.size(name)
    except FileNotFoundError as error:
        raise Http404 from error
    headers = _HARMLESS | {"ETag": tag, "Accept-Ranges": "bytes", "Content-Type": medium.content_type}
    if tag in request.headers.get("If-None-Match", ""):
        return HttpResponseNotModified(headers={name: headers[name] for name in ("ETag", "Cache-Control")})
    start, end, status = 0, size, 200
    if wanted := _range_in(request, tag):
        start, end, status = *_bounds(*wanted, size), 206
        if start >= end:
            refused = _HARMLESS | {"Content-Range": f"bytes */{size}", "Cache-Control": "no-store"}
            return HttpResponse(status=416, headers=refused, content_type=medium.content_type)
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    headers["Content-Length"] = str(end - start)
    if request.method == "HEAD":
        return HttpResponse(status=status, headers=headers)
    return StreamingHttpResponse(store.pieces(name, start, end), status=status, headers=headers)


def captions_response(medium: Medium) -> HttpResponse:
    if not medium.captions:
        raise Http404
    return HttpResponse(medium.captions, headers=_HARMLESS | {"Content-Type": "text/vtt; charset=utf-8"})


def _range_in(request: HttpRequest, tag: str) -> tuple[str, str] | None:
    """First and last byte as they were asked for; None for the whole file, or for one that has changed since."""
    match = _RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    is_same = request.headers.get("If-Range", tag) == tag
    return (match[1], match[2]) if match and is_same and (match[1] or match[2]) else None


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(int(last) + 1, size) if last else size
