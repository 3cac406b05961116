"""Who asks, and the keys of their programs."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from campaigns.actions import end_session, make_api_token, revoke_api_token
from campaigns.models import ApiToken, Scope, Session
from campaigns.queries import standing_sessions
from frontend.access import get_session_of, get_token_of
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView
from frontend.sessions import origin_of

ENDED = {204: OpenApiResponse(description="It has ended.")}


class AccountSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    name = serializers.CharField()
    may_create_campaigns = serializers.BooleanField()


class SessionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    by_password = serializers.BooleanField()
    link_to = serializers.CharField(
        source="invitation.campaign.slug", allow_null=True, default=None, help_text="The campaign whose link let it in."
    )
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField()
    is_this = serializers.SerializerMethodField(help_text="Whether it is the one that asks.")

    def get_is_this(self, session: Session) -> bool:
        return bool(session.session_key == self.context["request"].session.session_key)


class TokenWishSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.values), min_length=1, max_length=len(Scope.values)
    )
    expires_at = serializers.DateTimeField(allow_null=True, default=None)


class TokenSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values), source="scope_names")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    made_with = serializers.IntegerField(
        source="made_with_id", allow_null=True, help_text="The token it was made with, and ends with."
    )
    is_handed_out = serializers.SerializerMethodField(help_text="An organiser made it for a program that judges.")

    def get_is_handed_out(self, token: ApiToken) -> bool:
        return token.handed_out_for_id is not None


class NewTokenSerializer(TokenSerializer):
    secret = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")


class AccountView(ResourceView):
    tag = "Account"

    @extend_schema(operation_id="account", summary="Whose token or session this is", responses=AccountSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return Response(AccountSerializer(self.account).data)


class SessionsView(ListView):
    tag = "Account"
    serializer_class = SessionSerializer
    queryset = Session.objects.none()

    def rows(self, **_place: Any) -> Any:
        return standing_sessions(self.account).order_by()

    @extend_schema(operation_id="sessions", summary="Where I am signed in", responses=SessionSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page()


class SessionView(ResourceView):
    tag = "Account"

    @extend_schema(operation_id="end_session", summary="Sign one device out", responses=ENDED)
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        end_session(session=get_session_of(self.account, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokensView(ListView):
    tag = "Account"
    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()

    def rows(self, **_place: Any) -> Any:
        return self.account.api_tokens.all()

    @extend_schema(operation_id="tokens", summary="My tokens", responses=TokenSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page()

    @extend_schema(
        operation_id="make_token",
        summary="Make a token: it may no more than the one it is made with, and lasts no longer",
        request=TokenWishSerializer,
        responses={201: NewTokenSerializer},
        examples=[
            OpenApiExample(
                "A notebook that reads",
                {"name": "nightly notebook", "scopes": ["read"], "expires_at": "2027-02-21T00:00:00Z"},
                request_only=True,
            )
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = read(request, TokenWishSerializer)
        origin = None if self.token else origin_of(request)
        token, secret = make_api_token(account=self.account, by=self.account, within=self.token, origin=origin, **body)
        shown = {**TokenSerializer(token).data, "secret": secret}
        return Response(shown, status=status.HTTP_201_CREATED)


class TokenView(ResourceView):
    tag = "Account"

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke a token, with all that were made with it",
        responses=ENDED,
    )
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        revoke_api_token(token=get_token_of(self.account, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)
