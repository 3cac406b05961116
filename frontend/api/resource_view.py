"""What all views of the organiser's and researcher's API share."""

import logging
import time
from abc import ABC, abstractmethod
from typing import Any, cast

from django.conf import settings
from django.core.cache import caches
from django.db.models import Model, QuerySet
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from redis.exceptions import RedisError

from campaigns.models import Account, ApiToken
from frontend.api.authentication import HasScope
from frontend.api.json_body import require_length
from frontend.api.pagination import ByKey
from frontend.api.payloads import refuse_unknown

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


class ResourceView(APIView):
    # no docstring: the schema would repeat it as the description of every address
    permission_classes = [IsAuthenticated, HasScope]
    throttle_classes = [AccountThrottle]
    tag = "Campaigns"

    @property
    def account(self) -> Account:
        return cast("Account", self.request.user)

    @property
    def token(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        require_length(request)


class ListView(ResourceView, GenericAPIView[Any], ABC):
    # `rows` fetches for the account; `queryset` only tells the schema of what model they are
    filter_backends = [DjangoFilterBackend]
    filterset_class: type[FilterSet] | None = None
    pagination_class = ByKey

    @abstractmethod
    def rows(self, **place: Any) -> QuerySet[Model]: ...

    def page(self, **place: Any) -> Response:
        """Filters nobody knows are refused: a misspelt one would seem to find everything."""
        own = self.filterset_class.base_filters if self.filterset_class else ()
        refuse_unknown(self.request, (*own, "cursor", "page_size"))
        rows = self.filter_queryset(self.rows(**place))
        shown = self.paginate_queryset(rows) or []
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)
