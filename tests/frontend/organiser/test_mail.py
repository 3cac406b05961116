"""The page of mail, its log, the page where somebody stops mail, and what programs send."""

import re
from collections.abc import Callable
from datetime import timedelta

from django.core import mail as outbox_of
from django.test import Client
from django.utils import timezone

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from campaigns.actions.mail import change_own_address, stop_address
from campaigns.actions.mail_sending import send_due
from campaigns.models import Account, Campaign, Mail, MailSettings, MailStatus, MailStop, MailText, TestSet
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import make_planned_campaign
from tests.sample_mail import make_mail

URL = "/campaigns/planned-campaign/mail/"
API = "/api/v1/campaigns/planned-campaign/mail"


@pytest.fixture(autouse=True)
def _mail_is_on(settings: Settings) -> None:
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = "smtp", "Assay <assay@example.org>"


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def invited(planned: Campaign, cast: Cast) -> Account:
    """Has an address, and has not come in."""
    account = invite_annotators(campaign=planned, count=1, by=cast.organiser)[0].invitation.account
    change_own_address(account=account, address="carla@example.org")
    return account


@pytest.fixture
def client(planned: Campaign, cast: Cast, client_of: Callable[[Account], Client]) -> Client:
    return client_of(cast.organiser)


def path_of(mail: Mail) -> str:
    return "/" + stop_address(mail).split("/", 3)[3]


def test_an_invitation_is_previewed_sent_and_listed(client: Client, invited: Account) -> None:
    page = client.get(f"{URL}?kind=invitation").text
    assert "carla@example.org" in page
    assert "Invitation: Planned campaign" in page  # the preview
    page = client.post(URL, {"kind": "invitation", "act": "send", "to": [invited.username]}, follow=True).text
    assert "1 message waits to be sent." in page
    assert "has one already" in page
    send_due()
    assert outbox_of.outbox[0].to == ["carla@example.org"]
    mail = Mail.objects.get()
    page = client.get(f"{URL}log/").text
    assert "Sent" in page
    assert "Send again" in page
    page = client.get(f"{URL}log/{mail.pk}/").text
    assert "{link}" in page
    client.post(f"{URL}log/{mail.pk}/")
    assert Mail.objects.get().status == MailStatus.WAITING
    lines = client.get("/campaigns/planned-campaign/mail/log.csv").getvalue().decode().splitlines()
    assert lines[0].startswith("message,kind,account")
    assert "carla@example.org" in lines[1]
    assert "carla@example.org" in client.get("/campaigns/planned-campaign/mail.csv?kind=invitation").text


def test_a_text_is_looked_at_before_it_is_stored(client: Client, invited: Account) -> None:
    typed = {
        "kind": "invitation",
        "subject": "Come, {name}",
        "body": "<b>Here</b>: {link}",
        "preview": invited.username,
    }
    page = client.post(URL, {**typed, "act": "preview"}).text
    assert f"Come, {invited}" in page
    assert "&lt;b&gt;Here&lt;/b&gt;" in page
    assert not MailText.objects.exists()
    client.post(URL, {**typed, "act": "save"})
    assert MailText.objects.get().subject == "Come, {name}"
    answer = client.post(URL, {**typed, "body": "{nobody}", "act": "save"})
    assert (answer.status_code, "Unknown placeholder: {nobody}" in answer.text) == (422, True)
    assert "The text needs {link}" in answer.text
    client.post(URL, {"kind": "invitation", "act": "restore"})
    assert not MailText.objects.exists()


def test_texts_to_copy_are_shown_once_where_no_server_is_set(
    client: Client, invited: Account, settings: Settings
) -> None:
    settings.MAIL = "off"
    page = client.get(URL).text
    assert "No mail server is set" in page
    assert 'value="send"' not in page
    page = client.post(URL, {"kind": "invitation", "act": "copy", "to": [invited.username]}).text
    (link,) = set(re.findall(r"http\S+/invitations/\w+/", page))
    assert f"Your link, for you alone: {link}" in page
    assert 'data-save="texts-csv"' in page
    assert link not in client.get(URL).text
    assert not Mail.objects.exists()


