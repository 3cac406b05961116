"""The systems that leave a shared pool while it is judged: what was found so far, and what organisers do by hand."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.eliminating import FROM, bring_back, set_race_status
from annotation.models import RaceStatus
from annotation.queries.race import RaceRule
from campaigns.models import Campaign
from frontend.api.requests import read
from frontend.api.views import OrganiserView, operation
from metrics.race import read_race

TAG = "Work"


class RacedSystemSerializer(serializers.Serializer[Any]):
    system = serializers.CharField(source="name")
    is_in = serializers.BooleanField()
    is_protected = serializers.BooleanField(help_text="Brought back by hand: no look drops it again.")
    dropped_after = serializers.IntegerField(allow_null=True, help_text="So many documents.")


class EliminationSerializer(serializers.Serializer[Any]):
    """`question` none, and no systems, where a campaign drops none. Means and bounds: the analysis `allocation`."""

    question = serializers.CharField(source="rule.question")
    top = serializers.IntegerField(source="rule.wanted")
    alpha = serializers.FloatField(source="rule.alpha")
    first = serializers.IntegerField(source="rule.first", help_text="Documents before the first look.")
    step = serializers.IntegerField(source="rule.step", help_text="Documents from one look to the next.")
    status = serializers.ChoiceField(choices=RaceStatus.values, allow_null=True)
    planned_documents = serializers.IntegerField()
    saved = serializers.IntegerField(help_text="Judgments of the plan that are not asked any more.")
    systems = RacedSystemSerializer(many=True, source="standings")


class EliminationStatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=list(FROM))


class DroppedSystemSerializer(serializers.Serializer[Any]):
    system = serializers.CharField(max_length=150)


class EliminationView(OrganiserView):
    @operation("elimination", EliminationSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """Which systems are still judged, in a campaign that drops systems while it is judged."""
        return _race_of(campaign)

    @operation("set_elimination", EliminationSerializer, request=EliminationStatusSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Pause, resume (`running`) or stop elimination.

        Stopped, the systems that are in are judged to the end of the plan, also where the question was answered.
        """
        set_race_status(campaign=campaign, by=self.account, **read(request, EliminationStatusSerializer))
        return _race_of(campaign)


class BringBackView(OrganiserView):
    @operation("bring_back", EliminationSerializer, request=DroppedSystemSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Have a dropped system judged again.

        In what still waits; no look drops it again.
        """
        bring_back(campaign=campaign, by=self.account, **read(request, DroppedSystemSerializer))
        return _race_of(campaign)


def _race_of(campaign: Campaign) -> Any:
    none = {"rule": RaceRule.of(campaign), "status": None, "planned_documents": 0, "saved": 0, "standings": ()}
    return read_race(campaign, with_documents=False) or none
