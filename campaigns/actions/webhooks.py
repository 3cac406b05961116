"""Webhooks: kept by organisers, told in the transaction of an event, sent by workers, signed, and tried again.

A message is a row: it is there if, and only if, what it is about was stored. docs/api.md describes what receivers get.
"""

import hashlib
import hmac
import json
import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Account,
    Campaign,
    Delivery,
    DeliveryProblem,
    DeliveryStatus,
    HookEvent,
    Webhook,
)
from campaigns.models.webhooks import new_salt
from campaigns.site_address import site_address
from campaigns.webhook_target import NotSent, check_target, post

logger = logging.getLogger(__name__)

CHOSEN_EVENTS = tuple(each for each in HookEvent if each != HookEvent.TEST)
MOST_WEBHOOKS = 10  # of a campaign
PAUSES = (10, 60, 300, 1_800, 7_200, 28_800, 86_400)  # seconds after each failure; after the last one it is given up
LEASE = 60  # seconds in which no other worker sends a message that one is sending
MOST_AT_ONCE = 20
LOG_DAYS = 30


def secret_of(webhook: Webhook) -> str:
    """It follows from the site's key and a random number of the row, so that no copy of the database has it."""
    return salted_hmac("assay.webhook", webhook.salt, algorithm="sha256").hexdigest()


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA256 of the timestamp, a dot and the body, in hexadecimal digits.

    >>> signature_of("key", "1700000000", b"{}")[:16]
    '9d713ed406bb7076'
    """
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


# --- kept -------------------------------------------------------------------------------------------------------------
def add_webhook(
    *, campaign: Campaign, address: str, events: Collection[str], by: Account | None
) -> tuple[Webhook, str]:
    """The webhook, and its secret, which is shown once. Raises InvalidInput."""
    _check(address, events)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if campaign.webhooks.count() >= MOST_WEBHOOKS:
            raise InvalidInput.of(
                "address", _("A campaign has at most %(most)d webhooks. Remove one first.") % {"most": MOST_WEBHOOKS}
            )
        webhook = Webhook.objects.create(campaign=campaign, address=address, events=_sorted(events))
        record(action="webhook_added", by=by, campaign=campaign, webhook=webhook.pk, events=webhook.events)
    return webhook, secret_of(webhook)


def change_webhook(
    *, webhook: Webhook, address: str, events: Collection[str], is_active: bool, by: Account | None
) -> Webhook:
    """Raises InvalidInput. The secret stays."""
    _check(address, events)
    with transaction.atomic():
        webhook.address, webhook.events, webhook.is_active = address, _sorted(events), is_active
        webhook.save(update_fields=["address", "events", "is_active"])
        record(action="webhook_changed", by=by, campaign=webhook.campaign, webhook=webhook.pk, events=webhook.events)
    return webhook


def replace_secret(*, webhook: Webhook, by: Account | None) -> str:
    """A new secret, shown once; the old one signs nothing from now on."""
    with transaction.atomic():
        webhook.salt = new_salt()
        webhook.save(update_fields=["salt"])
        record(action="webhook_secret_replaced", by=by, campaign=webhook.campaign, webhook=webhook.pk)
    return secret_of(webhook)


def remove_webhook(*, webhook: Webhook, by: Account | None) -> None:
    """With its log; what still waits is not sent."""
    with transaction.atomic():
        record(action="webhook_removed", by=by, campaign=webhook.campaign, webhook=webhook.pk)
        webhook.delete()


def _check(address: str, events: Collection[str]) -> None:
    errors: dict[str, list[str]] = {}
    try:
        check_target(address)
    except InvalidInput as error:
        errors |= error.errors
    if not events or not set(events) <= set(CHOSEN_EVENTS):
        errors["events"] = [_("Choose at least one of: %(known)s.") % {"known": ", ".join(CHOSEN_EVENTS)}]
    if errors:
        raise InvalidInput(errors)


def _sorted(events: Collection[str]) -> list[str]:
    return [each.value for each in CHOSEN_EVENTS if each in events]


# --- told -------------------------------------------------------------------------------------------------------------
def announce(campaign: int, event: HookEvent, **about: int | str) -> None:
    """Stores a message to each webhook of the campaign that wants it: one query where there is none.

    `about` has numbers and names of ours alone: never a text, a system or a person.
    """
    wanting = [
        webhook
        for webhook in Webhook.objects.filter(campaign=campaign, is_active=True).select_related("campaign")
        if event in webhook.events
    ]
    if wanting:
        Delivery.objects.bulk_create(_message(webhook, event, about) for webhook in wanting)


def announce_to(webhook: Webhook, event: HookEvent, **about: int | str) -> None:
    """As `announce`, to one webhook."""
    _message(webhook, event, about).save(force_insert=True)


def send_test(*, webhook: Webhook) -> Delivery:
    """A message about nothing; a worker sends it soon."""
    message = _message(webhook, HookEvent.TEST, {})
    message.save(force_insert=True)
    return message


def send_again(*, delivery: Delivery) -> Delivery:
    """The same message with the same id, whether it was delivered or given up. One that waits is sent now."""
    again = {"status": DeliveryStatus.WAITING, "attempts": 0, "next_attempt_at": timezone.now()}
    Delivery.objects.filter(pk=delivery.pk).update(**again)
    delivery.refresh_from_db()
    return delivery


def _message(webhook: Webhook, event: HookEvent, about: Mapping[str, int | str]) -> Delivery:
    delivery = Delivery(webhook=webhook, event=event)
    delivery.body = {
        "id": str(delivery.public_id),
        "event": event.value,
        "at": timezone.now().isoformat(timespec="seconds"),
        "campaign": webhook.campaign.slug,
        "link": site_address(f"/campaigns/{webhook.campaign.slug}/overview/"),
        **about,
    }
    return delivery


# --- sent -------------------------------------------------------------------------------------------------------------
def send_due() -> int:
    """Sends what is due, oldest first; how many were tried. Called by workers, any number of them at once."""
    due = Delivery.objects.filter(status=DeliveryStatus.WAITING, next_attempt_at__lte=timezone.now())
    waiting = due.order_by("next_attempt_at", "pk").values_list("pk", "next_attempt_at")
    return sum(_send(pk, at) for pk, at in list(waiting[:MOST_AT_ONCE]))


def _send(pk: int, due_at: Any) -> bool:
    """False if another worker has taken it. One that dies meanwhile leaves it to be sent when the lease is over."""
    lease = timezone.now() + timedelta(seconds=LEASE)
    own = Delivery.objects.filter(pk=pk, status=DeliveryStatus.WAITING)
    if not own.filter(next_attempt_at=due_at).update(next_attempt_at=lease, attempts=F("attempts") + 1):
        return False
    delivery = Delivery.objects.select_related("webhook").get(pk=pk)
    status, problem = _attempt(delivery)
    ended: dict[str, Any] = {"last_attempt_at": timezone.now(), "response_status": status, "problem": problem}
    if problem == DeliveryProblem.NONE:
        ended |= {"status": DeliveryStatus.DELIVERED, "next_attempt_at": None}
    elif delivery.attempts > len(PAUSES):
        ended |= {"status": DeliveryStatus.GIVEN_UP, "next_attempt_at": None}
        logger.warning("Message %s of webhook %s is given up: %s", delivery.public_id, delivery.webhook_id, problem)
    else:
        ended["next_attempt_at"] = timezone.now() + timedelta(seconds=PAUSES[delivery.attempts - 1])
    own.filter(next_attempt_at=lease).update(**ended)  # unless somebody wants it sent again meanwhile
    return True


def _attempt(delivery: Delivery) -> tuple[int | None, DeliveryProblem]:
    """The status of the answer, if there was one, and why it does not count as delivered."""
    body = json.dumps(delivery.body, ensure_ascii=True, separators=(",", ":")).encode()
    timestamp = str(int(timezone.now().timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Assay",
        "Assay-Event": delivery.event,
        "Assay-Delivery": str(delivery.public_id),
        "Assay-Timestamp": timestamp,
        "Assay-Signature": f"v1={signature_of(secret_of(delivery.webhook), timestamp, body)}",
    }
    try:
        status = post(delivery.webhook.address, body, headers)
    except NotSent as error:
        return None, error.problem
    if 200 <= status < 300:
        return status, DeliveryProblem.NONE
    return status, DeliveryProblem.REDIRECT if 300 <= status < 400 else DeliveryProblem.REFUSED


def remove_old_deliveries() -> None:
    """From the log, what ended long ago."""
    long_ago = timezone.now() - timedelta(days=LOG_DAYS)
    Delivery.objects.exclude(status=DeliveryStatus.WAITING).filter(created_at__lt=long_ago).delete()
