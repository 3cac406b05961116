"""Where two annotators disagree most, with both answers side by side."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from frontend.access import READS_RESULTS, get_annotators_of, get_campaign_for
from frontend.api.pagination import whole_number
from frontend.api.payloads import refuse_unknown
from frontend.api.resource_view import ResourceView
from metrics.pair_disagreements import MOST_IN_FILE, MOST_SHOWN, pair_disagreements

PARAMETERS = [
    OpenApiParameter("first", OpenApiTypes.STR, required=True, description="A username."),
    OpenApiParameter("second", OpenApiTypes.STR, required=True, description="Another one."),
    OpenApiParameter("measure", OpenApiTypes.STR, description="Left out: the first there is."),
    OpenApiParameter(
        "most", OpenApiTypes.INT, description=f"How many, {MOST_SHOWN} unless told, {MOST_IN_FILE} at most."
    ),
]


class MarkSerializer(serializers.Serializer[Any]):
    side = serializers.CharField()
    severity = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    words = serializers.CharField(allow_blank=True)


class GivenSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField()
    text = serializers.CharField(allow_blank=True, help_text="A translation as it was corrected.")
    comment = serializers.CharField(allow_blank=True)
    marks = MarkSerializer(many=True)
    questions = serializers.SerializerMethodField(help_text="What was answered, by question.")

    def get_questions(self, given: Any) -> dict[str, str]:
        return dict(given.given)


class BothSerializer(serializers.Serializer[Any]):
    systems = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(allow_blank=True)
    answers = GivenSerializer(many=True, help_text="The first annotator's, then the second's.")


class DifferenceSerializer(serializers.Serializer[Any]):
    apart = serializers.FloatField(help_text="In the measure's units; of preferences, comparisons.")
    document = serializers.CharField()
    segment = serializers.CharField(source="segment.name", allow_null=True, default=None)
    segment_id = serializers.IntegerField(source="segment.pk", allow_null=True, default=None)
    outputs = BothSerializer(many=True)


class DisagreementsSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    measure = serializers.CharField()
    shared = serializers.IntegerField(help_text="Outputs (or comparisons) both judged.")
    alike = serializers.IntegerField(help_text="Of these, with the same answer.")
    results = DifferenceSerializer(source="differences", many=True)


class DisagreementsView(ResourceView):
    tag = "Results"

    @extend_schema(
        operation_id="disagreements",
        summary="Where two annotators lie furthest apart, with what each answered",
        parameters=PARAMETERS,
        responses=DisagreementsSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *READS_RESULTS)
        refuse_unknown(request, [parameter.name for parameter in PARAMETERS])
        most = whole_number(request, "most", usual=MOST_SHOWN, most=MOST_IN_FILE)
        first, second, measure = (request.query_params.get(name, "") for name in ("first", "second", "measure"))
        pair = get_annotators_of(campaign, first, second)
        disagreements = pair_disagreements(campaign, pair, measure, most=most)
        if disagreements is None:
            raise Http404
        body = {
            "first": pair[0].username,
            "second": pair[1].username,
            "measure": disagreements.measure.name,
            "shared": disagreements.shared,
            "alike": disagreements.alike,
            "differences": disagreements.differences,
        }
        return Response(DisagreementsSerializer(body).data)
