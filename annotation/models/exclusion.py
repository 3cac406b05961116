from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models import Campaign


class Exclusion(models.Model):
    """The recorded decision to leave an annotator out of a campaign's analyses; lifted, it stays on record."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="exclusions")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="exclusions")
    reason = models.TextField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "annotator"], condition=Q(lifted_at=None), name="exclusion_standing_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} out of {self.campaign_id}"
