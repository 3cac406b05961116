"""Reading requests, with every error at once; and performing a repeated POST only once."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions.tokens import KeyTaken, perform_once
from campaigns.models import Account
from frontend.api.errors import InvalidPayload, messages_by_field


class TextUUIDField(serializers.UUIDField):
    """A UUID written as text; numbers are refused."""

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
    """The valid fields, and the errors of the others, for callers that add more errors before they refuse."""
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
    """Refuses unknown query parameters."""
    if errors := unknown_names(request.query_params, known):
        raise InvalidPayload(errors)


def choice_of(request: Request, name: str, known: Iterable[str], *, usual: str | None = None) -> str:
    """The value of the one query parameter; by default `usual` or the first."""
    names = list(known)
    refuse_unknown(request, [name])
    chosen = request.query_params.get(name) or usual or names[0]
    if chosen not in names:
        raise InvalidPayload({name: [_("Choose one of these: %(names)s.") % {"names": ", ".join(names)}]})
    return chosen


def unknown_names(sent: Iterable[object], known: Iterable[str]) -> dict[str, list[str]]:
    names = sorted(known)
    message = _("Unknown field. Valid fields: %(names)s.") if names else _("Unknown field. This request takes none.")
    return {str(name): [message % {"names": ", ".join(names)}] for name in sent if name not in names}


KEY = "Idempotency-Key"
LONGEST_KEY = 200
REPLAYED = "Idempotent-Replay"
SHOWN_ONCE = ("secret", "link", "token", "password", "numbers")  # not stored: a repeated answer has null


def perform_for_key(account: Account, request: Request, perform: Callable[[], Response]) -> Response:
    """The answer of the first request with this key; without a key, the request is performed each time."""
    key = request.headers.get(KEY)
    if key is None:
        return perform()
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidPayload({KEY: [_("A key must have from 1 to %(most)d characters.") % {"most": LONGEST_KEY}]})
    first: list[Response] = []

    def perform_first() -> tuple[int, Any]:
        first.append(perform())
        return first[0].status_code, _stored(first[0].data)

    try:
        (status, answer), is_repeat = perform_once(
            account=account, key=key, request=_fingerprint(request), perform=perform_first
        )
    except KeyTaken as error:
        raise InvalidPayload({KEY: [_("This key was used for another request. Make a new one.")]}) from error
    return Response(answer, status=status, headers={REPLAYED: "true"}) if is_repeat else first[0]


def _stored(data: Any) -> Any:
    return _without_secrets(json.loads(JSONRenderer().render(data) or b"null"))


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: None if name in SHOWN_ONCE else _without_secrets(inner) for name, inner in value.items()}
    return [_without_secrets(inner) for inner in value] if isinstance(value, list) else value


def _fingerprint(request: Request) -> str:
    """Method, address and body; of files, a digest of their content."""
    if request.FILES:
        body: Any = [(file.name, _digest(file)) for _name, files in request.FILES.lists() for file in files]
    else:
        body = _without_secrets(request.data)  # not even the hash of a chosen password
    return json.dumps([request.method, request.get_full_path(), body], sort_keys=True, default=str)


def _digest(file: Any) -> str:
    digest = hashlib.file_digest(file.file, "sha256")
    file.seek(0)
    return digest.hexdigest()
