"""Requests: read whole, with every error at once; and a POST that is sent again is done once."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions.tokens import KeyTaken, perform_once
from frontend.api.errors import InvalidPayload, messages_by_field


class TextUUIDField(serializers.UUIDField):
    """A UUID written as text; numbers are mistakes."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


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
    said = _("Unknown field. Valid fields: %(names)s.") if names else _("Unknown field. This request takes none.")
    return {str(name): [said % {"names": ", ".join(names)}] for name in given if name not in names}


KEY = "Idempotency-Key"
LONGEST_KEY = 200
REPLAYED = "Idempotent-Replay"
SHOWN_ONCE = ("secret", "link", "token", "password", "numbers")  # not kept: a repeated answer has null

Post = Callable[..., Response]


def idempotent(post: Post) -> Post:
    @wraps(post)
    def answered(view: Any, request: Request, **place: Any) -> Response:
        key = request.headers.get(KEY)
        if key is None:
            return post(view, request, **place)
        if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
            raise InvalidPayload({KEY: [_("A key must have from 1 to %(most)d characters.") % {"most": LONGEST_KEY}]})
        made: list[Response] = []

        def perform() -> tuple[int, Any]:
            made.append(post(view, request, **place))
            return made[0].status_code, _kept(made[0].data)

        try:
            (status, answer), is_repeat = perform_once(
                account=view.account, key=key, request=_fingerprint(request), perform=perform
            )
        except KeyTaken as error:
            raise InvalidPayload({KEY: [_("This key was used for another request. Make a new one.")]}) from error
        return Response(answer, status=status, headers={REPLAYED: "true"}) if is_repeat else made[0]

    answered.is_idempotent = True  # type: ignore[attr-defined] # the schema says so
    return answered


def _kept(data: Any) -> Any:
    return _without_secrets(json.loads(JSONRenderer().render(data) or b"null"))


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: None if name in SHOWN_ONCE else _without_secrets(inner) for name, inner in value.items()}
    return [_without_secrets(inner) for inner in value] if isinstance(value, list) else value


def _fingerprint(request: Request) -> str:
    """Method, address and body; of files, what is in them."""
    if request.FILES:
        body: Any = [(file.name, _digest(file)) for _name, files in request.FILES.lists() for file in files]
    else:
        body = _without_secrets(request.data)  # not even the hash of a password that somebody thought of
    return json.dumps([request.method, request.get_full_path(), body], sort_keys=True, default=str)


def _digest(file: Any) -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()
