"""The segments that a campaign judges, where it was decided not to judge all of its test set."""

from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Segment


class ChosenSegment(models.Model):
    """`utility` is what its judgment promised by a metric or by the outputs, null where chance chose, and of
    documents that came late, which are judged whole.

    `probability` is how probable it was that it is chosen: 1 where nothing was drawn.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="chosen_segments")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="+")
    utility = models.FloatField(null=True)
    probability = models.FloatField(default=1)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "segment"], name="chosen_segment_once_a_campaign"),
            models.CheckConstraint(condition=Q(probability__gt=0, probability__lte=1), name="chosen_probability_share"),
        ]

    def __str__(self) -> str:
        return f"segment {self.segment_id} chosen for {self.campaign_id}"
