"""One link for a whole crowd, and what the link said about each person who came by it."""

from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership

LABEL_LIMIT = 100  # characters
ADDRESS_LIMIT = 500


class Crowd(models.Model):
    """A link for everybody whom a site of crowd work sends; each person gets an account of their own.

    `key` opens no account that exists, so it is stored and can be copied again. `parameters` are names in the link of
    the organiser's own, each with the label it fills. Addresses are templates, such as `…?cc=C1&pid={participant}`.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="crowd")
    key = models.CharField(max_length=40, unique=True)
    is_open = models.BooleanField(default=False)
    places = models.PositiveIntegerField(default=50)
    counted_label = models.CharField(max_length=40, blank=True)
    places_each = models.PositiveIntegerField(null=True, blank=True)  # for each value of `counted_label`
    needs_participant = models.BooleanField(default=True)
    parameters = models.JSONField(default=dict, blank=True)
    completed_address = models.CharField(max_length=ADDRESS_LIMIT, blank=True)
    screened_out_address = models.CharField(max_length=ADDRESS_LIMIT, blank=True)
    full_address = models.CharField(max_length=ADDRESS_LIMIT, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(places__gte=1), name="crowd_places_positive"),
            models.CheckConstraint(
                condition=Q(places_each=None, counted_label="") | Q(places_each__gte=1) & ~Q(counted_label=""),
                name="crowd_counts_a_label",
            ),
        ]

    def __str__(self) -> str:
        return f"crowd of {self.campaign_id}"


class CrowdPlace(models.Model):
    """Who came by the link. Labels say where somebody is from; they open nothing.

    `participant_key` is the participant's id in one spelling, by which somebody who comes twice is known.
    """

    crowd = models.ForeignKey(Crowd, on_delete=models.CASCADE, related_name="people")
    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="crowd_place")
    participant = models.CharField(max_length=LABEL_LIMIT, blank=True)
    participant_key = models.CharField(max_length=2 * LABEL_LIMIT, blank=True)
    labels = models.JSONField(default=dict, blank=True)  # the others, by name
    joined_at = models.DateTimeField()
    screened_out_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["crowd", "participant_key"], condition=~Q(participant_key=""), name="crowd_participant_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} in {self.crowd_id}"
