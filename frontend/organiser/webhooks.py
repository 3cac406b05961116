"""The page of a campaign's webhooks: addresses, tests, and the log of what was sent to each."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.actions.webhooks import (
    CHOSEN_EVENTS,
    LOG_DAYS,
    add_webhook,
    change_webhook,
    remove_webhook,
    replace_secret,
    send_again,
    send_test,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Delivery, Webhook
from campaigns.webhook_target import ADDRESS_LIMIT
from frontend.access import RUNS_IT, SignedInRequest, get_delivery_in, get_webhook_in
from frontend.campaign_pages import FORM, ErrorsShown, campaign_page, campaign_view, show_by_field
from frontend.downloads import csv_file

TAB = "overview"
SHOWN = 50  # messages; the CSV has all
COLUMNS = ("webhook", "id", "event", "stored_at", "attempts", "last_attempt_at", "status", "response_status", "problem")


class WebhookForm(forms.Form):
    address = forms.CharField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("It gets a POST request for each event, such as https://example.org/assay."),
        max_length=ADDRESS_LIMIT,
        widget=forms.TextInput({"dir": "ltr", "inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=[(each.value, each.label) for each in CHOSEN_EVENTS],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


@campaign_view(RUNS_IT, FORM)
def webhooks(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A new one is stored; its secret is on the page that answers, and on no other."""
    form = _new_form(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            webhook, secret = add_webhook(campaign=campaign, by=request.user, **form.cleaned_data)
        except InvalidInput as error:
            show_by_field(form, error)
        else:
            return _page(request, campaign, _new_form(), shown_once=(webhook, secret))
    return _page(request, campaign, form)


@campaign_view(RUNS_IT, FORM)
def webhook(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Changed, replaced, removed or tested; a reader without a form is led to the list."""
    own, act = get_webhook_in(campaign, pk), request.POST.get("act", "")
    if act == "secret":
        secret = replace_secret(webhook=own, by=request.user)
        return _page(request, campaign, _new_form(), shown_once=(own, secret))
    if act == "test":
        send_test(webhook=own)
        messages.success(request, _("A test message waits to be sent. Reload this page in a moment."))
    elif act in {"pause", "resume"}:
        values = {"address": own.address, "events": own.events, "is_active": act == "resume"}
        with ErrorsShown(request):
            change_webhook(webhook=own, by=request.user, **values)
    elif act == "remove":
        remove_webhook(webhook=own, by=request.user)
        messages.success(request, _("The webhook is removed."))
    return redirect("organiser-webhooks", campaign.slug)


@campaign_view(RUNS_IT, FORM)
def delivery(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    own = get_delivery_in(campaign, pk)
    if request.method == "POST":
        send_again(delivery=own)
        messages.success(request, _("The message waits to be sent again. Reload this page in a moment."))
    return redirect(f"{resolve_url('organiser-webhooks', campaign.slug)}#log")


@campaign_view(RUNS_IT)
def deliveries_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponseBase:
    return csv_file(f"{campaign.slug}-webhooks", COLUMNS, _rows(campaign))


def _rows(campaign: Campaign) -> Iterator[list[object]]:
    own = Delivery.objects.filter(webhook__campaign=campaign).select_related("webhook")
    for each in own.iterator(chunk_size=1_000):
        yield [
            each.webhook.address,
            each.public_id,
            each.event,
            each.created_at.isoformat(),
            each.attempts,
            each.last_attempt_at.isoformat() if each.last_attempt_at else "",
            each.status,
            each.response_status,
            each.problem,
        ]


def _new_form(posted: Any = None) -> WebhookForm:
    return WebhookForm(posted, initial={"events": [each.value for each in CHOSEN_EVENTS]})


def _page(
    request: SignedInRequest, campaign: Campaign, form: WebhookForm, shown_once: tuple[Webhook, str] | None = None
) -> HttpResponse:
    labels = {each.value: each.label for each in CHOSEN_EVENTS}
    own = list(campaign.webhooks.all())
    log = list(Delivery.objects.filter(webhook__in=own).select_related("webhook")[: SHOWN + 1])
    context = {
        "form": form,
        "webhooks": [(each, [labels[event] for event in each.events if event in labels]) for each in own],
        "shown_once": shown_once,
        "log": log[:SHOWN],
        "has_more": len(log) > SHOWN,
        "days": LOG_DAYS,
    }
    return campaign_page(request, campaign, "organiser/webhooks.html", TAB, context)
