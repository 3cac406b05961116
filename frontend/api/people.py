"""Who is part of a campaign: members, invitations, and annotators left out of its results."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from annotation.actions import exclude_annotator, readmit_annotator
from annotation.actions.exclusions import LONGEST_REASON
from annotation.annotator_work import exclusion_of
from annotation.models import Exclusion
from campaigns.actions import (
    IssuedInvitation,
    allow_to_adjudicate,
    invite_account,
    invite_annotators,
    make_api_token,
    revoke_invitation,
)
from campaigns.models import Invitation, Membership, Role, Scope
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    get_annotator_of,
    get_campaign_for,
    get_invitation_in,
    get_researcher_called,
)
from frontend.api.filters import MemberFilter
from frontend.api.once import once
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView

MOST_INVITED = 500
TOKEN_NAME = "invitation"  # noqa: S105 - what the token is called, not the token


class MemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(source="account.username")
    name = serializers.CharField(source="account.name", allow_blank=True)
    role = serializers.ChoiceField(choices=Role.values)
    consented_at = serializers.DateTimeField(allow_null=True)
    may_adjudicate = serializers.BooleanField(help_text="Of a researcher; organisers always may.")
    qualified_at = serializers.DateTimeField(allow_null=True, help_text="When practice was passed.")


class InvitationSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    username = serializers.CharField(source="account.username")
    role = serializers.ChoiceField(choices=Role.values)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class IssuedSerializer(InvitationSerializer):
    link = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")
    token = serializers.CharField(allow_null=True, help_text="Where one was asked for; shown once like the link.")


class IssuedListSerializer(serializers.Serializer[Any]):
    results = IssuedSerializer(many=True)


class InvitationWishSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField(min_value=1, max_value=MOST_INVITED)
    role = serializers.ChoiceField(choices=Role.values, default=Role.ANNOTATOR)
    api_tokens = serializers.BooleanField(
        default=False, help_text="A token that judges for each annotator, who is a program then."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["api_tokens"] and attrs["role"] != Role.ANNOTATOR:
            raise serializers.ValidationError({"api_tokens": _("Tokens that judge are for annotators.")})
        return attrs


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class ExclusionSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    decided_at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)


class MembersView(ListView):
    tag = "People"
    queryset = Membership.objects.none()
    serializer_class = MemberSerializer
    filterset_class = MemberFilter

    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).memberships.select_related("account")

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


class InvitationsView(ListView):
    tag = "People"
    queryset = Invitation.objects.none()
    serializer_class = InvitationSerializer

    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).invitations.select_related("account")

    @extend_schema(operation_id="invitations", summary="Invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)

    @extend_schema(
        operation_id="invite",
        summary="Make accounts with their links",
        request=InvitationWishSerializer,
        responses={201: IssuedListSerializer},
        examples=[OpenApiExample("Three programs", {"count": 3, "api_tokens": True}, request_only=True)],
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        wish = read(request, InvitationWishSerializer)
        issued = invite_annotators(campaign=campaign, count=wish["count"], role=Role(wish["role"]), by=self.account)
        shown = [self._shown(each, with_token=wish["api_tokens"]) for each in issued]
        return Response({"results": shown}, status=status.HTTP_201_CREATED)

    def _shown(self, issued: IssuedInvitation, *, with_token: bool) -> dict[str, Any]:
        secret = None
        if with_token:
            account = issued.invitation.account
            _token, secret = make_api_token(account=account, name=TOKEN_NAME, scopes=[Scope.JUDGE], by=self.account)
        return {**InvitationSerializer(issued.invitation).data, "link": issued.link, "token": secret}


class RenewInvitationView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="renew_invitation",
        summary="Replace a link that was lost: the old one ends, the account and its work stay",
        request=None,
        responses={201: IssuedSerializer},
    )
    @once
    def post(self, request: Request, slug: str, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        old = get_invitation_in(campaign, pk)
        issued = invite_account(campaign=campaign, account=old.account, role=Role(old.role), by=self.account)
        revoke_invitation(invitation=old, by=self.account)
        shown = {**InvitationSerializer(issued.invitation).data, "link": issued.link, "token": None}
        return Response(shown, status=status.HTTP_201_CREATED)


class InvitationView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="revoke_invitation",
        summary="Revoke a link; what was judged stays",
        responses={204: OpenApiResponse(description="It opens nothing any more.")},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        revoke_invitation(invitation=get_invitation_in(campaign, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExclusionsView(ListView):
    tag = "People"
    queryset = Exclusion.objects.none()
    serializer_class = ExclusionSerializer

    def rows(self, **place: Any) -> Any:
        campaign = get_campaign_for(self.account, place["slug"], *READS_RESULTS)
        return campaign.exclusions.select_related("annotator", "decided_by")

    @extend_schema(
        operation_id="exclusions",
        summary="Annotators left out of the results, now or before",
        responses=ExclusionSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)


class ExclusionView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="exclude",
        summary="Leave an annotator out, from the next results on",
        request=ReasonSerializer,
        responses=ExclusionSerializer,
        examples=[OpenApiExample("A reason", {"reason": "Fails control items (p = 0.41)."}, request_only=True)],
    )
    def put(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_of(campaign, username)
        reason = read(request, ReasonSerializer)["reason"]
        standing = exclusion_of(campaign, annotator)
        if standing is None or standing.reason != reason:
            standing = exclude_annotator(campaign=campaign, annotator=annotator, reason=reason, by=self.account)
        return Response(ExclusionSerializer(standing).data)

    @extend_schema(
        operation_id="readmit",
        summary="Let an annotator count again",
        responses={204: OpenApiResponse(description="From the next results on.")},
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        readmit_annotator(campaign=campaign, annotator=get_annotator_of(campaign, username), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)
