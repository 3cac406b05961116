"""A POST that is sent again because its answer was lost: named by `Idempotency-Key`, it is done once."""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions import KeyTaken, perform_once
from frontend.api.errors import InvalidPayload

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
            raise InvalidPayload({KEY: [_("A key has from 1 to %(most)d characters.") % {"most": LONGEST_KEY}]})
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
