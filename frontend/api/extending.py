"""More judgments of each segment of a campaign that runs: what they would add, and having them planned by a run."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, extend_schema

from annotation.campaign_spec import PARAMETERS
from annotation.queries.progress import extension_cost
from frontend.access import RUNS_IT, get_campaign_for
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import newest_run


class ExtensionSerializer(serializers.Serializer[Any]):
    redundancy = serializers.IntegerField(
        min_value=1, max_value=PARAMETERS["redundancy"].high, help_text="Judgments of each segment from then on."
    )


class ExtensionCostSerializer(serializers.Serializer[Any]):
    """What one judgment more of each segment adds."""

    redundancy = serializers.IntegerField(help_text="Judgments of each segment that are planned now.")
    items = serializers.IntegerField(source="cost.items")
    assignments = serializers.IntegerField(source="cost.assignments")
    seconds = serializers.IntegerField(source="cost.seconds", help_text="As long as such items usually take.")


class ExtensionView(ResourceView):
    @extend_schema(
        operation_id="extension_cost",
        summary="What one judgment more of each segment would add",
        responses=ExtensionCostSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        body = {"redundancy": campaign.redundancy, "cost": extension_cost(campaign)}
        return Response(ExtensionCostSerializer(body).data)

    @extend_schema(
        operation_id="extend_campaign",
        summary="Have further rounds of judgments planned, unless some are being planned",
        request=ExtensionSerializer,
        responses={202: RunSerializer, 200: RunSerializer},
        examples=[OpenApiExample("Three of each segment", {"redundancy": 3}, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        body = read(request, ExtensionSerializer)
        pending = newest_run(campaign, "extension")
        if pending is not None and pending.status in PENDING:
            return queued(pending, request, is_new=False)
        return queued(queue_run(kind="extension", campaign=campaign, arguments=body, created_by=self.account), request)
