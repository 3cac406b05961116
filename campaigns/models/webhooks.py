"""Addresses elsewhere that are told what happens in a campaign, and the log of what was sent to them."""

import secrets
import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign


class HookEvent(models.TextChoices):
    CAMPAIGN_OPENED = "campaign_opened", _("A campaign is opened")
    ASSIGNMENT_DONE = "assignment_done", _("An assignment is done")
    ALERT = "alert", _("An alert appears on the overview")
    RUN_FINISHED = "run_finished", _("A run is finished or has failed")
    TEST = "test", _("Test")


class DeliveryStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    GIVEN_UP = "given_up", _("Given up")


class DeliveryProblem(models.TextChoices):
    """Why an attempt failed."""

    NONE = "", ""
    FORBIDDEN = "forbidden", _("The address is private, or is not allowed here.")
    UNKNOWN_HOST = "unknown_host", _("The host name is not known.")
    NO_CONNECTION = "no_connection", _("The host does not accept connections.")
    CERTIFICATE = "certificate", _("The certificate is not valid for this host.")
    TIMEOUT = "timeout", _("The host did not answer in time.")
    REDIRECT = "redirect", _("The host answered with a redirect. Redirects are not followed: enter the new address.")
    REFUSED = "refused", _("The host did not accept the message.")
    NOT_HTTP = "not_http", _("The answer is not HTTP.")


def new_salt() -> str:
    return secrets.token_hex(16)


class Webhook(models.Model):
    """An address that gets messages about a campaign. Its secret is not stored: see `secret_of` in the actions."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    events = models.JSONField(default=list)  # values of HookEvent
    is_active = models.BooleanField(default=True)
    salt = models.CharField(max_length=32, default=new_salt)  # the secret follows from it and the site's key
    alerts = models.JSONField(default=list)  # those on the overview when it was last looked at
    alerts_looked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.campaign_id}"


class Delivery(models.Model):
    """One message to one webhook, stored in the transaction of what it is about, and sent by a worker."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20, choices=HookEvent)
    body = models.JSONField()
    status = models.CharField(max_length=10, choices=DeliveryStatus, default=DeliveryStatus.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, default=timezone.now)
    last_attempt_at = models.DateTimeField(null=True)
    response_status = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=20, choices=DeliveryProblem, blank=True, default=DeliveryProblem.NONE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(event__in=HookEvent.values), name="delivery_event_known"),
            models.CheckConstraint(condition=Q(status__in=DeliveryStatus.values), name="delivery_status_known"),
            models.CheckConstraint(
                condition=Q(status="waiting", next_attempt_at__isnull=False)
                | (~Q(status="waiting") & Q(next_attempt_at=None)),
                name="delivery_waits_or_ended",
            ),
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=Q(status="waiting"), name="delivery_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to webhook {self.webhook_id}, {self.status}"
