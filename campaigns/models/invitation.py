from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.membership import Role


class Invitation(models.Model):
    """A link that signs its holder in as one account. Only the hash of its secret is kept."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role, default=Role.ANNOTATOR)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.campaign_id}"
