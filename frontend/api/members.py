"""Who is part of a campaign: its members, what they may, and the end of their access."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from annotation.actions import remove_from_campaign, retire_account
from campaigns.actions import allow_to_adjudicate, sign_out_everywhere
from campaigns.models import Membership, Role
from frontend.access import (
    RUNS_IT,
    get_account_in,
    get_campaign_for,
    get_member_called,
    get_researcher_called,
)
from frontend.api.idempotency import idempotent
from frontend.api.resource_view import ListView, ResourceView
from frontend.filters import MemberFilter


class MemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(source="account.username")
    name = serializers.CharField(source="account.name", allow_blank=True)
    email = serializers.CharField(source="account.email", allow_blank=True)
    languages = serializers.ListField(child=serializers.CharField(), source="account.languages")
    role = serializers.ChoiceField(choices=Role.values)
    consented_at = serializers.DateTimeField(allow_null=True)
    may_adjudicate = serializers.BooleanField(help_text="Of a researcher; organisers always may.")
    qualified_at = serializers.DateTimeField(allow_null=True, help_text="When practice was passed.")
    is_program = serializers.BooleanField(help_text="An organiser handed out its token, and consented in its place.")
    consented_by = serializers.CharField(
        source="consented_by.username", allow_null=True, default=None, help_text="Of a program: that organiser."
    )


class MembersView(ListView):
    tag = "People"
    queryset = Membership.objects.none()
    serializer_class = MemberSerializer
    filterset_class = MemberFilter

    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).memberships.select_related(
            "account", "consented_by"
        )

    @extend_schema(operation_id="members", summary="Who is part of a campaign", responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)


class AdjudicatorView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="allow_to_adjudicate",
        summary="Let a researcher decide on outputs",
        request=None,
        responses={204: OpenApiResponse(description="They may, as organisers always may.")},
    )
    def put(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self._let(slug, username, may=True)

    @extend_schema(
        operation_id="forbid_to_adjudicate",
        summary="Let a researcher decide no more",
        responses={204: OpenApiResponse(description="What they decided stands.")},
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self._let(slug, username, may=False)

    def _let(self, slug: str, username: str, *, may: bool) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        allow_to_adjudicate(membership=get_researcher_called(campaign, username), may=may, by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class EndedSerializer(serializers.Serializer[Any]):
    """How many were ended."""

    sessions = serializers.IntegerField()
    tokens = serializers.IntegerField()


class MemberView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="remove_member",
        summary="Remove somebody from a role in the campaign, with the links into it and all that came of them",
        parameters=[OpenApiParameter("role", OpenApiTypes.STR, OpenApiParameter.PATH, enum=Role.values)],
        responses={204: OpenApiResponse(description="What was judged stays, and so does the record of consent.")},
    )
    def delete(self, request: Request, slug: str, username: str, role: str) -> Response:  # noqa: ARG002
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        remove_from_campaign(membership=get_member_called(campaign, username, role), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SignOutView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="sign_out_everywhere",
        summary="End every session and every token of an account whose campaigns are all yours",
        request=None,
        responses=EndedSerializer,
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        ended = sign_out_everywhere(account=get_account_in(campaign, username), by=self.account, campaign=campaign)
        return Response(EndedSerializer(ended).data)


class CloseAccountView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="close_account",
        summary="Close an account whose campaigns are all yours; what was judged stays",
        request=None,
        responses={204: OpenApiResponse(description="Nothing opens it any more.")},
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        retire_account(account=get_account_in(campaign, username), by=self.account, campaign=campaign)
        return Response(status=status.HTTP_204_NO_CONTENT)
