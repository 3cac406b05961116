from django.conf import settings
from django.db import models

from campaigns.models.campaign import Campaign


class AuditEntry(models.Model):
    """Who did what, when. Entries are added, never changed."""

    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.SET_NULL, related_name="audit_entries")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    action = models.CharField(max_length=50)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "-at"], name="audit_by_campaign")]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"
