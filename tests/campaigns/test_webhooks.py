"""Webhooks: what they are told, how it is signed and tried again, and where they may not lead."""

import hashlib
import hmac
import json
import socket
import time
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest
from pytest_django import Settings

from annotation.actions.status import set_status
from campaigns import webhook_target
from campaigns.actions.webhooks import (
    PAUSES,
    add_webhook,
    announce,
    change_webhook,
    remove_old_deliveries,
    replace_secret,
    secret_of,
    send_again,
    send_due,
    send_test,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    AuditEntry,
    Campaign,
    Delivery,
    DeliveryProblem,
    DeliveryStatus,
    HookEvent,
    TestSet,
    Webhook,
)
from campaigns.webhook_target import NotSent, check_target, is_allowed, post
from jobs.actions import perform_now
from metrics.actions import alerts
from metrics.actions.alerts import announce_alerts
from metrics.progress.overview import Concern
from tests.cast import Cast
from tests.hook_receiver import HookReceiver, hook_receiver
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

PUBLIC = "93.184.215.14"


@pytest.fixture
def receiver(settings: Settings) -> Iterator[HookReceiver]:
    settings.WEBHOOK_HTTP, settings.WEBHOOK_NETWORKS = True, ["127.0.0.0/8"]
    with hook_receiver() as known:
        yield known


def hook(campaign: Campaign, address: str, *events: HookEvent) -> Webhook:
    return add_webhook(campaign=campaign, address=address, events=events or (HookEvent.CAMPAIGN_OPENED,), by=None)[0]


def let_time_pass(seconds: float) -> None:
    for delivery in Delivery.objects.filter(status=DeliveryStatus.WAITING):
        assert delivery.next_attempt_at is not None
        Delivery.objects.filter(pk=delivery.pk).update(
            next_attempt_at=delivery.next_attempt_at - timedelta(seconds=seconds)
        )


def test_a_server_that_fails_twice_gets_the_message_at_the_third_attempt(
    campaign: Campaign, cast: Cast, receiver: HookReceiver
) -> None:
    webhook, secret = add_webhook(
        campaign=campaign, address=receiver.address, events=[HookEvent.CAMPAIGN_OPENED], by=cast.organiser
    )
    receiver.answers = [500, 503]
    set_status(campaign=campaign, status="paused", by=cast.organiser)
    set_status(campaign=campaign, status="open", by=cast.organiser)
    assert send_due() == 1
    assert send_due() == 0  # the pause is not over
    delivery = webhook.deliveries.get()
    assert (delivery.status, delivery.attempts, delivery.response_status) == ("waiting", 1, 500)
    let_time_pass(PAUSES[0])
    assert send_due() == 1
    let_time_pass(PAUSES[0])
    assert send_due() == 0  # the second pause is longer
    let_time_pass(PAUSES[1])
    assert send_due() == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.response_status, delivery.problem) == ("delivered", 3, 204, "")
    assert len(receiver.received) == 3
    headers, body = receiver.received[-1]
    expected = hmac.new(secret.encode(), headers["Assay-Timestamp"].encode() + b"." + body, hashlib.sha256).hexdigest()
    assert headers["Assay-Signature"] == f"v1={expected}"
    sent = json.loads(body)
    assert sent.keys() == {"id", "event", "at", "campaign", "link"}
    assert (sent["event"], sent["campaign"], sent["id"]) == ("campaign_opened", campaign.slug, str(delivery.public_id))
    send_again(delivery=delivery)
    assert send_due() == 1
    assert json.loads(receiver.received[-1][1])["id"] == sent["id"]  # receivers can tell that they know it


def test_a_server_that_never_accepts_is_given_up(campaign: Campaign, receiver: HookReceiver) -> None:
    webhook = hook(campaign, receiver.address)
    receiver.answers = [302] * 20
    send_test(webhook=webhook)
    for pause in (*PAUSES, 0):
        assert send_due() == 1
        let_time_pass(pause)
    delivery = webhook.deliveries.get()
    assert (delivery.status, delivery.attempts, delivery.next_attempt_at) == ("given_up", len(PAUSES) + 1, None)
    assert (delivery.problem, delivery.response_status) == (DeliveryProblem.REDIRECT, 302)
    assert len(receiver.received) == len(PAUSES) + 1  # no redirect was followed
    assert send_due() == 0


def test_nothing_is_sent_of_what_was_not_stored(campaign: Campaign, receiver: HookReceiver) -> None:
    webhook = hook(campaign, receiver.address)
    with transaction.atomic():
        announce(campaign.pk, HookEvent.CAMPAIGN_OPENED)
        transaction.set_rollback(True)
    announce(campaign.pk, HookEvent.RUN_FINISHED, run=1)  # not chosen
    change_webhook(webhook=webhook, address=webhook.address, events=webhook.events, is_active=False, by=None)
    announce(campaign.pk, HookEvent.CAMPAIGN_OPENED)
    assert not Delivery.objects.exists()


def test_the_last_judgment_of_an_assignment_tells_and_no_other_asks(
    test_set: TestSet, cast: Cast, receiver: HookReceiver
) -> None:
    planned = make_planned_campaign(test_set, cast)
    webhook = hook(planned, receiver.address, HookEvent.ASSIGNMENT_DONE)
    assignment = take(planned, cast.annotator)
    *first, last = items_to_judge(assignment)
    with CaptureQueriesContext(connection) as captured:
        for item in first:
            judge(item, 50)
    assert not [each["sql"] for each in captured.captured_queries if "webhook" in each["sql"]]
    judge(last, 50)
    body = webhook.deliveries.get().body
    assert (body["assignment"], body["judged"]) == (assignment.pk, len(first) + 1)
    assert cast.annotator.username not in json.dumps(body)


