"""Links that show a campaign's results to whoever holds them."""

from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from campaigns.actions import make_share_link, revoke_share_link
from campaigns.models import ShareLink
from campaigns.site_address import site_address
from frontend.access import RUNS_IT, get_campaign_for, get_share_link_in
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ListView, ResourceView

MOST_DAYS = 730


class ShareWishSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100, help_text="For whom, or what for.")
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=90)
    shows_texts = serializers.BooleanField(default=False)


class ShareSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    shows_texts = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewShareSerializer(ShareSerializer):
    link = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")


class SharesView(ListView):
    tag = "Results"
    queryset = ShareLink.objects.none()
    serializer_class = ShareSerializer

    def rows(self, **place: Any) -> Any:
        return get_campaign_for(self.account, place["slug"], *RUNS_IT).share_links.all()

    @extend_schema(operation_id="shares", summary="Links to the results", responses=ShareSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        return self.page(slug=slug)

    @extend_schema(
        operation_id="share_results",
        summary="Make a link that shows the results, annotators as numbers",
        request=ShareWishSerializer,
        responses={201: NewShareSerializer},
        examples=[OpenApiExample("For reviewers", {"name": "reviewers", "days": 60}, request_only=True)],
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        share, secret = make_share_link(campaign=campaign, by=self.account, **read(request, ShareWishSerializer))
        link = site_address(reverse("shared-results", kwargs={"secret": secret}))
        return Response({**ShareSerializer(share).data, "link": link}, status=status.HTTP_201_CREATED)


class ShareView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="revoke_share",
        summary="Revoke a link to the results",
        responses={204: OpenApiResponse(description="It has ended.")},
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:  # noqa: ARG002 - Django hands it over
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        revoke_share_link(link=get_share_link_in(campaign, pk), by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)
