"""A campaign's link for a crowd: its settings, a new link, and who came by it."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaigns.actions.crowds import MOST_PLACES, CrowdSpec, renew_crowd_link, set_crowd
from campaigns.models import Campaign, Crowd, CrowdPlace
from campaigns.models.crowds import ADDRESS_LIMIT
from campaigns.queries import crowd_of
from campaigns.site_address import site_address
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, operation

TAG = "Crowds"


class CrowdRequestSerializer(serializers.Serializer[Any]):
    is_open = serializers.BooleanField(default=False, help_text="Whether people may join.")
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)
    counted_label = serializers.CharField(default="", allow_blank=True, max_length=40)
    places_each = serializers.IntegerField(
        default=None, allow_null=True, min_value=1, max_value=MOST_PLACES, help_text="For each value of that label."
    )
    needs_participant = serializers.BooleanField(default=True)
    parameters = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Own names in the link, with their labels."
    )
    completed_address = serializers.CharField(default="", allow_blank=True, max_length=ADDRESS_LIMIT)
    screened_out_address = serializers.CharField(default="", allow_blank=True, max_length=ADDRESS_LIMIT)
    full_address = serializers.CharField(default="", allow_blank=True, max_length=ADDRESS_LIMIT)


class CrowdSerializer(CrowdRequestSerializer):
    link = serializers.SerializerMethodField(help_text="For everybody; empty before the first settings.")

    def get_link(self, crowd: Crowd) -> str:
        return site_address(f"/join/{crowd.key}/") if crowd.key else ""


class CrowdPlaceSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="membership.account.username")
    participant = serializers.CharField(allow_blank=True)
    labels = serializers.DictField(child=serializers.CharField())
    joined_at = serializers.DateTimeField()
    screened_out_at = serializers.DateTimeField(allow_null=True)


class CrowdView(OrganiserView):
    @operation("crowd", CrowdSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """The link for a crowd."""
        return crowd_of(campaign) or Crowd(campaign=campaign)

    @operation("set_crowd", CrowdSerializer, request=CrowdRequestSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Change the settings of the link; the first time, make it."""
        return set_crowd(campaign=campaign, spec=CrowdSpec(**read(request, CrowdRequestSerializer)), by=self.account)


class CrowdLinkView(OrganiserView):
    @operation("renew_crowd_link", CrowdSerializer)
    def post(self, _request: Request, campaign: Campaign) -> Any:
        """Replace the link; the old one lets nobody in any more."""
        crowd = crowd_of(campaign)
        if crowd is None:
            raise Http404
        return renew_crowd_link(crowd=crowd, by=self.account)


@listed("crowd_people", "People who came by the link for a crowd", CrowdPlace, CrowdPlaceSerializer)
class CrowdPeopleView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return CrowdPlace.objects.filter(crowd__campaign=campaign).select_related("membership__account")
