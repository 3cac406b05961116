"""Campaigns: listed, requested, read, changed, opened and closed, extended."""

from typing import Any

from django.http import Http404
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.actions.checked_spec import errors_of
from annotation.actions.housekeeping import (
    archive_campaign,
    delete_campaign,
    rename_campaign,
    set_deadline,
    set_project,
)
from annotation.actions.status import set_status
from annotation.campaign_spec import NAME_LIMIT, PARAMETERS, CampaignSpec, Parameter, parameters_in
from annotation.guidelines import with_guidelines
from annotation.planning.options import PlanningError
from annotation.protocols import PROTOCOLS
from annotation.queries.progress import extension_cost
from campaigns.actions.forgetting import choose_on_withdrawal
from campaigns.actions.memberships import change_texts
from campaigns.models import Account, Campaign, CampaignStatus, Role, Scope, TestSet
from campaigns.queries import campaigns_of
from frontend.access import READS_RESULTS, RUNS_IT, get_campaign_for, get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.requests import TextUUIDField, read, read_what_is_valid
from frontend.api.runs import RunSerializer, queued
from frontend.api.uploads import UploadedTextsSerializer, uploaded_texts
from frontend.api.views import ListView, OrganiserView, ResourceView, listed, nothing_left, operation
from frontend.filters import CampaignFilter
from frontend.uploads import inspection_result
from jobs.actions import queue_run
from jobs.models import PENDING
from jobs.queries import runs_of
from metrics.plan_estimate import PlanEstimate, plan_estimate


def parameter_field(parameter: Parameter, *, is_read: bool = False, **about: Any) -> Any:
    """Values that are read have no bounds: these may have been different when they were stored."""
    about = {"help_text": f"{capfirst(parameter.help)}.", "allow_null": parameter.default is None, **about}
    match parameter.kind:
        case "number":
            bounds = {} if is_read else {"min_value": parameter.low, "max_value": parameter.high}
            return serializers.IntegerField(**about | bounds)
        case "share":
            return serializers.FloatField(**about | ({} if is_read else {"min_value": 0, "max_value": 1}))
        case "limit":
            return serializers.FloatField(**about | ({} if is_read else {"min_value": 0}))
        case "choice":
            return serializers.ChoiceField(choices=parameter.names, **about)
        case "text":
            longest = {} if is_read else {"max_length": parameter.high}
            return serializers.CharField(allow_blank=True, trim_whitespace=False, **about | longest)


class PlanSpecSerializer(serializers.Serializer[Any]):
    """With an existing `test_set`, or with files of an `upload`."""

    protocol = serializers.ChoiceField(choices=list(PROTOCOLS))
    options = serializers.DictField(default=dict, help_text="As docs/protocols.md describes them.")
    test_set = serializers.SlugField(allow_null=True, default=None)
    upload = TextUUIDField(allow_null=True, default=None)
    of_plan: bool | None = True

    def get_fields(self) -> dict[str, Any]:
        shown = parameters_in("api", of_plan=self.of_plan)
        return {**super().get_fields(), **{each.name: parameter_field(each, default=each.default) for each in shown}}


class CampaignSpecSerializer(UploadedTextsSerializer, PlanSpecSerializer):
    """With an existing `test_set`, or with files of an `upload` and its languages."""

    name = serializers.CharField(max_length=NAME_LIMIT)
    open = serializers.BooleanField(default=False, help_text="For judging, at once.")
    of_plan = None


class CampaignSerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    name = serializers.CharField()
    test_set = serializers.SlugField(source="test_set.slug")
    source_language = serializers.CharField(source="test_set.source_language")
    target_language = serializers.CharField(source="test_set.target_language")
    protocol = serializers.ChoiceField(choices=list(PROTOCOLS))
    status = serializers.ChoiceField(choices=CampaignStatus.values)
    created_at = serializers.DateTimeField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    project = serializers.CharField(allow_blank=True)
    finish_by = serializers.DateField(source="last_day", allow_null=True, help_text="The last day for judging.")


class WholeCampaignSerializer(CampaignSerializer):
    options = serializers.DictField(help_text="As docs/protocols.md describes them.")
    items_per_assignment = serializers.IntegerField()
    pass_mark = serializers.FloatField(allow_null=True)
    practice_attempts = serializers.IntegerField()
    seed = serializers.IntegerField()
    systems = serializers.ListField(child=serializers.CharField())

    def get_fields(self) -> dict[str, Any]:
        shown = parameters_in("api")  # those without a column may be newer than a client, or an example
        fields = {each.name: parameter_field(each, is_read=True, required=each.has_column) for each in shown}
        return fields | super().get_fields()

    def to_representation(self, instance: Campaign) -> dict[str, Any]:
        row = {**vars(instance), "test_set": instance.test_set, "last_day": instance.last_day}
        return super().to_representation({**row, **CampaignSpec.of(instance).as_json()})


