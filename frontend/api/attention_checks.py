"""How annotators answered attention checks."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from annotation.campaign_spec import CampaignSpec
from annotation.queries.checks import checks_by_annotator
from campaigns.models import Campaign
from frontend.api.views import OrganiserView, operation

TAG = "Work"


class CheckedAnnotatorSerializer(serializers.Serializer[Any]):
    """By first attempts, which are never changed."""

    annotator = serializers.CharField(source="annotator.username")
    served = serializers.IntegerField()
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    passed_later = serializers.IntegerField(help_text="Of the failed ones, in a later attempt.")
    is_over = serializers.BooleanField(help_text="More failed than the threshold allows.")


class AttentionChecksSerializer(serializers.Serializer[Any]):
    checks = serializers.IntegerField()
    loud = serializers.IntegerField()
    imported = serializers.IntegerField(help_text="These keep their shape, by which annotators can recognise them.")
    share = serializers.FloatField(help_text="Probability of a check before a screen.")
    threshold = serializers.FloatField(
        allow_null=True, help_text="Most failures allowed: a number, or a share below 1; null: no limit."
    )
    annotators = CheckedAnnotatorSerializer(many=True)


class AttentionChecksView(OrganiserView):
    @operation("attention_checks", AttentionChecksSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """How annotators answered attention checks, by their first attempts."""
        spec = CampaignSpec.of(campaign)
        own = campaign.attention_checks
        return {
            "checks": own.count(),
            "loud": own.filter(is_loud=True).count(),
            "imported": own.filter(is_imported=True).count(),
            "share": spec.check_share,
            "threshold": spec.check_threshold,
            "annotators": checks_by_annotator(campaign),
        }
