"""A request that is named is done once: the name, what it did and its answer are stored in one transaction."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.models import Account, AnsweredRequest
from campaigns.secret_keys import hash_secret

KEPT = timedelta(days=2)
Answer = tuple[int, Any]


class KeyTaken(Exception):
    """The name was given to another request."""


def perform_once(*, account: Account, key: str, request: str, perform: Callable[[], Answer]) -> tuple[Answer, bool]:
    """The answer as `perform` gave it, now or before, and whether it was before.

    Who comes while the first is under way waits for it at the unique name. What raises leaves no trace, so that it can
    be sent again.
    """
    own = {"account": account, "key_hash": hash_secret(key)}
    fingerprint = hash_secret(request)
    AnsweredRequest.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    with transaction.atomic():
        kept, is_new = AnsweredRequest.objects.get_or_create(**own, defaults={"request_hash": fingerprint})
        if not is_new:
            if kept.request_hash != fingerprint:
                raise KeyTaken
            return (kept.status, kept.answer), True
        kept.status, kept.answer = perform()
        kept.save(update_fields=["status", "answer"])
    return (kept.status, kept.answer), False
