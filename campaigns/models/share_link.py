from django.conf import settings
from django.db import models

from campaigns.models.campaign import Campaign


class ShareLink(models.Model):
    """A key to a campaign's results for people without an account. Only its hash is kept, so it is shown once.

    `choice` is how the results are computed, as a run's arguments; without `shows_texts` no text is ever shown.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="share_links")
    name = models.CharField(max_length=100)
    secret_hash = models.CharField(max_length=64, unique=True)
    choice = models.JSONField(default=dict)
    shows_texts = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
