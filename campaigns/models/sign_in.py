"""Beside a password or a link: the second factor of an account, and who it is to a provider of sign-ins."""

from django.conf import settings
from django.db import models

from campaigns.models.webhooks import new_salt


class SecondFactor(models.Model):
    """One-time codes of an authenticator app; in use from `confirmed_at` on.

    Its key is not stored: see `key_of` in the actions. A code is accepted once, because `last_step` moves on with it.
    """

    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factor")
    salt = models.CharField(max_length=32, default=new_salt)  # the key follows from it and the site's key
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)
    recovery_hashes = models.JSONField(default=list)  # of the codes that were not used yet
    wrong_codes = models.PositiveIntegerField(default=0)  # since the last right one
    wrong_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"second factor of {self.account_id}"


class Identity(models.Model):
    """Who an account is to a provider of sign-ins (OpenID Connect): `subject` is theirs, and never anybody else's.

    `came_of` is the link that was shown when it was connected; it ends with it, like a password.
    """

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    came_of = models.ForeignKey(
        "campaigns.Invitation", null=True, blank=True, on_delete=models.CASCADE, related_name="identities"
    )
    made_organiser = models.BooleanField(default=False)  # the provider said so, and may take it back
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="identity_once")]

    def __str__(self) -> str:
        return f"identity of {self.account_id}"
