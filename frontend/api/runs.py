"""Background runs: asked for, watched, cancelled, read. A run is the answer to whatever takes time."""

from typing import Any

from django.http import Http404
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field

from campaigns.models import Account, Campaign
from frontend.access import READS_RESULTS, RUNS_IT, get_campaign_for, get_run_for, has_role, runs_for
from frontend.api.idempotency import idempotent
from frontend.api.pagination import NewestFirst
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView
from frontend.filters import RunFilter
from jobs.actions import cancel_run, queue_run
from jobs.models import PENDING, Run, RunPart, RunStatus
from jobs.queries import newest_run, parts_of

NOBODYS_BUSINESS = ("files", "form", "people")  # where uploads lie on the server, a page's form, who is to come


class RunSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="Such as analysis or new_campaign.")
    campaign = serializers.SlugField(source="campaign.slug", allow_null=True, default=None)
    test_set = serializers.SlugField(source="test_set.slug", allow_null=True, default=None)
    arguments = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=RunStatus.values)
    progress = serializers.FloatField(help_text="From 0 to 1.")
    progress_note = serializers.CharField()
    signature = serializers.CharField(help_text="Everything that can change a number of the result.")
    error = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_arguments(self, run: Run) -> dict[str, Any]:
        return {name: value for name, value in run.arguments.items() if name not in NOBODYS_BUSINESS}


class RunResultSerializer(RunSerializer):
    result = serializers.DictField(allow_null=True, help_text="Of an analysis, without its parts.")
    parts = serializers.SerializerMethodField(help_text="Names of the analyses that have an address of their own.")

    def get_parts(self, run: Run) -> list[str]:
        return list(RunPart.objects.filter(run=run).order_by("pk").values_list("name", flat=True))


class PartSerializer(serializers.Serializer[Any]):
    run = serializers.IntegerField()
    name = serializers.CharField()
    result = serializers.JSONField()


class AnalysisWishSerializer(serializers.Serializer[Any]):
    recipe = serializers.CharField(allow_null=True, default=None, max_length=40)
    analyses = serializers.ListField(
        child=serializers.CharField(max_length=40), allow_null=True, default=None, max_length=50
    )
    options = serializers.DictField(default=dict)


def queued(run: Run, request: Request, *, is_new: bool = True) -> Response:
    """What is answered to whoever asked for something that takes time."""
    place = {"Location": reverse("api-run", kwargs={"pk": run.pk}, request=request)}
    code = status.HTTP_202_ACCEPTED if is_new else status.HTTP_200_OK
    return Response(RunSerializer(run).data, status=code, headers=place)


def queued_once(request: Request, *, kind: str, campaign: Campaign, arguments: dict[str, Any], by: Account) -> Response:
    """The one that is under way, or a new one."""
    pending = newest_run(campaign, kind, arguments=arguments)
    if pending is not None and pending.status in PENDING:
        return queued(pending, request, is_new=False)
    return queued(queue_run(kind=kind, campaign=campaign, arguments=arguments, created_by=by), request)


class RunsView(ListView):
    tag = "Runs"
    queryset = Run.objects.none()
    serializer_class = RunSerializer
    filterset_class = RunFilter
    pagination_class = NewestFirst

    def rows(self, **_place: Any) -> Any:
        return runs_for(self.account)

    @extend_schema(operation_id="runs", summary="Runs I may see", responses=RunSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page()


class CampaignRunsView(ListView):
    tag = "Runs"
    queryset = Run.objects.none()
    serializer_class = RunSerializer
    filterset_class = RunFilter
    pagination_class = NewestFirst

    def rows(self, **place: Any) -> Any:
        campaign = get_campaign_for(self.account, place["slug"], *READS_RESULTS)
        return Run.objects.filter(campaign=campaign).select_related("campaign", "test_set")

    @extend_schema(operation_id="campaign_runs", summary="Runs of a campaign", responses=RunSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)

    @extend_schema(
        operation_id="analyse",
        summary="Have the results computed, unless the same is under way",
        request=AnalysisWishSerializer,
        responses={202: RunSerializer, 200: RunSerializer},
        examples=[
            OpenApiExample("As the protocol is analysed", {}, request_only=True),
            OpenApiExample(
                "As at WMT24, without the annotators who fail controls",
                {"recipe": "wmt24", "options": {"include": "passed"}},
                request_only=True,
            ),
        ],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        body = dict(read(request, AnalysisWishSerializer))
        return queued_once(request, kind="analysis", campaign=campaign, arguments=body, by=self.account)


class RunView(ResourceView):
    tag = "Runs"

    @extend_schema(operation_id="run", summary="A run with its result", responses=RunResultSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        return Response(RunResultSerializer(get_run_for(self.account, pk)).data)


class RunPartView(ResourceView):
    tag = "Runs"

    @extend_schema(operation_id="run_part", summary="One analysis of a run", responses=PartSerializer)
    def get(self, request: Request, pk: int, name: str) -> Response:  # noqa: ARG002 - Django hands it over
        run = get_run_for(self.account, pk)
        found = parts_of(run, name)
        if name not in found:
            raise Http404
        return Response(PartSerializer({"run": run.pk, "name": name, "result": found[name]}).data)


class CancelRunView(ResourceView):
    tag = "Runs"

    @extend_schema(
        operation_id="cancel_run",
        summary="End a run that has not ended: who asked for it, and organisers of its campaign",
        request=None,
        responses=RunSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        run = get_run_for(self.account, pk)
        is_others = run.created_by_id != self.account.pk
        if is_others and run.campaign is not None and not has_role(self.account, run.campaign, *RUNS_IT):
            raise PermissionDenied
        return Response(RunSerializer(cancel_run(run=run)).data)
