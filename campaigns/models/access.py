"""Ways in: links, sessions and the tokens of programs."""

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign
from campaigns.models.people import Role


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


class Session(AbstractBaseSession):
    """Somebody signed in on one device, and by what: the session ends with what it came of.

    `invitation` is the link, directly or by way of a password that was set with it. The row of a session that ended
    stays until it would have expired: it tells whose it was, and so what to say to its holder. The key is a secret,
    and not the primary key as with Django: pages and programs name a session by its `id`.
    """

    id = models.BigAutoField(primary_key=True)
    session_key = models.CharField(max_length=40, unique=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="sessions")
    invitation = models.ForeignKey(Invitation, null=True, on_delete=models.CASCADE, related_name="sessions")
    by_password = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"session of {self.account_id}"


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


class AnsweredRequest(models.Model):
    """What a program was answered to a request it named, so that the same one sent again changes nothing more."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "key_hash"], name="answered_request_once")]
        indexes = [models.Index(fields=["created_at"], name="answered_request_by_age")]

    def __str__(self) -> str:
        return f"request {self.key_hash[:8]} of {self.account_id}"


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
