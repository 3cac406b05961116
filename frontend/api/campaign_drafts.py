"""Campaigns that are not made yet, as the new-campaign page keeps them: one's own alone."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from campaigns.actions import discard_campaign_draft, keep_campaign_draft
from campaigns.models import CampaignDraft
from frontend.access import get_campaign_draft_of
from frontend.api.idempotency import idempotent
from frontend.api.pagination import NewestFirst
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView

LONGEST_VALUE = 250_000
EXAMPLE = {"values": {"name": ["News 2026"], "protocol": ["esa"], "redundancy": ["2"]}}


class CampaignDraftWishSerializer(serializers.Serializer[Any]):
    values = serializers.DictField(
        child=serializers.ListField(
            child=serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_VALUE)
        ),
        help_text="Fields of the page's form by name, each a list of texts. Passwords in `people` are left out.",
    )


class ListedDraftSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class CampaignDraftSerializer(ListedDraftSerializer):
    values = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class CampaignDraftsView(ListView):
    queryset = CampaignDraft.objects.none()
    serializer_class = ListedDraftSerializer
    pagination_class = NewestFirst

    def rows(self, **_place: Any) -> Any:
        return CampaignDraft.objects.filter(account=self.account)

    @extend_schema(
        operation_id="campaign_drafts",
        summary="My campaigns that are not made yet",
        responses=ListedDraftSerializer(many=True),
    )
    def get(self, request: Request) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page()

    @extend_schema(
        operation_id="keep_campaign_draft",
        summary="Keep what was entered of a new campaign",
        request=CampaignDraftWishSerializer,
        responses={201: CampaignDraftSerializer},
        examples=[OpenApiExample("Begun", EXAMPLE, request_only=True)],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        draft = _kept(request, self, None)
        return Response(CampaignDraftSerializer(draft).data, status=status.HTTP_201_CREATED)


class CampaignDraftView(ResourceView):
    @extend_schema(operation_id="campaign_draft", summary="One of my drafts", responses=CampaignDraftSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        return Response(CampaignDraftSerializer(get_campaign_draft_of(self.account, pk)).data)

    @extend_schema(
        operation_id="change_campaign_draft",
        summary="Keep it as it is now",
        request=CampaignDraftWishSerializer,
        responses=CampaignDraftSerializer,
    )
    def put(self, request: Request, pk: int) -> Response:
        draft = _kept(request, self, get_campaign_draft_of(self.account, pk))
        return Response(CampaignDraftSerializer(draft).data)

    @extend_schema(
        operation_id="discard_campaign_draft",
        summary="Discard it",
        responses={204: OpenApiResponse(description="It is gone.")},
    )
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        discard_campaign_draft(draft=get_campaign_draft_of(self.account, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _kept(request: Request, view: ResourceView, draft: CampaignDraft | None) -> CampaignDraft:
    values = read(request, CampaignDraftWishSerializer)["values"]
    return keep_campaign_draft(account=view.account, values=values, draft=draft)
