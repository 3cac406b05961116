"""Campaigns: listed, asked for, read, changed, opened and closed."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, extend_schema

from annotation.actions import set_status
from annotation.protocols import PROTOCOLS
from campaigns.actions import change_texts, choose_on_withdrawal
from campaigns.models import Campaign, CampaignStatus, Planning, Role, Withdrawal
from campaigns.queries import campaigns_of, systems_of
from frontend.access import READS_RESULTS, RUNS_IT, get_campaign_for
from frontend.api.campaign_wish import CampaignWishSerializer, arguments_of
from frontend.api.errors import InvalidPayload
from frontend.api.once import once
from frontend.api.pagination import NewestFirst
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView
from frontend.api.runs import RunSerializer, queued
from frontend.organiser.campaign_list import CampaignFilter
from metrics.actions import queue_run

LONGEST_TEXT = 100_000
EXAMPLE = {
    "name": "News 2026",
    "test_set": "news-2026",
    "protocol": "direct_assessment",
    "redundancy": 2,
    "items_per_assignment": 50,
    "repeats_share": 0.1,
    "guidelines": "Ask *how much* of the meaning reaches the reader.",
}


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


class WholeCampaignSerializer(CampaignSerializer):
    options = serializers.DictField(help_text="As docs/protocols.md describes them.")
    guidelines = serializers.CharField(allow_blank=True)
    consent = serializers.CharField(allow_blank=True)
    planning = serializers.ChoiceField(choices=Planning.values)
    redundancy = serializers.IntegerField()
    items_per_assignment = serializers.IntegerField()
    reservation_minutes = serializers.IntegerField()
    systems_per_segment = serializers.IntegerField(allow_null=True)
    repeats_share = serializers.FloatField()
    degraded_share = serializers.FloatField()
    on_withdrawal = serializers.ChoiceField(
        choices=Withdrawal.values, help_text="What becomes of the answers of somebody who withdraws their consent."
    )
    pass_mark = serializers.FloatField(allow_null=True)
    practice_attempts = serializers.IntegerField()
    seed = serializers.IntegerField()
    systems = serializers.SerializerMethodField()

    def get_systems(self, campaign: Campaign) -> list[str]:
        return list(systems_of(campaign).order_by("name").values_list("name", flat=True))


class CampaignTextsSerializer(serializers.Serializer[Any]):
    """What is left out stays as it is."""

    guidelines = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Markdown."
    )
    consent = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Markdown."
    )

    on_withdrawal = serializers.ChoiceField(
        choices=Withdrawal.values, required=False, help_text="Fixed as soon as somebody has agreed to it."
    )


class StatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=[CampaignStatus.OPEN, CampaignStatus.PAUSED, CampaignStatus.CLOSED])


class CampaignsView(ListView):
    queryset = Campaign.objects.none()
    serializer_class = CampaignSerializer
    filterset_class = CampaignFilter
    pagination_class = NewestFirst

    def rows(self, **_place: Any) -> Any:
        return campaigns_of(self.account, Role.ORGANISER, Role.RESEARCHER).select_related("test_set")

    @extend_schema(
        operation_id="campaigns", summary="Campaigns I organise or research", responses=CampaignSerializer(many=True)
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page()

    @extend_schema(
        operation_id="create_campaign",
        summary="Have a campaign made: the run's result names it",
        request=CampaignWishSerializer,
        responses={202: RunSerializer},
        examples=[OpenApiExample("On a test set that is there", EXAMPLE, request_only=True)],
    )
    @once
    def post(self, request: Request) -> Response:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        arguments = arguments_of(read(request, CampaignWishSerializer), self.account)
        return queued(queue_run(kind="new_campaign", arguments=arguments, created_by=self.account), request)


class CampaignView(ResourceView):
    @extend_schema(operation_id="campaign", summary="A campaign with its settings", responses=WholeCampaignSerializer)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        return Response(WholeCampaignSerializer(campaign).data)

    @extend_schema(
        operation_id="change_campaign",
        summary="Change what annotators read",
        request=CampaignTextsSerializer,
        responses=WholeCampaignSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        texts = {"guidelines": campaign.guidelines, "consent": campaign.consent}
        texts |= read(request, CampaignTextsSerializer)
        chosen = texts.pop("on_withdrawal", campaign.on_withdrawal)
        if not choose_on_withdrawal(campaign=campaign, on_withdrawal=chosen, by=self.account):
            raise InvalidPayload(
                {"on_withdrawal": [_("Somebody has already agreed to this, so it cannot be changed.")]}
            )
        changed = change_texts(campaign=campaign, by=self.account, **texts)
        return Response(WholeCampaignSerializer(changed).data)


class CampaignStatusView(ResourceView):
    @extend_schema(
        operation_id="set_status",
        summary="Open, pause or close a campaign",
        request=StatusSerializer,
        responses=CampaignSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        changed = set_status(campaign=campaign, by=self.account, **read(request, StatusSerializer))
        return Response(CampaignSerializer(changed).data)
