"""Annotators left out of the results, and what leaving one out would change, found out before it is decided."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from annotation.actions import exclude_annotator, readmit_annotator
from annotation.actions.exclusions import LONGEST_REASON
from annotation.models import Exclusion
from annotation.queries.annotator_work import exclusion_of
from frontend.access import READS_RESULTS, RUNS_IT, get_annotator_of, get_campaign_for
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView
from frontend.api.runs import RunSerializer, queued_once
from metrics.analysis_runs import USUAL
from metrics.exclusion_trial import trial_arguments
from metrics.recipes import recipe_for


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class ExclusionSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    decided_at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True)


class TrialSerializer(serializers.Serializer[Any]):
    recipe = serializers.CharField(allow_null=True, default=None, max_length=40)
    options = serializers.DictField(default=dict)


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


class ExclusionTrialView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="try_exclusion",
        summary="Have the effect of leaving an annotator out computed, or of counting one again",
        description=(
            "Nothing is decided by it. Once the run is done, its table `exclusion` has each system before and after, "
            "and its finding says in sentences what changes."
        ),
        request=TrialSerializer,
        responses={202: RunSerializer, 200: RunSerializer},
        examples=[OpenApiExample("As the protocol is analysed", {}, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_of(campaign, username)
        body = read(request, TrialSerializer)
        recipe_for(campaign.protocol, body["recipe"], body["options"])
        arguments = trial_arguments(campaign, annotator, {**USUAL, **body})
        return queued_once(request, kind="analysis", campaign=campaign, arguments=arguments, by=self.account)