def test_a_requested_run_tells_its_end(campaign: Campaign, cast: Cast, receiver: HookReceiver) -> None:
    webhook = hook(campaign, receiver.address, HookEvent.RUN_FINISHED)
    run = perform_now(kind="analysis", campaign=campaign, arguments={}, created_by=cast.organiser)
    body = webhook.deliveries.get().body
    assert (body["run"], body["kind"], body["status"]) == (run.pk, "analysis", run.status)


def test_an_alert_is_told_once_until_it_is_gone(
    campaign: Campaign, receiver: HookReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = hook(campaign, receiver.address, HookEvent.ALERT)
    concerns: list[tuple[Concern, ...]] = [(Concern.TOO_FAST,), (Concern.TOO_FAST, Concern.LATE), ()]

    def overviews(campaigns: list[Campaign], now: object) -> dict[int, object]:
        lines = [SimpleNamespace(concerns=each) for each in concerns]
        return {each.pk: SimpleNamespace(lines=lines) for each in campaigns}

    monkeypatch.setattr(alerts, "overviews_of", overviews)
    assert [announce_alerts(), announce_alerts()] == [2, 0]
    told = {each.body["alert"]: each.body["annotators"] for each in webhook.deliveries.all()}
    assert told == {"too_fast": 2, "late": 1}
    concerns[:2] = [(), (Concern.LATE,)]
    assert announce_alerts() == 0
    concerns[0] = (Concern.TOO_FAST,)
    assert announce_alerts() == 1


def test_the_overview_is_looked_at_for_alerts(campaign: Campaign, receiver: HookReceiver) -> None:
    webhook = hook(campaign, receiver.address, HookEvent.ALERT)
    announce_alerts()
    webhook.refresh_from_db()
    assert webhook.alerts_looked_at is not None


def test_a_secret_is_in_no_column_and_can_be_replaced(campaign: Campaign, cast: Cast, receiver: HookReceiver) -> None:
    webhook, secret = add_webhook(campaign=campaign, address=receiver.address, events=["alert"], by=cast.organiser)
    assert secret not in str(Webhook.objects.values().get())
    second = replace_secret(webhook=webhook, by=cast.organiser)
    webhook.refresh_from_db()
    assert secret != second == secret_of(webhook)
    assert secret not in str(list(AuditEntry.objects.values()))
    assert second not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.1.2.3", "224.0.0.1",
        "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_private_addresses_are_not_allowed(address: str) -> None:
    assert not is_allowed(address)


def test_public_addresses_are_allowed_and_others_by_setting(settings: Settings) -> None:
    assert is_allowed(PUBLIC)
    assert is_allowed("2606:4700::1111")
    settings.WEBHOOK_NETWORKS = ["10.2.0.0/16"]
    assert is_allowed("10.2.3.4")
    assert is_allowed("::ffff:10.2.3.4")
    assert not is_allowed("10.3.0.1")


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("http://example.org/", "must begin with https"),
        ("ftp://example.org/", "not an address"),
        ("example.org", "not an address"),
        ("https://[::1", "not an address"),
        ("https://example.org:port/", "not an address"),
        ("https://user:key@example.org/", "user name"),
        ("https://example.org/#part", "after #"),
        ("https://127.0.0.1/", "private network"),
        ("https://[::ffff:10.0.0.1]/", "private network"),
        ("https://2130706433/", "private network"),
        ("https://example.org/" + "a" * 500, "At most"),
    ],
)
def test_an_address_that_cannot_be_a_target_is_refused(address: str, part: str) -> None:
    with pytest.raises(InvalidInput, match=part) as raised:
        check_target(address)
    assert list(raised.value.errors) == ["address"]


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """Each look-up of a name gets the next answer."""
    waiting = list(answers)

    def getaddrinfo(host: str, port: int, *args: Any, **more: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in waiting.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_a_name_that_leads_elsewhere_after_it_was_stored_is_not_followed(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, [PUBLIC], ["127.0.0.1"])
    webhook = hook(campaign, "https://rebinding.example/")
    send_test(webhook=webhook)
    send_due()
    assert webhook.deliveries.get().problem == DeliveryProblem.FORBIDDEN


def test_one_forbidden_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, [PUBLIC, "10.0.0.1"])
    with pytest.raises(InvalidInput, match="private network"):
        check_target("https://example.org/")


def test_the_connection_is_made_to_the_checked_address(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, [PUBLIC])  # a second look-up would fail
    connected: list[object] = []

    def connect(address: object, timeout: float) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotSent) as raised:
        post("https://example.org/", b"", {})
    assert connected == [(PUBLIC, 443)]
    assert raised.value.problem == DeliveryProblem.NO_CONNECTION


def test_a_host_that_sends_a_byte_now_and_then_is_left(receiver: HookReceiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_target, "SECONDS", 0.3)
    receiver.pause, receiver.answers = 0.05, [200]  # five seconds for the body
    began = time.monotonic()
    assert post(receiver.address, b"{}", {}) == 200
    assert time.monotonic() - began < 2


def test_old_messages_leave_the_log(campaign: Campaign, receiver: HookReceiver) -> None:
    webhook = hook(campaign, receiver.address)
    old, new = send_test(webhook=webhook), send_test(webhook=webhook)
    send_due()
    Delivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    remove_old_deliveries()
    assert list(webhook.deliveries.all()) == [new]
