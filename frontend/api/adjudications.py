"""Adjudications, which replace annotators' answers in the results; the answers themselves stay as they are."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.decisions import LONGEST_REASON, adjudicate, undo_adjudication
from annotation.models import Adjudication, Judgment
from annotation.queries.adjudications import entered_for
from campaigns.models import Campaign, Translation
from frontend.access import (
    HIGHEST_KEY,
    READS_RESULTS,
    get_adjudication_of,
    get_campaign_for,
    get_campaign_to_adjudicate,
)
from frontend.api.errors import InvalidPayload
from frontend.api.requests import TextUUIDField, read
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation

TAG = "Results"

LONGEST_NAME = 255


class DecidedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    answer = serializers.DictField(help_text="As of one slot.")
    based_on = serializers.UUIDField(source="based_on.client_id", allow_null=True, default=None)
    reason = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    decided_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class AdjudicationSerializer(DecidedSerializer):
    document = serializers.CharField(source="translation.segment.document.name")
    segment = serializers.CharField(source="translation.segment.name")
    system = serializers.CharField(
        source="translation.system.name", help_text="It holds for all systems with the same text."
    )


class DecisionSerializer(serializers.Serializer[Any]):
    """For one output, either an annotator's whole answer (`based_on`) or another one (`answer`)."""

    document = serializers.CharField(max_length=LONGEST_NAME)
    segment = serializers.CharField(max_length=LONGEST_NAME)
    system = serializers.CharField(max_length=LONGEST_NAME)
    answer = serializers.DictField(default=dict, help_text="As of one slot, see docs/protocols.md.")
    based_on = TextUUIDField(allow_null=True, default=None, help_text="The id of a judgment.")
    reason = serializers.CharField(max_length=LONGEST_REASON)
    instead_of = serializers.IntegerField(
        allow_null=True, default=None, min_value=1, max_value=HIGHEST_KEY, help_text="The current decision."
    )


@listed(
    "adjudications",
    "Adjudications, including those that were undone",
    Adjudication,
    AdjudicationSerializer,
    is_newest_first=True,
)
class AdjudicationsView(ListView):
    def rows(self, **place: Any) -> Any:
        campaign = get_campaign_for(self.account, place["slug"], *READS_RESULTS)
        own = Adjudication.objects.filter(campaign=campaign)
        return own.select_related("translation__segment__document", "translation__system", "based_on", "decided_by")

    @operation("adjudicate", {201: AdjudicationSerializer}, request=DecisionSerializer)
    def post(self, request: Request, slug: str) -> Any:
        """Adjudicate an output."""
        campaign = get_campaign_to_adjudicate(self.account, slug)
        body = read(request, DecisionSerializer)
        output = _output(campaign, body)
        chosen = _judgment(campaign, output, body)
        return adjudicate(
            campaign=campaign,
            translation=output,
            answered=entered_for(chosen, output) if chosen else body["answer"],
            reason=body["reason"],
            by=self.account,
            based_on=chosen,
            instead_of=body["instead_of"],
        )


class AdjudicationView(ResourceView):
    @operation("undo_adjudication", nothing_left("It no longer counts, and stays on record."))
    def delete(self, _request: Request, slug: str, pk: int) -> None:
        """Undo an adjudication; only the annotators' answers count again."""
        campaign = get_campaign_to_adjudicate(self.account, slug)
        undo_adjudication(adjudication=get_adjudication_of(campaign, pk), by=self.account)


def _output(campaign: Campaign, body: Mapping[str, Any]) -> Translation:
    place = {"segment__document__name": body["document"], "segment__name": body["segment"]}
    own = Translation.objects.filter(segment__document__test_set=campaign.test_set_id, system__campaigns=campaign)
    output = own.filter(system__name=body["system"], **place).select_related("segment", "system").first()
    if output is None:
        raise InvalidPayload({"system": [_("This campaign has no output of this system for this segment.")]})
    return output


def _judgment(campaign: Campaign, output: Translation, body: Mapping[str, Any]) -> Judgment | None:
    if body["based_on"] is None:
        return None
    own = Judgment.objects.filter(item__assignment__campaign=campaign, item__segment=output.segment_id)
    judgment = own.filter(client_id=body["based_on"]).first()
    if judgment is None:
        raise InvalidPayload({"based_on": [_("This is not a judgment of this segment.")]})
    return judgment
