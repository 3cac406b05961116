"""Tags of segments, given and taken back beside those that came with the texts."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from campaigns.actions import tag_segment, untag_segment
from campaigns.models import Campaign, Segment
from frontend.access import READS_RESULTS, get_campaign_for
from frontend.api.errors import InvalidPayload
from frontend.api.once import once
from frontend.api.payloads import read, refuse_unknown
from frontend.api.resource_view import ResourceView

PLACE = ("document", "segment", "tag")


class TagSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(max_length=255)
    segment = serializers.CharField(max_length=255)
    tag = serializers.CharField(max_length=100)


class TagsSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(source="document.name")
    segment = serializers.CharField(source="name")
    tags = serializers.ListField(child=serializers.CharField())


class SegmentTagsView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="tag_segment",
        summary="Give a segment a tag, for all campaigns on these texts",
        request=TagSerializer,
        responses={201: TagsSerializer},
        examples=[
            OpenApiExample("An idiom", {"document": "ferry", "segment": "1", "tag": "idiom"}, request_only=True),
        ],
    )
    @once
    def post(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        wish = read(request, TagSerializer)
        tagged = tag_segment(segment=_segment(campaign, wish), tag=wish["tag"], campaign=campaign, by=self.account)
        return Response(TagsSerializer(tagged).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="untag_segment",
        summary="Take back a tag that was given here",
        parameters=[OpenApiParameter(name, str, required=True) for name in PLACE],
        responses={204: OpenApiResponse(description="It is gone; what came with the texts stays.")},
    )
    def delete(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        refuse_unknown(request, PLACE)
        filled = TagSerializer(data=request.query_params)
        filled.is_valid(raise_exception=True)
        wish = filled.validated_data
        untag_segment(segment=_segment(campaign, wish), tag=wish["tag"], campaign=campaign, by=self.account)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _segment(campaign: Campaign, wish: Mapping[str, Any]) -> Segment:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).select_related("document")
    found = own.filter(document__name=wish["document"], name=wish["segment"]).first()
    if found is None:
        raise InvalidPayload({"segment": [_("These texts have no such segment.")]})
    return found
