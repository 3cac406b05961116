"""What leaving an annotator out would change, or counting one again: found out before anything is decided."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import OpenApiExample, extend_schema

from frontend.access import RUNS_IT, get_annotator_of, get_campaign_for
from frontend.api.once import once
from frontend.api.payloads import read
from frontend.api.resource_view import ResourceView
from frontend.api.runs import RunSerializer, queued_once
from metrics.analysis_runs import USUAL
from metrics.exclusion_trial import trial_arguments
from metrics.recipes import recipe_for


class TrialSerializer(serializers.Serializer[Any]):
    recipe = serializers.CharField(allow_null=True, default=None, max_length=40)
    options = serializers.DictField(default=dict)


class ExclusionTrialView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="try_exclusion",
        summary="Have the effect of leaving an annotator out computed, or of counting one again",
        description=(
            "Nothing is decided by it. Once the run is done, its table `exclusion` has each system before and after, "
            "and its finding says in sentences what changes."
        ),
        request=TrialSerializer,
        responses={202: RunSerializer, 200: RunSerializer},
        examples=[OpenApiExample("As the protocol is analysed", {}, request_only=True)],
    )
    @once
    def post(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_of(campaign, username)
        wish = read(request, TrialSerializer)
        recipe_for(campaign.protocol, wish["recipe"], wish["options"])
        arguments = trial_arguments(campaign, annotator, {**USUAL, **wish})
        return queued_once(request, kind="analysis", campaign=campaign, arguments=arguments, by=self.account)