class CampaignTextsSerializer(serializers.Serializer[Any]):
    """Missing fields stay as they are."""

    name = serializers.CharField(required=False)
    finish_by = serializers.DateField(required=False, allow_null=True, help_text="The last day for judging.")
    is_archived = serializers.BooleanField(required=False, help_text="Left out of the list of campaigns.")

    def get_fields(self) -> dict[str, Any]:
        texts = {each.name: parameter_field(each, required=False) for each in parameters_in("api", of_plan=False)}
        return super().get_fields() | texts


class StatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=[CampaignStatus.OPEN, CampaignStatus.PAUSED, CampaignStatus.CLOSED])


@listed(
    "campaigns", "Campaigns I organise or research", Campaign, CampaignSerializer, CampaignFilter, is_newest_first=True
)
class CampaignsView(ListView):
    def rows(self, **_place: Any) -> Any:
        return campaigns_of(self.account, Role.ORGANISER, Role.RESEARCHER).select_related("test_set")

    @operation("create_campaign", {202: RunSerializer}, request=CampaignSpecSerializer)
    def post(self, request: Request) -> Response:
        """Create a campaign; the run's result names it."""
        arguments = _arguments_of(request, self.creator)
        return queued(queue_run(kind="new_campaign", arguments=arguments, created_by=self.account), request)


class CampaignView(ResourceView):
    @operation("campaign", WholeCampaignSerializer)
    def get(self, _request: Request, slug: str) -> Any:
        """A campaign with its settings."""
        return get_campaign_for(self.account, slug, *READS_RESULTS)

    @operation("change_campaign", WholeCampaignSerializer, request=CampaignTextsSerializer)
    def patch(self, request: Request, slug: str) -> Any:
        """Change the name, the project, the last day, the texts that annotators read, or whether it is archived."""
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        texts: dict[str, Any] = {"guidelines": campaign.guidelines, "consent": campaign.consent}
        texts |= read(request, CampaignTextsSerializer)
        if "name" in texts:
            rename_campaign(campaign=campaign, name=texts.pop("name"), by=self.account)
        if "project" in texts:
            set_project(campaign=campaign, project=texts.pop("project"), by=self.account)
        if "finish_by" in texts:
            set_deadline(campaign=campaign, day=texts.pop("finish_by"), by=self.account)
        if "is_archived" in texts:
            archive_campaign(campaign=campaign, is_archived=texts.pop("is_archived"), by=self.account)
        chosen = texts.pop("on_withdrawal", campaign.on_withdrawal)
        if not choose_on_withdrawal(campaign=campaign, on_withdrawal=chosen, by=self.account):
            raise InvalidPayload(
                {"on_withdrawal": [_("Somebody has already agreed to this, so it cannot be changed.")]}
            )
        return change_texts(campaign=campaign, by=self.account, **texts)


class DeletionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(required=False, default="", help_text="Its name, if it has judgments.")


class CampaignDeletionView(OrganiserView):
    @operation("delete_campaign", nothing_left("It is set aside for seven days."), request=DeletionSerializer)
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Delete a closed campaign, or a draft; its organiser can restore it on the list of campaigns."""
        delete_campaign(campaign=campaign, typed_name=read(request, DeletionSerializer)["name"], by=self.account)
        return Response(status=204)


class CampaignStatusView(OrganiserView):
    @operation("set_status", CampaignSerializer, request=StatusSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Open, pause or close a campaign."""
        return set_status(campaign=campaign, by=self.account, **read(request, StatusSerializer))


def _arguments_of(request: Request, account: Account) -> dict[str, Any]:
    """The run's arguments, plain JSON. Raises every error that can be known by now."""
    values, errors = read_what_is_valid(request, CampaignSpecSerializer)
    spec = CampaignSpec.from_json({"name": "", "protocol": "", **values})
    texts: dict[str, Any] = {"test_set": None, "upload": "", "files": []}
    test_set = None
    if values.get("test_set") is not None:
        test_set = _test_set_called(values["test_set"], account, errors)
        texts["test_set"] = test_set and test_set.pk
    elif "test_set" not in errors:
        texts |= uploaded_texts(values, account, errors)
    errors = errors_of(spec, test_set) | errors
    if errors:
        raise InvalidPayload(errors)
    return {**values, **with_guidelines(spec).as_json(), **texts}


