"""Organisers' decisions about judgments: adjudicated answers, and excluded annotators."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.judgments import Judgment
from campaigns.models import Campaign, Translation


class Adjudication(models.Model):
    """The adjudicated answer for a translation. The annotators' own answers are not changed.

    `answer` is that of one slot, as the protocol checked it; `based_on` the judgment it was taken from, if it was.
    Rows are added, never changed, but for `undone_at` and `undone_by`: a later decision undoes an earlier one. It holds
    for every system of the campaign with the same text; the translation is the first of these.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="adjudications")
    translation = models.ForeignKey(Translation, on_delete=models.PROTECT, related_name="adjudications")
    answer = models.JSONField()
    based_on = models.ForeignKey(Judgment, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id", "-decided_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "translation"], condition=Q(undone_at=None), name="adjudication_standing_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="adjudication_has_reason"),
        ]

    def __str__(self) -> str:
        return f"adjudication of translation {self.translation_id} in {self.campaign_id}"


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
