"""Campaigns that are not made yet, as the new-campaign page keeps them: one's own alone."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.actions.campaign_drafts import discard_campaign_draft, keep_campaign_draft
from campaigns.models import CampaignDraft
from frontend.access import get_campaign_draft_of
from frontend.api.requests import idempotent, read
from frontend.api.views import ListView, NewestFirst, ResourceView, listed, nothing_left, operation

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


@listed("campaign_drafts", "My drafts of new campaigns", CampaignDraft, ListedDraftSerializer)
class CampaignDraftsView(ListView):
    pagination_class = NewestFirst

    def rows(self, **_place: Any) -> Any:
        return CampaignDraft.objects.filter(account=self.account)

    @operation(
        "keep_campaign_draft",
        "Save a draft of a new campaign",
        {201: CampaignDraftSerializer},
        request=CampaignDraftWishSerializer,
        examples={"Begun": EXAMPLE},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        if not self.account.may_create_campaigns:
            raise PermissionDenied
        draft = _kept(request, self, None)
        return Response(CampaignDraftSerializer(draft).data, status=status.HTTP_201_CREATED)


class CampaignDraftView(ResourceView):
    @operation("campaign_draft", "One of my drafts", CampaignDraftSerializer)
    def get(self, _request: Request, pk: int) -> Response:
        return Response(CampaignDraftSerializer(get_campaign_draft_of(self.account, pk)).data)

    @operation("change_campaign_draft", "Change a draft", CampaignDraftSerializer, request=CampaignDraftWishSerializer)
    def put(self, request: Request, pk: int) -> Response:
        draft = _kept(request, self, get_campaign_draft_of(self.account, pk))
        return Response(CampaignDraftSerializer(draft).data)

    @operation("discard_campaign_draft", "Discard a draft", nothing_left("It is gone."))
    def delete(self, _request: Request, pk: int) -> Response:
        discard_campaign_draft(draft=get_campaign_draft_of(self.account, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _kept(request: Request, view: ResourceView, draft: CampaignDraft | None) -> CampaignDraft:
    values = read(request, CampaignDraftWishSerializer)["values"]
    return keep_campaign_draft(account=view.account, values=values, draft=draft)
