from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign
from campaigns.models.invitation import Invitation


class Scope(models.TextChoices):
    """What a token may be used for; never more than its account may."""

    READ = "read", _("Read what organisers and researchers see")
    WRITE = "write", _("Change campaigns")
    JUDGE = "judge", _("Judge as an annotator")


EVERY_SCOPE = " ".join(Scope.values)


class ApiToken(models.Model):
    """A program's key to one account; only its hash is kept, so it is shown once. `scopes` are names with blanks.

    `invitation` and `by_password` say what it came of, as they do of the session or token it was made with: it ends
    with that, and with the token itself, which is `made_with`. `handed_out_for` is the campaign whose organiser made it
    for a program that judges there.
    """

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=60, default=EVERY_SCOPE)
    invitation = models.ForeignKey(
        Invitation, null=True, blank=True, on_delete=models.CASCADE, related_name="api_tokens"
    )
    by_password = models.BooleanField(default=False)
    made_with = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="made_tokens")
    handed_out_for = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.CASCADE, related_name="handed_out_tokens"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(scopes=""), name="api_token_opens_something")]

    def __str__(self) -> str:
        return self.name

    @property
    def scope_names(self) -> list[str]:
        return self.scopes.split()
