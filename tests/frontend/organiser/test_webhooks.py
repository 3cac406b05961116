"""The page of webhooks, and what programs do with them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.actions.webhooks import secret_of, send_test, signature_of
from campaigns.models import Account, Campaign, Delivery, Webhook
from tests.cast import Cast

URL = "/campaigns/harbour-campaign/webhooks/"
API = "/api/v1/campaigns/harbour-campaign"
ADDRESS = "https://93.184.215.14/assay"


@pytest.fixture
def client(campaign: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def test_a_webhook_is_added_tested_paused_and_removed_and_its_secret_is_shown_once(client: Client) -> None:
    page = client.post(URL, {"address": ADDRESS, "events": ["alert", "run_finished"]}).text
    webhook = Webhook.objects.get()
    assert secret_of(webhook) in page
    assert secret_of(webhook) not in client.get(URL).text
    own = f"{URL}{webhook.pk}/"
    old, page = secret_of(webhook), client.post(own, {"act": "secret"}).text
    webhook.refresh_from_db()
    assert secret_of(webhook) in page
    assert secret_of(webhook) != old
    client.post(own, {"act": "test"})
    Delivery.objects.update(status="given_up", next_attempt_at=None, problem="redirect", response_status=302)
    page = client.get(URL).text
    assert "Given up" in page
    assert "Redirects are not followed" in page
    client.post(f"{URL}deliveries/{Delivery.objects.get().pk}/")
    assert Delivery.objects.get().status == "waiting"
    lines = client.get("/campaigns/harbour-campaign/webhooks.csv").text.splitlines()
    assert lines[0].startswith("webhook,id,event")
    assert lines[1].startswith(ADDRESS)
    client.post(own, {"act": "pause"})
    webhook.refresh_from_db()
    assert not webhook.is_active
    client.post(own, {"act": "remove"})
    assert not Webhook.objects.exists()


def test_all_errors_are_shown_at_once_and_nothing_is_stored(client: Client) -> None:
    answer = client.post(URL, {"address": "http://10.0.0.1/"})
    assert answer.status_code == 422
    assert "This field is required" in answer.text
    answer = client.post(URL, {"address": "https://10.0.0.1/", "events": ["alert"]})
    assert (answer.status_code, "private network" in answer.text) == (422, True)
    assert not Webhook.objects.exists()


def test_the_page_needs_few_queries_however_long_the_log_is(
    client: Client, campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(3):
        webhook = Webhook.objects.create(campaign=campaign, address=f"{ADDRESS}/{place}", events=["alert"])
        for _again in range(5):
            send_test(webhook=webhook)
    with django_assert_max_num_queries(8):
        client.get(URL)


def test_programs_do_the_same(client: Client) -> None:
    def send(method: str, address: str, body: Any = None) -> Any:
        return getattr(client, method)(f"{API}/{address}", body, content_type="application/json")

    made = send("post", "webhooks", {"address": ADDRESS, "events": ["alert"]})
    assert made.status_code == 201
    webhook = Webhook.objects.get()
    assert made.json()["secret"] == secret_of(webhook)
    assert "secret" not in client.get(f"{API}/webhooks/{webhook.pk}").json()
    refused = send("post", "webhooks", {"address": "https://127.0.0.1/", "events": ["alert"]})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["address"])
    assert send("post", f"webhooks/{webhook.pk}/test").status_code == 202
    (sent,) = client.get(f"{API}/deliveries").json()["results"]
    assert (sent["event"], sent["status"]) == ("test", "waiting")
    assert send("post", f"deliveries/{sent['id']}/again").json()["message"] == sent["message"]
    change = {"address": ADDRESS, "events": ["run_finished"], "is_active": False}
    assert send("put", f"webhooks/{webhook.pk}", change).json()["events"] == ["run_finished"]
    assert send("delete", f"webhooks/{webhook.pk}").status_code == 204


def test_the_documented_check_of_a_signature_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(import hashlib.*?)```", docs, re.DOTALL)
    known: dict[str, Any] = {}
    exec(example, known)  # noqa: S102 - ours
    monkeypatch.setattr("time.time", lambda: 1_700_000_100.0)
    signature = f"v1={signature_of('key', '1700000000', b'{}')}"
    headers = {"Assay-Timestamp": "1700000000", "Assay-Signature": signature}
    assert known["is_from_assay"]("key", headers, b"{}")
    assert not known["is_from_assay"]("key", headers, b"{ }")
    assert not known["is_from_assay"]("key", {**headers, "Assay-Timestamp": "1600000000"}, b"{}")
