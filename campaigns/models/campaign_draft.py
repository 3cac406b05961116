from django.conf import settings
from django.db import models


class CampaignDraft(models.Model):
    """What somebody entered of a campaign that is not made yet, so that another device goes on. Never a password."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="campaign_drafts")
    values = models.JSONField(default=dict, help_text="the form's fields by name, each a list of texts")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["account", "-updated_at"], name="campaign_draft_by_account")]

    def __str__(self) -> str:
        return f"draft {self.pk} of {self.account_id}"

    @property
    def name(self) -> str:
        return next(iter(self.values.get("name", ())), "").strip()
