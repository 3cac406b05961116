"""The spans of a metric as the errors that annotators of a campaign start from."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.models import Campaign
from frontend.api.requests import read
from frontend.api.views import OrganiserView, operation
from metrics.actions.suggesting import suggest_spans


class SuggestionRequestSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField(max_length=100, help_text="One that marks errors, such as comet:XCOMET-XL.")


class SuggestedSpansSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField()
    spans = serializers.IntegerField()
    outputs = serializers.IntegerField(help_text="Those that the metric scored.")
    unscored = serializers.IntegerField(help_text="Outputs of the campaign that start without suggestions.")
    milder = serializers.IntegerField(help_text="Spans whose severity the campaign does not have: the next milder one.")


class SuggestedSpansView(OrganiserView):
    @operation("suggest_spans", {201: SuggestedSpansSerializer}, request=SuggestionRequestSerializer)
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Let annotators start from the spans of a metric, before they begin."""
        body = read(request, SuggestionRequestSerializer)
        suggested = suggest_spans(campaign=campaign, metric=body["metric"], by=self.account)
        return Response(asdict(suggested), status=status.HTTP_201_CREATED)
