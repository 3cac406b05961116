"""Webhooks of a campaign, for its organisers: addresses, tests, and what was sent."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaigns.actions.webhooks import (
    CHOSEN_EVENTS,
    add_webhook,
    change_webhook,
    remove_webhook,
    replace_secret,
    send_again,
    send_test,
)
from campaigns.models import Campaign, Delivery, DeliveryProblem, DeliveryStatus, HookEvent, Webhook
from campaigns.webhook_target import ADDRESS_LIMIT
from frontend.access import get_delivery_in, get_webhook_in
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, nothing_left, operation

TAG = "Webhooks"


class WebhookRequestSerializer(serializers.Serializer[Any]):
    address = serializers.CharField(max_length=ADDRESS_LIMIT)
    events = serializers.ListField(child=serializers.ChoiceField(choices=[each.value for each in CHOSEN_EVENTS]))


class WebhookChangeSerializer(WebhookRequestSerializer):
    is_active = serializers.BooleanField(default=True)


class WebhookSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    address = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=[each.value for each in CHOSEN_EVENTS]))
    is_active = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class NewWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(allow_null=True, help_text="Shown now and never again; null in a repeated answer.")


class DeliverySerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    message = serializers.UUIDField(source="public_id", help_text="The `id` in the message.")
    event = serializers.ChoiceField(choices=HookEvent.values)
    status = serializers.ChoiceField(choices=DeliveryStatus.values)
    attempts = serializers.IntegerField()
    response_status = serializers.IntegerField(allow_null=True, help_text="Of the last answer.")
    problem = serializers.ChoiceField(
        choices=[value for value in DeliveryProblem.values if value],
        allow_blank=True,
        help_text="Why the last attempt failed.",
    )
    created_at = serializers.DateTimeField()
    last_attempt_at = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(allow_null=True)


@listed("webhooks", "Webhooks", Webhook, WebhookSerializer)
class WebhooksView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.webhooks.all()

    @operation("add_webhook", {201: NewWebhookSerializer}, request=WebhookRequestSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Add an address.

        The answer has the secret that signs its messages: `Assay-Signature` is `v1=` and the HMAC-SHA256, in
        hexadecimal digits, of the header `Assay-Timestamp`, a dot and the body.
        """
        body = read(request, WebhookRequestSerializer)
        return _with_secret(*add_webhook(campaign=campaign, by=self.account, **body))


class WebhookView(OrganiserView):
    @operation("webhook", WebhookSerializer)
    def get(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """One webhook."""
        return get_webhook_in(campaign, pk)

    @operation("change_webhook", WebhookSerializer, request=WebhookChangeSerializer)
    def put(self, request: Request, campaign: Campaign, pk: int) -> Any:
        """Change address and events, or pause it."""
        body = read(request, WebhookChangeSerializer)
        return change_webhook(webhook=get_webhook_in(campaign, pk), by=self.account, **body)

    @operation("remove_webhook", nothing_left("It is removed with its log."))
    def delete(self, _request: Request, campaign: Campaign, pk: int) -> None:
        """Remove a webhook."""
        remove_webhook(webhook=get_webhook_in(campaign, pk), by=self.account)


class WebhookSecretView(OrganiserView):
    @operation("replace_webhook_secret", {201: NewWebhookSerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """Replace the secret; the old one signs nothing any more."""
        webhook = get_webhook_in(campaign, pk)
        return _with_secret(webhook, replace_secret(webhook=webhook, by=self.account))


class WebhookTestView(OrganiserView):
    @operation("test_webhook", {202: DeliverySerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """Send a message about nothing."""
        return send_test(webhook=get_webhook_in(campaign, pk))


@listed("webhook_deliveries", "What was sent", Delivery, DeliverySerializer, is_newest_first=True)
class DeliveriesView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return Delivery.objects.filter(webhook__campaign=campaign)


class SendAgainView(OrganiserView):
    @operation("send_again", {202: DeliverySerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """Send a message again, with the same `id`."""
        return send_again(delivery=get_delivery_in(campaign, pk))


def _with_secret(webhook: Webhook, secret: str) -> dict[str, object]:
    fields = ("pk", "address", "events", "is_active", "created_at")
    return {**{name: getattr(webhook, name) for name in fields}, "secret": secret}
