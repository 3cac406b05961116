"""What all views of the API share: their description in the schema, paging of lists, the rate limit, refusals."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache, wraps
from inspect import cleandoc
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.cache import caches
from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, NotAuthenticated, NotFound, PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from redis.exceptions import RedisError

from annotation.actions.submitting import NotTheirsAnyMore
from annotation.queries.item_to_judge import ItemToJudge
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, ApiToken, Membership, Role, Scope
from frontend.access import (
    HIGHEST_KEY,
    READS_RESULTS,
    RUNS_IT,
    get_campaign_for,
    get_item_for,
    get_membership_for,
    has_withdrawn,
    was_removed,
)
from frontend.api.authentication import HasScope, Refusal
from frontend.api.errors import InvalidPayload
from frontend.api.json_body import require_length
from frontend.api.requests import perform_for_key, refuse_unknown
from frontend.sessions import who_was_in

MOST_ROWS = 500
MINUTE = 60
ACCOUNT_HEADER = "Assay-Account"  # sent with refusals: a page may be cached for another account
ViewClass = TypeVar("ViewClass", bound="type[ListView]")
logger = logging.getLogger(__name__)


def operation(name: str, responses: Any, *, is_repeatable: bool = False, **more: Any) -> Callable[[Any], Any]:
    """Describes a method, by its docstring, and answers with what it returns in the first shape of `responses`.

    A POST of organisers and researchers is performed once for each key, unless it changes nothing when repeated.
    """
    code, shape = next(iter(responses.items())) if isinstance(responses, dict) else (status.HTTP_200_OK, responses)
    status_code = code[0] if isinstance(code, tuple) else code  # of several media types

    def described(method: Any) -> Any:
        @wraps(method)
        def answer(view: ApiView, request: Request, **place: Any) -> Any:
            def perform() -> Any:
                value = method(view, request, **view.fetched(**place))
                if isinstance(value, HttpResponseBase):
                    return value
                return Response(None if isinstance(shape, OpenApiResponse) else shown_as(shape, value), status_code)

            is_once = request.method == "POST" and isinstance(view, ResourceView) and not is_repeatable
            return perform_for_key(view.account, request, perform) if is_once else perform()

        answer.is_repeatable = is_repeatable  # type: ignore[attr-defined] # for the schema
        summary, _blank, description = cleandoc(method.__doc__).partition("\n\n")
        about = {"summary": summary.rstrip("."), "description": description.replace("\n", " ")}
        answer.__doc__ = None  # the schema would repeat it
        return extend_schema(operation_id=name, responses=responses, **{"request": None, **about, **more})(answer)

    return described


def shown_as(shape: Callable[..., BaseSerializer[Any]], value: Any) -> Any:
    """As `shape(value).data`, without a serializer of its own: copying its fields costs more than the rest."""
    return shape(value).data if value is None else serializer_of(shape).to_representation(value)


@cache
def serializer_of(shape: Callable[..., BaseSerializer[Any]]) -> BaseSerializer[Any]:
    """One for all requests and threads: it is never bound to a value."""
    return shape()


def listed(
    name: str,
    summary: str,
    model: type[Model],
    serializer: type[BaseSerializer[Any]],
    filters: type[FilterSet] | None = None,
    *,
    is_newest_first: bool = False,
    **more: Any,
) -> Callable[[ViewClass], ViewClass]:
    """Describes the list of a `ListView`; its `rows` fetch for the account, `model` is for the schema."""

    def described(view: ViewClass) -> ViewClass:
        view.queryset = model._default_manager.none()  # type: ignore[misc] # noqa: SLF001 - documented
        view.serializer_class = serializer  # type: ignore[misc]
        view.filterset_class = filters
        view.pagination_class = NewestFirst if is_newest_first else ByKey
        rows = serializer(many=True)
        return extend_schema_view(get=extend_schema(operation_id=name, summary=summary, responses=rows, **more))(view)

    return described


def nothing_left(description: str) -> dict[int, OpenApiResponse]:
    """The answer without a body."""
    return {204: OpenApiResponse(description=description)}


class ByKey(CursorPagination):
    """In the order of creation."""

    page_size = 100
    max_page_size = MOST_ROWS
    page_size_query_param = "page_size"
    ordering = "pk"
    cursor_query_description = "As `next` and `previous` of a page have it."
    page_size_query_description = f"Rows on a page, at most {MOST_ROWS}."

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise no_cursor() from error
        if cursor is not None and cursor.position is not None and not _is_key(str(cursor.position)):
            raise no_cursor()
        return cursor

    def get_page_size(self, request: Request) -> int:
        return whole_number(request, "page_size", usual=self.page_size, most=self.max_page_size)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": "string", "nullable": True, "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": address, "previous": address, "results": schema},
        }


class NewestFirst(ByKey):
    """The newest rows first."""

    ordering = "-pk"


def whole_number(request: Request, name: str, *, usual: int, most: int) -> int:
    """A query parameter from 1 to `most`."""
    value = request.query_params.get(name)
    if value is None:
        return usual
    if not value.isascii() or not value.isdecimal() or not 1 <= int(value[:9]) <= most:
        raise InvalidPayload({name: [_("Write a whole number from 1 to %(most)d.") % {"most": most}]})
    return int(value)


def _is_key(position: str) -> bool:
    return position.isascii() and position.isdecimal() and int(position[:20]) <= HIGHEST_KEY


def no_cursor() -> InvalidPayload:
    return InvalidPayload({"cursor": [_("Unknown cursor. Start without one.")]})


class AccountThrottle(BaseThrottle):
    """Requests of one account in each minute of the clock, counted over all web processes that share a cache."""

    def __init__(self) -> None:
        self._now = time.time()

    def allow_request(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - DRF fixes the signature
        return _counted(request.user.pk, int(self._now // MINUTE)) <= settings.API_REQUESTS_PER_MINUTE

    def wait(self) -> float:
        return MINUTE - self._now % MINUTE


def _counted(account: int | None, minute: int) -> int:
    """The number of this request; 0 if the cache does not answer: the limit is not worth an outage."""
    key, counts = f"api:{account}:{minute}", caches["counts"]
    try:
        return 1 if counts.add(key, 1, timeout=2 * MINUTE) else counts.incr(key)
    except ValueError:  # the minute is over
        return 1
    except (RedisError, OSError) as error:
        logger.warning("requests are not counted: %s", error)
        return 0


class ApiView(APIView):
    # no docstring here and below: the schema would repeat it as the description of every address
    permission_classes = [IsAuthenticated, HasScope]

    @property
    def account(self) -> Account:
        return cast("Account", self.request.user)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        require_length(request)

    def fetched(self, *_: Any, **place: Any) -> dict[str, Any]:
        # what a method gets: the parts of the address, or what was fetched for the account by them
        return place


class ResourceView(ApiView):
    throttle_classes = [AccountThrottle]

    @property
    def token(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @property
    def creator(self) -> Account:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        return self.account


class OrganiserView(ResourceView):
    roles: tuple[Role, ...] = RUNS_IT

    def fetched(self, *_: Any, slug: str, **place: Any) -> dict[str, Any]:
        return {"campaign": get_campaign_for(self.account, slug, *self.roles), **place}


class ReaderView(OrganiserView):
    roles = READS_RESULTS


class ListView(ResourceView, GenericAPIView[Any], ABC):
    filter_backends = [DjangoFilterBackend]
    filterset_class: type[FilterSet] | None

    @abstractmethod
    def rows(self, *args: Any, **fetched: Any) -> QuerySet[Model]: ...

    def get(self, _request: Request, **place: Any) -> Response:
        # unknown filters are refused: a misspelt one would seem to match everything
        own = self.filterset_class.base_filters if self.filterset_class else ()
        refuse_unknown(self.request, (*own, "cursor", "page_size"))
        rows = self.filter_queryset(self.rows(**self.fetched(**place)))
        shown = self.paginate_queryset(rows) or []
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)


class ConsentWithdrawn(APIException):
    status_code = status.HTTP_410_GONE
    default_detail = gettext_lazy("Consent to this campaign was withdrawn. Its answers are kept no longer.")
    default_code = "consent_withdrawn"


class AnnotatorView(ApiView):
    scopes = dict.fromkeys((*SAFE_METHODS, "POST", "PUT"), Scope.JUDGE)

    def membership(self, slug: str) -> Membership:
        membership = get_membership_for(self.account, slug)
        self.require_consent(has_consent=membership.consented_at is not None)
        return membership

    def item_to_judge(self, assignment: int, item: str) -> ItemToJudge:
        to_judge = get_item_for(self.account, assignment, item)
        self.require_consent(has_consent=to_judge.has_consent)
        return to_judge

    def require_consent(self, *, has_consent: bool) -> None:
        """For pages and tokens alike: a token has its maker's consent; for a program its organiser consented."""
        if not has_consent:
            refusal = _("Read the guidelines of this campaign and agree to take part first.")
            raise PermissionDenied(refusal, code=Refusal.CONSENT_NEEDED)

    def handle_exception(self, exc: Exception) -> Response:
        """Annotators who withdrew or were removed are told so first, whatever else would refuse them."""
        refusals = (Http404, NotFound, PermissionDenied, NotAuthenticated, InvalidInput, NotTheirsAnyMore)
        account = self._signed_in_account() if isinstance(exc, refusals) else None
        if has_withdrawn(account, **self.kwargs):
            exc = ConsentWithdrawn()  # nobody is left to decide about their answers
        elif was_removed(account, **self.kwargs):
            refusal = _("You are no longer part of this campaign. Ask your organiser.")
            exc = PermissionDenied(refusal, code=Refusal.ACCESS_ENDED)
        response = super().handle_exception(Http404() if isinstance(exc, NotTheirsAnyMore) else exc)
        if account is not None:
            response[ACCOUNT_HEADER] = str(account.pk)
        return response

    def _signed_in_account(self) -> Account | None:
        """The account that is signed in, or was, until the session ended."""
        request = self.request._request  # noqa: SLF001 - as Django REST framework reads the user itself
        if isinstance(request.user, Account):
            return request.user
        return who_was_in(request)


class AsTheFileIs(BaseContentNegotiation):
    """The address names the format, whatever a program accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:  # noqa: ARG002 - DRF fixes the signature
        return parsers[0]

    def select_renderer(self, _request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type
