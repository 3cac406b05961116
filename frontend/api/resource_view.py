"""What all views of the organiser's and researcher's API share."""

from abc import ABC, abstractmethod
from typing import Any, cast

from django.db.models import Model, QuerySet
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend

from campaigns.models import Account, ApiToken
from frontend.api.json_body import require_length
from frontend.api.pagination import ByKey
from frontend.api.payloads import refuse_unknown
from frontend.api.scopes import HasScope
from frontend.api.throttling import AccountThrottle


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
