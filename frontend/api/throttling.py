"""How often an account may ask for what organisers and researchers see. Judging is never throttled."""

import logging
import time
from typing import Any

from django.conf import settings
from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from redis.exceptions import RedisError

MINUTE = 60
logger = logging.getLogger(__name__)


class AccountThrottle(BaseThrottle):
    """Requests of one account in each minute of the clock, counted by all web processes where they share a cache."""

    def __init__(self) -> None:
        self._now = time.time()

    def allow_request(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - DRF fixes the signature
        return _counted(request.user.pk, int(self._now // MINUTE)) <= settings.API_REQUESTS_PER_MINUTE

    def wait(self) -> float:
        return MINUTE - self._now % MINUTE


def _counted(account: int | None, minute: int) -> int:
    """This request among the others; 0 where the cache does not answer: a limit is not worth an outage."""
    key, counts = f"api:{account}:{minute}", caches["counts"]
    try:
        return 1 if counts.add(key, 1, timeout=2 * MINUTE) else counts.incr(key)
    except ValueError:  # the minute is over
        return 1
    except (RedisError, OSError) as error:
        logger.warning("requests are not counted: %s", error)
        return 0
