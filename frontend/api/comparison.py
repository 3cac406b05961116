"""Two campaigns on one test set side by side, as on the page of that name."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from drf_spectacular.utils import OpenApiParameter

from campaigns.models import Campaign
from frontend.access import campaigns_beside, get_campaign_beside
from frontend.api.requests import refuse_unknown
from frontend.api.views import ReaderView, operation
from metrics.comparison import compare_campaigns
from metrics.results.codec import to_json

TAG = "Comparisons"
WITH = OpenApiParameter("with", str, description="The slug of one of `campaigns`; without it there is no comparison.")


class CampaignBesideSerializer(serializers.Serializer[Any]):
    campaign = serializers.SlugField(source="slug")
    name = serializers.CharField()
    protocol = serializers.CharField()


class ReasonedSerializer(serializers.Serializer[Any]):
    reasons = serializers.DictField(
        child=serializers.CharField(), default=dict, help_text="Why numbers are null, by their names."
    )


class ScoredBySerializer(serializers.Serializer[Any]):
    measure = serializers.CharField()
    by = serializers.ChoiceField(choices=["mean", "z", "expected_wins"])
    higher_is_better = serializers.BooleanField()


class ComparedCampaignSerializer(serializers.Serializer[Any]):
    campaign = serializers.SlugField()
    name = serializers.CharField()
    protocol = serializers.CharField()
    systems_by = ScoredBySerializer(allow_null=True, help_text="What its results order systems by.")
    outputs_by = ScoredBySerializer(allow_null=True)
    annotators = serializers.IntegerField()
    run = serializers.IntegerField(allow_null=True, help_text="The analysis that has the results.")
    signature = serializers.CharField(allow_blank=True)
    is_stale = serializers.BooleanField(help_text="Judgments came in since.")
    missing = serializers.ChoiceField(choices=["no_run", "too_early"], allow_null=True)


class StandingSerializer(ReasonedSerializer):
    value = serializers.FloatField(allow_null=True, help_text="In the campaign's own unit, see `systems_by`.")
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    place = serializers.IntegerField(allow_null=True, help_text="Among the systems of both campaigns.")
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="First and last, among all.")
    cluster = serializers.IntegerField()
    segments = serializers.IntegerField()


class ComparedSystemSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    is_human = serializers.BooleanField()
    first = StandingSerializer(allow_null=True)
    second = StandingSerializer(allow_null=True)


class PairInBothSerializer(ReasonedSerializer):
    better = serializers.CharField(help_text="In the first campaign.")
    other = serializers.CharField()
    is_changed = serializers.BooleanField(help_text="The second campaign has them in the other order.")
    p_first = serializers.FloatField(allow_null=True, help_text="Corrected, as in the results.")
    is_significant_first = serializers.BooleanField()
    p_second = serializers.FloatField(allow_null=True)
    is_significant_second = serializers.BooleanField()


class AgreementOfCampaignsSerializer(ReasonedSerializer):
    level = serializers.ChoiceField(choices=["system", "output", "segment"])
    pearson = serializers.FloatField(allow_null=True)
    kendall_b = serializers.FloatField(allow_null=True)
    pairwise_accuracy = serializers.FloatField(allow_null=True)
    systems = serializers.IntegerField()
    segments = serializers.IntegerField()
    outputs = serializers.IntegerField()


class SharedAnnotatorsSerializer(ReasonedSerializer):
    both = serializers.IntegerField()
    either = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class ComparedCampaignsSerializer(ReasonedSerializer):
    first = ComparedCampaignSerializer()
    second = ComparedCampaignSerializer()
    systems = ComparedSystemSerializer(many=True)
    pairs = PairInBothSerializer(many=True)
    agreement = AgreementOfCampaignsSerializer(many=True)
    annotators = SharedAnnotatorsSerializer()


class CampaignsBesideSerializer(serializers.Serializer[Any]):
    campaigns = CampaignBesideSerializer(many=True, help_text="On the same test set, with results you may read.")
    comparison = ComparedCampaignsSerializer(allow_null=True)


class ComparisonView(ReaderView):
    @operation("compare_campaigns", CampaignsBesideSerializer, parameters=[WITH])
    def get(self, request: Request, campaign: Campaign) -> Any:
        """The campaign and another one on the same test set: systems, their order, agreement.

        Systems are compared as the newest results of both have them, outputs as they are judged now.
        """
        refuse_unknown(request, [WITH.name])
        others = campaigns_beside(self.account, campaign)
        other = get_campaign_beside(others, request.query_params.get(WITH.name, ""))
        comparison = to_json(compare_campaigns(campaign, other)) if other else None
        return {"campaigns": others, "comparison": comparison}
