"""A campaign that gets more judgments, and one that is rebuilt from its archive: both by a run."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, extend_schema

from annotation.campaign_spec import NAME_LIMIT, PARAMETERS
from annotation.queries.progress import extension_cost
from campaigns.models import Scope
from frontend.access import RUNS_IT, get_campaign_for
from frontend.api.campaigns import PlanSpecSerializer, sums_of
from frontend.api.errors import InvalidPayload
from frontend.api.once import once
from frontend.api.payloads import read
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued
from frontend.uploads import UploadError, forget_old_uploads, store_upload
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import newest_run


class ExtensionSerializer(serializers.Serializer[Any]):
    redundancy = serializers.IntegerField(
        min_value=1, max_value=PARAMETERS["redundancy"].high, help_text="Judgments of each segment from then on."
    )


class ArchiveSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=NAME_LIMIT, help_text="Of the campaign to be made.")
    archive = serializers.FileField()


class ExtensionCostSerializer(serializers.Serializer[Any]):
    """What one judgment more of each segment adds."""

    redundancy = serializers.IntegerField(help_text="Judgments of each segment that are planned now.")
    items = serializers.IntegerField(source="cost.items")
    assignments = serializers.IntegerField(source="cost.assignments")
    seconds = serializers.IntegerField(source="cost.seconds", help_text="As long as such items usually take.")


class PlanSumsSerializer(serializers.Serializer[Any]):
    documents = serializers.IntegerField(source="counts.documents")
    segments = serializers.IntegerField(source="counts.segments")
    systems = serializers.IntegerField(source="counts.systems")
    outputs = serializers.IntegerField(source="total.outputs")
    judgments = serializers.IntegerField(source="total.judgments")
    repeats = serializers.IntegerField(source="total.repeats")
    degraded = serializers.IntegerField(source="total.degraded")
    document_scores = serializers.IntegerField(source="total.document_scores")
    total = serializers.IntegerField(source="total.total", help_text="Everything that is asked.")
    assignments = serializers.IntegerField(source="total.assignments")
    is_exact = serializers.BooleanField(source="total.is_exact", help_text="Else identical outputs may make it less.")
    fewest_annotators = serializers.IntegerField(source="total.fewest_annotators")
    seconds = serializers.IntegerField(help_text="Of judging, as long as such items usually take.")
    enough = serializers.ListField(
        child=serializers.CharField(), help_text="What differences it can show; empty: not known."
    )


class PlanSumsView(ResourceView):
    scopes = {"POST": Scope.READ}

    @extend_schema(
        operation_id="plan_sums",
        summary="What a campaign would ask, before it is made",
        description="Nothing is stored. It takes the fields of a new campaign that decide how much is judged.",
        request=PlanSpecSerializer,
        responses=PlanSumsSerializer,
    )
    def post(self, request: Request) -> Response:
        return Response(PlanSumsSerializer(sums_of(request, self.account)).data)


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
    @once
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        wish = read(request, ExtensionSerializer)
        pending = newest_run(campaign, "extension")
        if pending is not None and pending.status in PENDING:
            return queued(pending, request, is_new=False)
        return queued(queue_run(kind="extension", campaign=campaign, arguments=wish, created_by=self.account), request)


class RebuildView(ResourceView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="rebuild_campaign",
        summary="Have a campaign rebuilt from its archive: the run's result names it",
        request={"multipart/form-data": ArchiveSerializer},
        responses={202: RunSerializer},
    )
    @once
    def post(self, request: Request) -> Response:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        wish = read(request, ArchiveSerializer)
        forget_old_uploads()
        try:
            upload, files = store_upload([wish["archive"]])
        except UploadError as error:
            raise InvalidPayload({"archive": [str(error)]}) from error
        arguments = {"upload": str(upload), "files": files, "name": wish["name"]}
        return queued(queue_run(kind="rebuilding", arguments=arguments, created_by=self.account), request)
