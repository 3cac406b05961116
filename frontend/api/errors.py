"""Errors in the API's words: one shape for everything that the caller can correct."""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotAuthenticated, NotFound, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.actions.submitting import RevisionConflict
from annotation.actions.submitting_screens import InvalidScreen, ScreenConflict
from annotation.queries.items_page import UnknownItem
from campaigns.disk_space import is_disk_full
from campaigns.file_stores import StoreAway
from campaigns.invalid_input import AccountError, InvalidInput
from frontend.api.authentication import Refusal
from frontend.api.json_body import BodyTooLarge
from frontend.errors import DATABASE_AWAY
from jobs.run_kinds import InvalidRun
from metrics.recipes import AnalysisError

logger = logging.getLogger(__name__)


class InvalidPayload(APIException):
    """`errors` holds messages by field."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        self.errors = dict(errors)
        super().__init__()


def answer_to(error: Exception, context: dict[str, Any]) -> Response | None:
    errors = _errors_of(error)
    if errors is not None:
        return Response({"errors": errors}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    if isinstance(error, Http404):
        return _with_code(NotFound(_("This does not exist, or you have no access to it.")), context)
    if isinstance(error, RequestDataTooBig):
        return _with_code(BodyTooLarge(str(error)), context)
    return _answer_of_judging(error) or _answer_of_storage(error) or _with_code(error, context)


def _answer_of_judging(error: Exception) -> Response | None:
    """For judgments that others have overtaken, and for screens, whose errors go by item."""
    if isinstance(error, RevisionConflict):
        return Response({"revision": error.revision, "answer": error.answer}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, ScreenConflict):
        newer = {str(item): vars(each) for item, each in error.newer.items()}
        return Response({"newer": newer}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, InvalidScreen):
        return Response({"errors": error.errors}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    return None


def _answer_of_storage(error: Exception) -> Response | None:
    """For errors that are not the request's: nothing was saved, and why."""
    if is_disk_full(error):
        logger.error("the disk is full: %s", error)
        detail = _("The server's disk is full: this was not saved. Tell whoever runs this site.")
        full = {"detail": detail, "code": "disk_full"}
        return Response(full, status=status.HTTP_507_INSUFFICIENT_STORAGE)
    if isinstance(error, StoreAway):
        return Response({"detail": str(error), "code": "busy"}, status=status.HTTP_503_SERVICE_UNAVAILABLE)
    if isinstance(error, DATABASE_AWAY):
        logger.warning("the database did not answer: %s", error)
        busy = {"detail": _("The database is busy. Try again."), "code": "busy"}
        return Response(busy, status=status.HTTP_503_SERVICE_UNAVAILABLE)
    return None


def _with_code(error: Exception, context: dict[str, Any]) -> Response | None:
    """A sentence for people, and a code for programs."""
    response = exception_handler(error, context)
    if response is not None and isinstance(error, APIException):
        response.data["code"] = Refusal.SIGNED_OUT if isinstance(error, NotAuthenticated) else error.get_codes()
    return response


def _errors_of(error: Exception) -> dict[str, list[str]] | None:
    """None for errors that the request cannot correct."""
    errors: dict[str, list[str]] | None = None
    match error:
        case InvalidPayload() | InvalidInput():
            errors = dict(error.errors)
        case UnknownItem():
            errors = {error.place: [_("This item is not in this assignment.")]}
        case ValidationError():
            errors = messages_by_field(error.detail)
        case TooManyFilesSent() | TooManyFieldsSent():
            errors = {"body": [str(error)]}
        case AccountError():
            errors = {"body": error.messages}
        case InvalidRun() | AnalysisError():
            errors = {"arguments": str(error).splitlines()}
        case ParseError():
            errors = {"body": [str(error.detail)]}
    return errors


def messages_by_field(detail: Any, at: str = "") -> dict[str, list[str]]:
    """A serializer's errors in the contract's shape: inner fields by dotted names, errors of no field under `body`."""
    if not isinstance(detail, Mapping):
        return {at or "body": [str(message) for message in detail]}
    messages: dict[str, list[str]] = {}
    for name, inner in detail.items():
        place = at if name == "non_field_errors" else f"{at}.{name}" if at else str(name)
        messages |= messages_by_field(inner, place)
    return messages


class ErrorsSerializer(serializers.Serializer[Any]):
    """What is wrong, by field; `body` for what belongs to none."""

    errors = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))  # type: ignore[assignment]


class DetailSerializer(serializers.Serializer[Any]):
    detail = serializers.CharField(help_text="For people.")
    code = serializers.CharField(help_text="For programs: what to do about it.")
