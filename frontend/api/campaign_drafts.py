"""Drafts of campaigns, as the new-campaign page stores them: only one's own."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaigns.actions.campaign_drafts import discard_campaign_draft, keep_campaign_draft
from campaigns.models import Account, CampaignDraft
from frontend.access import get_own
from frontend.api.requests import read
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation

LONGEST_VALUE = 250_000


class CampaignDraftRequestSerializer(serializers.Serializer[Any]):
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


@listed("campaign_drafts", "My drafts of new campaigns", CampaignDraft, ListedDraftSerializer, is_newest_first=True)
class CampaignDraftsView(ListView):
    def rows(self, **_place: Any) -> Any:
        return CampaignDraft.objects.filter(account=self.account)

    @operation("keep_campaign_draft", {201: CampaignDraftSerializer}, request=CampaignDraftRequestSerializer)
    def post(self, request: Request) -> Any:
        """Save a draft of a new campaign."""
        return _save_draft(request, self.creator, None)


class CampaignDraftView(ResourceView):
    @operation("campaign_draft", CampaignDraftSerializer)
    def get(self, _request: Request, pk: int) -> Any:
        """One of my drafts."""
        return get_own(CampaignDraft, self.account, pk)

    @operation("change_campaign_draft", CampaignDraftSerializer, request=CampaignDraftRequestSerializer)
    def put(self, request: Request, pk: int) -> Any:
        """Change a draft."""
        return _save_draft(request, self.account, get_own(CampaignDraft, self.account, pk))

    @operation("discard_campaign_draft", nothing_left("It is gone."))
    def delete(self, _request: Request, pk: int) -> None:
        """Discard a draft."""
        discard_campaign_draft(draft=get_own(CampaignDraft, self.account, pk))


def _save_draft(request: Request, account: Account, draft: CampaignDraft | None) -> CampaignDraft:
    values = read(request, CampaignDraftRequestSerializer)["values"]
    return keep_campaign_draft(account=account, values=values, draft=draft)