def _test_set_called(slug: str, account: Account, errors: dict[str, list[str]]) -> TestSet | None:
    try:
        return get_test_set_for(account, slug)
    except Http404:
        errors["test_set"] = [_("There is no such test set.")]
        return None


class PlanSumsSerializer(serializers.Serializer[Any]):
    documents = serializers.IntegerField(source="counts.documents")
    segments = serializers.IntegerField(source="counts.segments")
    systems = serializers.IntegerField(source="counts.systems")
    outputs = serializers.IntegerField(source="sums.outputs")
    judgments = serializers.IntegerField(source="sums.judgments")
    repeats = serializers.IntegerField(source="sums.repeats")
    degraded = serializers.IntegerField(source="sums.degraded")
    document_scores = serializers.IntegerField(source="sums.document_scores")
    total = serializers.IntegerField(source="sums.total", help_text="All kinds of judgments together.")
    assignments = serializers.IntegerField(source="sums.assignments")
    is_exact = serializers.BooleanField(source="sums.is_exact", help_text="If not, identical outputs may make it less.")
    fewest_annotators = serializers.IntegerField(source="sums.fewest_annotators")
    pairs = serializers.ListField(
        child=serializers.IntegerField(),
        source="sums.pairs",
        allow_null=True,
        help_text="On how many screens two systems stand together: the pair that does so least often, and most often. "
        "Null where screens show one system, and for very large plans.",
    )
    seconds = serializers.IntegerField(help_text="Of judging, as long as such items usually take.")
    enough = serializers.ListField(
        child=serializers.CharField(), help_text="The differences it can show; empty if unknown."
    )


class PlanSumsView(ResourceView):
    scopes = {"POST": Scope.READ}

    @operation("plan_sums", PlanSumsSerializer, request=PlanSpecSerializer, is_repeatable=True)
    def post(self, request: Request) -> Any:
        """How much a campaign would ask for, before it is created.

        Nothing is stored. It takes the fields of a new campaign that decide how much is judged.
        """
        return _sums_of(request, self.account)


def _sums_of(request: Request, account: Account) -> PlanEstimate:
    """The totals of a plan."""
    values, errors = read_what_is_valid(request, PlanSpecSerializer)
    spec = CampaignSpec.from_json({"name": "", "protocol": "", **values})
    slug = values.get("test_set")
    test_set = None if slug is None else _test_set_called(slug, account, errors)
    errors = {name: messages for name, messages in errors_of(spec, None).items() if name != "name"} | errors
    if errors:
        raise InvalidPayload(errors)
    try:
        inspection = inspection_result(account, values["upload"])
        estimate = plan_estimate(spec, account, test_set=test_set, inspection=inspection)
    except PlanningError as error:
        raise InvalidPayload({"body": [str(error)]}) from error
    if estimate is None:
        raise InvalidPayload({"test_set": [_("Name a test set, or an upload whose files were read.")]})
    return estimate


class ExtensionSerializer(serializers.Serializer[Any]):
    redundancy = serializers.IntegerField(
        min_value=1, max_value=PARAMETERS["redundancy"].high, help_text="Judgments of each segment from then on."
    )


class ExtensionCostSerializer(serializers.Serializer[Any]):
    """What one more judgment of each segment costs."""

    redundancy = serializers.IntegerField(help_text="Judgments of each segment that are planned now.")
    items = serializers.IntegerField(source="cost.items")
    assignments = serializers.IntegerField(source="cost.assignments")
    seconds = serializers.IntegerField(source="cost.seconds", help_text="As long as such items usually take.")


class ExtensionView(OrganiserView):
    @operation("extension_cost", ExtensionCostSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """What one more judgment of each segment would add."""
        return {"redundancy": campaign.redundancy, "cost": extension_cost(campaign)}

    @operation("extend_campaign", {202: RunSerializer, 200: RunSerializer}, request=ExtensionSerializer)
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Plan further rounds of judgments, unless a run is already planning some."""
        body = read(request, ExtensionSerializer)
        pending = runs_of(campaign, "extension").first()
        if pending is not None and pending.status in PENDING:
            return queued(pending, request, is_new=False)
        return queued(queue_run(kind="extension", campaign=campaign, arguments=body, created_by=self.account), request)
