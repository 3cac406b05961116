"""Who is part of a campaign: members, and annotators left out of its results."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from annotation.actions import exclude_annotator, readmit_annotator
from annotation.actions.exclusions import LONGEST_REASON
from annotation.models import Exclusion
from annotation.queries.annotator_work import exclusion_of
from campaigns.actions import allow_to_adjudicate
from campaigns.models import Membership, Role
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    get_annotator_of,
    get_campaign_for,
    get_researcher_called,
)
from frontend.api.payloads import read
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
