"""The caller's own account: sessions, tokens, stored data, consent."""

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes

from campaigns.actions.endings import end_session
from campaigns.actions.tokens import make_api_token, revoke_api_token
from campaigns.models import ApiToken, Scope, Session, Withdrawal
from campaigns.queries import open_sessions
from frontend.access import get_membership_for, get_own
from frontend.api.requests import read
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation
from frontend.downloads import data_download
from frontend.sessions import origin_of
from metrics.actions.forgetting import withdraw_consent

TAG = "Account"

ENDED = nothing_left("It has ended.")


class AccountSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    name = serializers.CharField()
    may_create_campaigns = serializers.BooleanField()


class SessionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    by_password = serializers.BooleanField()
    link_to = serializers.CharField(
        source="invitation.campaign.slug", allow_null=True, default=None, help_text="The campaign whose link opened it."
    )
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField()
    is_this = serializers.SerializerMethodField(help_text="Whether it is the one that asks.")

    def get_is_this(self, session: Session) -> bool:
        return bool(session.session_key == self.context["request"].session.session_key)


class TokenRequestSerializer(serializers.Serializer[Any]):
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


class WithdrawnSerializer(serializers.Serializer[Any]):
    campaign = serializers.CharField(source="campaign.slug")
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="null without earlier consent.")
    answers = serializers.ChoiceField(choices=Withdrawal.values, source="campaign.on_withdrawal")


class AccountView(ResourceView):
    @operation("account", AccountSerializer)
    def get(self, _request: Request) -> Any:
        """The account of this token or session."""
        return self.account


@listed("sessions", "Where I am signed in", Session, SessionSerializer)
class SessionsView(ListView):
    def rows(self, **_place: Any) -> Any:
        return open_sessions(self.account).order_by()


class SessionView(ResourceView):
    @operation("end_session", ENDED)
    def delete(self, _request: Request, pk: int) -> None:
        """Sign one device out."""
        end_session(session=get_own(Session, self.account, pk), by=self.account)


@listed("tokens", "My tokens", ApiToken, TokenSerializer)
class TokensView(ListView):
    def rows(self, **_place: Any) -> Any:
        return self.account.api_tokens.all()

    @operation("make_token", {201: NewTokenSerializer}, request=TokenRequestSerializer)
    def post(self, request: Request) -> Response:
        """Create a token; it cannot have more scopes than the one that creates it, or last longer."""
        body = read(request, TokenRequestSerializer)
        origin = None if self.token else origin_of(request)
        token, secret = make_api_token(account=self.account, by=self.account, within=self.token, origin=origin, **body)
        shown = {**TokenSerializer(token).data, "secret": secret}
        return Response(shown, status=status.HTTP_201_CREATED)


class TokenView(ResourceView):
    @operation("revoke_token", ENDED)
    def delete(self, _request: Request, pk: int) -> None:
        """Revoke a token and all tokens created with it."""
        revoke_api_token(token=get_own(ApiToken, self.account, pk), by=self.account)


class AccountDataView(ResourceView):
    @operation("account_data", OpenApiTypes.OBJECT)
    def get(self, _request: Request) -> HttpResponseBase:
        """All that is stored about me, by kinds; written while it is sent."""
        return data_download(self.account)


class WithdrawalView(ResourceView):
    scopes = {"POST": Scope.JUDGE}

    @operation("withdraw_consent", WithdrawnSerializer, is_repeatable=True)
    def post(self, _request: Request, slug: str) -> Any:
        """Withdraw my consent to a campaign; this cannot be undone."""
        return withdraw_consent(membership=get_membership_for(self.account, slug))