def test_settings_are_stored_or_refused_beside_the_field(client: Client) -> None:
    answer = client.post(URL, {"kind": "thanks", "act": "settings", "reply_to": "nobody", "thanks": "on"})
    assert answer.status_code == 422
    assert not MailSettings.objects.exists()
    client.post(URL, {"kind": "thanks", "act": "settings", "reply_to": "o@example.org", "digest": "on"})
    stored = MailSettings.objects.get()
    assert (stored.reply_to, stored.thanks_since, stored.sends_digest) == ("o@example.org", None, True)


def test_opening_the_page_of_no_more_mail_changes_nothing(client: Client, planned: Campaign, invited: Account) -> None:
    path, nobody = path_of(make_mail(planned, invited)), Client(enforce_csrf_checks=True)
    assert nobody.get(path).status_code == 200
    assert nobody.head(path).status_code == 200
    assert not MailStop.objects.exists()
    assert nobody.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 302
    assert "no more messages about" in nobody.get(path).text
    Mail.objects.update(status="failed", next_attempt_at=None)
    assert "wants no more mail" in client.get(f"{URL}?kind=invitation").text
    nobody.post(path, {"act": "site"})
    assert MailStop.objects.filter(campaign=None).count() == 1
    assert "no more messages from this site" in nobody.get(path).text
    nobody.post(path, {"act": "undo"})
    assert not MailStop.objects.exists()
    assert nobody.get("/no-more-mail/forged/").status_code == 404
    assert "carla" not in nobody.get(path).text


def test_an_address_is_entered_for_an_account_of_the_campaign_alone(
    client: Client, planned: Campaign, invited: Account, cast: Cast
) -> None:
    own = planned.memberships.get(account=invited)
    client.post(f"/campaigns/planned-campaign/members/{own.pk}/address/", {"email": "new@example.org"})
    invited.refresh_from_db()
    assert invited.email == "new@example.org"
    page = client.post(f"/campaigns/planned-campaign/members/{own.pk}/address/", {"email": "new"}, follow=True).text
    assert "This is not an e-mail address." in page
    anna = planned.memberships.get(account=cast.annotator)
    client.post(f"/campaigns/planned-campaign/members/{anna.pk}/address/", {"email": "eve@example.org"})
    cast.annotator.refresh_from_db()
    assert cast.annotator.email == ""


def test_the_log_is_sorted_and_in_pages(
    client: Client, planned: Campaign, invited: Account, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(51):
        make_mail(planned, invited, cause=f"cause {number}")
    Mail.objects.update(created_at=timezone.now() - timedelta(days=1))
    with django_assert_max_num_queries(10):
        page = client.get(f"{URL}log/?sort=log:status").text
    assert "Page 1 of 2" in page
    assert 'aria-sort="ascending"' in page
    assert "Page 2 of 2" in client.get(f"{URL}log/?page=2").text
    assert "Unknown order" in client.get(f"{URL}log/?sort=log:size").text


@pytest.mark.parametrize("kind", ["invitation", "reminder", "thanks", "digest"])
def test_the_page_asks_few_queries(
    kind: str, client: Client, invited: Account, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(f"{URL}?kind={kind}")
    with django_assert_max_num_queries(20):
        assert client.get(f"{URL}?kind={kind}").status_code == 200


def test_programs_send_and_list_mail(client: Client, planned: Campaign, invited: Account) -> None:
    answer = client.post(API, {"kind": "invitation"}, content_type="application/json")
    assert answer.status_code == 202
    assert answer.json()["messages"] == 1
    (listed,) = client.get(API).json()["results"]
    assert (listed["username"], listed["address"], listed["status"]) == (
        invited.username,
        "carla@example.org",
        "waiting",
    )
    assert "body" not in listed
    assert client.post(API, {"kind": "invitation"}, content_type="application/json").json()["messages"] == 0
    Mail.objects.update(status="failed", next_attempt_at=None, problem="refused", server_said="550 No")
    assert client.post(f"{API}/{listed['id']}/again").json()["status"] == "waiting"
    answer = client.post(API, {"kind": "reminder", "annotators": ["nobody"]}, content_type="application/json")
    assert (answer.status_code, "nobody" in answer.text) == (422, True)
    assert client.post(API, {"kind": "digest"}, content_type="application/json").status_code == 422
