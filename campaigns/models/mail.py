"""Mail of a campaign: texts and settings of its organisers, what was sent to whom, and who wants no more."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.access import Invitation
from campaigns.models.campaign import Campaign


class MailKind(models.TextChoices):
    INVITATION = "invitation", _("Invitation")
    REMINDER = "reminder", _("Reminder")
    THANKS = "thanks", _("You are done")
    DIGEST = "digest", _("Digest of alerts")


class MailStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    SENDING = "sending", _("Being sent")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    STOPPED = "stopped", _("Not sent: wants no more mail")


class MailProblem(models.TextChoices):
    """Why a message was not sent at the last attempt; `server_said` has the server's own sentence."""

    NONE = "", ""
    REFUSED = "refused", _("The mail server refused the message.")
    NO_CONNECTION = "no_connection", _("The mail server cannot be reached.")
    UNCERTAIN = "uncertain", _("The connection ended while the message was sent: it may have arrived.")
    LINK_ENDED = "link_ended", _("The link in this message was revoked, or has expired.")
    CLOSED = "closed", _("The account is closed, or no longer part of this campaign.")
    TOO_LATE = "too_late", _("The message waited too long to be sent.")


class MailSettings(models.Model):
    """What a campaign sends by itself, and where answers go. Nothing is sent by itself where there is no row."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="mail_settings")
    reply_to = models.EmailField(blank=True)
    language = models.CharField(max_length=12, default="en")  # of receivers whose language is not known
    thanks_since = models.DateTimeField(null=True)  # who is done later is thanked; null: nobody
    sends_digest = models.BooleanField(default=False)
    digest_at = models.DateTimeField(null=True)
    digest_alerts = models.JSONField(default=list)  # those of the last digest that are still there

    def __str__(self) -> str:
        return f"mail of {self.campaign_id}"


class MailText(models.Model):
    """An organiser's own text for one kind of message, with placeholders; without a row the usual one is sent."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="mail_texts")
    kind = models.CharField(max_length=12, choices=MailKind)
    subject = models.CharField(max_length=200)
    body = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "kind"], name="mail_text_once"),
            models.CheckConstraint(condition=Q(kind__in=MailKind.values), name="mail_text_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.campaign_id}"


class Mail(models.Model):
    """One message to one person, stored before it is sent. `cause` is what it is for: there is one message a cause.

    The body has `{link}` where the personal link goes: only the message that leaves has the link. After a while address
    and words are erased; that there was a message stays.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="mails")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=12, choices=MailKind)
    cause = models.CharField(max_length=100, unique=True)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    address = models.EmailField(blank=True)
    reply_to = models.EmailField(blank=True)
    language = models.CharField(max_length=12)
    subject = models.CharField(max_length=200, blank=True)
    body = models.TextField(blank=True)
    invitation = models.ForeignKey(Invitation, null=True, on_delete=models.SET_NULL, related_name="+")
    links_made = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=10, choices=MailStatus, default=MailStatus.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, default=timezone.now)  # of one being sent: when it is given up
    last_attempt_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=20, choices=MailProblem, blank=True, default=MailProblem.NONE)
    server_said = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=MailKind.values), name="mail_kind_known"),
            models.CheckConstraint(condition=Q(status__in=MailStatus.values), name="mail_status_known"),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "sending"], next_attempt_at__isnull=False)
                | (~Q(status__in=["waiting", "sending"]) & Q(next_attempt_at=None)),
                name="mail_waits_or_ended",
            ),
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=Q(status__in=["waiting", "sending"]), name="mail_due"),
            models.Index(fields=["campaign", "kind", "account"], name="mail_by_person"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.account_id}, {self.status}"


class MailStop(models.Model):
    """An address that wants no more mail of a campaign; without one, of this whole site. Only its hash is kept."""

    address_hash = models.CharField(max_length=64)
    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE, related_name="mail_stops")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["address_hash", "campaign"], name="mail_stop_once"),
            models.UniqueConstraint(fields=["address_hash"], condition=Q(campaign=None), name="mail_stop_of_site_once"),
        ]

    def __str__(self) -> str:
        return f"mail stop {self.pk}"
