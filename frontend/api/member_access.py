"""The end of a member's access: out of the campaign, signed out, the account closed. What was judged stays."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from annotation.actions import remove_from_campaign, retire_account
from campaigns.actions import sign_out_everywhere
from campaigns.models import Role
from frontend.access import RUNS_IT, get_account_in, get_campaign_for, get_member_called
from frontend.api.once import once
from frontend.api.resource_view import ResourceView


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
    @once
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
    @once
    def post(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        retire_account(account=get_account_in(campaign, username), by=self.account, campaign=campaign)
        return Response(status=status.HTTP_204_NO_CONTENT)
