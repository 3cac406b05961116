"""Requests read into what actions take, with everything that is wrong said at once."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from annotation.protocols.base import Protocol, ShownItem
from annotation.queries.items_page import Place
from campaigns.invalid_input import InvalidInput
from frontend.api.errors import InvalidPayload, messages_by_field
from frontend.api.serializers import SubmissionSerializer

PLACES = ("after", "before", "from")


def read(
    request: Request, serializer: type[serializers.Serializer[Any]], *, is_work: bool = False
) -> Mapping[str, Any]:
    """Unknown fields are refused so that typing errors do not pass silently; judgments and drafts are exempt."""
    filled = serializer(data=request.data)
    errors = {} if filled.is_valid() else messages_by_field(filled.errors)
    if isinstance(request.data, Mapping) and not is_work:
        errors |= unknown_names(request.data, filled.fields)
    if errors:
        raise InvalidPayload(errors)
    return dict(filled.validated_data)


def read_what_is_valid(
    request: Request, serializer: type[serializers.Serializer[Any]]
) -> tuple[Mapping[str, Any], dict[str, list[str]]]:
    """The valid fields, and what is wrong with the others, where more is to be said before the request is refused."""
    try:
        return read(request, serializer), {}
    except InvalidPayload as invalid:
        if not isinstance(request.data, Mapping):
            raise
        wrong = {name.partition(".")[0] for name in invalid.errors}
        rest = {name: value for name, value in request.data.items() if name not in wrong}
        filled = serializer(data=rest, partial=True)
        filled.is_valid(raise_exception=True)
        return dict(filled.validated_data), invalid.errors


def refuse_unknown(request: Request, known: Iterable[str]) -> None:
    """The same of what stands behind the question mark."""
    if errors := unknown_names(request.query_params, known):
        raise InvalidPayload(errors)


def choice_of(request: Request, name: str, known: Iterable[str], *, usual: str | None = None) -> str:
    """The one thing an address can be asked for; left out, `usual` or the first."""
    names = list(known)
    refuse_unknown(request, [name])
    chosen = request.query_params.get(name) or usual or names[0]
    if chosen not in names:
        raise InvalidPayload({name: [_("Choose one of these: %(names)s.") % {"names": ", ".join(names)}]})
    return chosen


def unknown_names(given: Iterable[object], known: Iterable[str]) -> dict[str, list[str]]:
    names = sorted(known)
    said = _("Nothing is known by this name. There are: %(names)s.") if names else _("Nothing is known by this name.")
    return {str(name): [said % {"names": ", ".join(names)}] for name in given if name not in names}


def read_place(request: Request) -> Place:
    """One of `after`, `before` and `from`, or none."""
    given = {name: value for name in PLACES if (value := request.query_params.get(name))}
    if len(given) > 1:
        raise InvalidPayload({name: [_("Name one place only.")] for name in given})
    if given.get("from", "start") != "start":
        raise InvalidPayload({"from": [_("Only “start” is known.")]})
    return Place(_item_in(given, "after"), _item_in(given, "before"), from_start="from" in given)


def _item_in(given: Mapping[str, str], name: str) -> UUID | None:
    try:
        return UUID(given[name]) if name in given else None
    except ValueError as error:
        raise InvalidPayload({name: [_("This is not the id of an item.")]}) from error


def read_submission(request: Request, protocol: Protocol[Any], shown: ShownItem) -> dict[str, Any]:
    """What is sent with a judgment, by the names that `submit_judgment` knows it by."""
    filled = SubmissionSerializer(data=request.data)
    errors = {} if filled.is_valid() else messages_by_field(filled.errors)
    answer = None
    if isinstance(request.data, Mapping) and "answer" in request.data:
        try:
            answer = protocol.parse_answer(request.data["answer"], shown)
        except InvalidInput as invalid:
            errors.pop("answer", None)
            errors |= invalid.errors
    if errors or answer is None:
        raise InvalidPayload(errors)
    given = filled.validated_data
    return {
        "answer": answer,
        "client_id": given["client_id"],
        "base_revision": given["base_revision"],
        "started_at": given["started"],
        "elapsed_ms": given["elapsed_ms"],
        "active_ms": given["active_ms"],
    }
