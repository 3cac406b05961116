"""The body of a request: JSON that can be stored, of limited size."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from exchange.json_values import json_error

BODY_LIMIT = 2 * 1024 * 1024
DEPTH_LIMIT = 32


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class LengthRequired(APIException):
    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_code = "length_required"


def require_length(request: Request) -> None:
    """Without a length the framework reads nothing: the body would be lost, and the answer would report success."""
    if request.headers.get("Transfer-Encoding"):
        raise LengthRequired(_("Send the length of the request's body (Content-Length)."))


class StorableJSONParser(JSONParser):
    """Always UTF-8, and only what both databases can store: no NUL, no lone surrogates, no infinite numbers."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        request = (parser_context or {}).get("request")
        if request is not None and int(request.META.get("CONTENT_LENGTH") or 0) > BODY_LIMIT:
            raise BodyTooLarge(_("A request can have at most %(limit)d bytes.") % {"limit": BODY_LIMIT})
        try:
            payload = super().parse(stream, media_type, {"encoding": "utf-8"})
        except RecursionError as error:
            raise ParseError(_("This JSON is nested too deeply.")) from error
        if problem := json_error(payload, DEPTH_LIMIT):
            raise ParseError(problem)
        return payload
