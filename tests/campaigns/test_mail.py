"""Mail: stored before it is sent, sent once, tried again, stopped with one click, and never with forged headers."""

import email
import email.policy
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

from django.core import mail as outbox_of
from django.core import signing
from django.core.management import CommandError, call_command
from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.actions.forgetting import end_consent
from campaigns.actions.links import accept_invitation, revoke_invitation
from campaigns.actions.mail import (
    change_mail_settings,
    change_mail_text,
    change_own_address,
    receiver_of,
    resume_mail,
    send_again,
    stop_address,
    stop_mail,
    store_mail,
)
from campaigns.actions.mail_sending import LEASE, PAUSES, erase_old_words, send_due
from campaigns.invalid_input import InvalidInput
from campaigns.mail_texts import Template, placeholders_of, usual_template
from campaigns.models import (
    AuditEntry,
    Campaign,
    Invitation,
    Mail,
    MailKind,
    MailProblem,
    MailStatus,
    MailText,
    Membership,
)
from config.checks import mail_is_complete
from tests.cast import Cast
from tests.mail_server import MailServer, mail_server
from tests.sample_mail import letter_to, make_mail


@pytest.fixture(autouse=True)
def _mail_is_on(settings: Settings) -> None:
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = "smtp", "Assay <assay@example.org>"
    settings.BASE_URL = "https://assay.example.org"


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    with mail_server() as known:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", known.port, False
        yield known


def stored(campaign: Campaign, cast: Cast, **changed: Any) -> Mail:
    return make_mail(campaign, cast.annotator, cast.organiser, **changed)


def due_now(mail: Mail) -> Mail:
    Mail.objects.filter(pk=mail.pk).update(next_attempt_at=timezone.now() - timedelta(seconds=1))
    mail.refresh_from_db()
    return mail


def test_a_server_that_refuses_twice_gets_the_message_at_the_third_attempt(
    campaign: Campaign, cast: Cast, server: MailServer
) -> None:
    server.answers = ["451 Grey, come again", "450 Not yet"]
    change_own_address(account=cast.organiser, address="olive@example.org")
    mail = stored(campaign, cast)
    for said, pause in (("451 Grey, come again", PAUSES[0]), ("450 Not yet", PAUSES[1])):
        before = timezone.now()
        assert send_due() == 1
        mail.refresh_from_db()
        assert (mail.status, mail.server_said) == (MailStatus.WAITING, said)
        assert mail.next_attempt_at is not None
        assert abs((mail.next_attempt_at - before).total_seconds() - pause) < 5
        assert send_due() == 0
        due_now(mail)
    assert send_due() == 1
    mail.refresh_from_db()
    assert (mail.status, mail.attempts, mail.problem, mail.next_attempt_at) == (MailStatus.SENT, 3, "", None)
    assert send_due() == 0
    (raw,) = server.received
    message = email.message_from_string(raw, policy=email.policy.default)
    assert message["To"] == "anna@example.org"
    assert message["From"] == "Assay <assay@example.org>"
    assert message["Reply-To"] == "olive@example.org"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"] == f"<{mail.public_id}@example.org>"
    assert message["Content-Language"] == "en"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = message["List-Unsubscribe"].strip(" <>")
    assert stop.startswith("https://assay.example.org/no-more-mail/")
    body = message.get_content()
    assert stop in body
    link = body.splitlines()[0].removeprefix("Here: ")
    assert accept_invitation(secret=link.rstrip("/").rpartition("/")[2]).account == cast.annotator


def test_the_links_are_in_the_message_alone_and_the_same_at_each_attempt(
    campaign: Campaign, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = stored(campaign, cast)
    assert send_due() == 1
    first = outbox_of.outbox[0].body
    secret = first.splitlines()[0].rstrip("/").rpartition("/")[2]
    assert secret not in mail.body + str(Invitation.objects.values()) + str(AuditEntry.objects.values())
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: 2_000_000_000.0))
    send_again(mail=mail, by=None)
    assert send_due() == 1
    assert outbox_of.outbox[1].body == first
    assert Invitation.objects.count() == 1
    assert mail.invitation is not None
    revoke_invitation(invitation=mail.invitation, by=None)
    send_again(mail=mail, by=None)
    assert send_due() == 1
    assert outbox_of.outbox[2].body != first
    assert Invitation.objects.count() == 2


def test_a_message_whose_link_was_revoked_while_it_waited_is_not_sent(campaign: Campaign, cast: Cast) -> None:
    mail = stored(campaign, cast)
    assert mail.invitation is not None
    revoke_invitation(invitation=mail.invitation, by=None)
    assert send_due() == 1
    mail.refresh_from_db()
    assert (mail.status, mail.problem, outbox_of.outbox) == (MailStatus.FAILED, MailProblem.LINK_ENDED, [])


def test_an_address_that_the_server_does_not_know_is_not_tried_again(
    campaign: Campaign, cast: Cast, server: MailServer
) -> None:
    server.answers = ["550 No such mailbox"]
    mail = stored(campaign, cast)
    send_due()
    mail.refresh_from_db()
    assert (mail.status, mail.problem, mail.server_said) == ("failed", "refused", "550 No such mailbox")


def test_nothing_is_sent_twice_where_nobody_knows_whether_it_arrived(
    campaign: Campaign, cast: Cast, server: MailServer
) -> None:
    server.hangs_up = True
    mail = stored(campaign, cast)
    send_due()
    mail.refresh_from_db()
    assert (mail.status, mail.problem, len(server.received)) == ("failed", "uncertain", 1)
    other = stored(campaign, cast, cause="other")
    long_ago = timezone.now() - LEASE
    Mail.objects.filter(pk=other.pk).update(status=MailStatus.SENDING, next_attempt_at=long_ago)  # its worker died
    assert send_due() == 1
    other.refresh_from_db()
    assert (other.status, other.problem, len(server.received)) == ("failed", "uncertain", 1)


def test_a_server_that_is_away_is_tried_again_and_given_up_in_the_end(
    campaign: Campaign, cast: Cast, settings: Settings
) -> None:
    with mail_server() as gone:
        settings.EMAIL_PORT = gone.port
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS = "127.0.0.1", False
    mail = stored(campaign, cast)
    for _attempt in PAUSES:
        assert send_due() == 1
        due_now(mail)
        assert (mail.status, mail.problem) == ("waiting", "no_connection")
    send_due()
    mail.refresh_from_db()
    assert (mail.status, mail.attempts) == ("failed", len(PAUSES) + 1)


def test_one_cause_has_one_message_and_reminders_are_days_apart(campaign: Campaign, cast: Cast) -> None:
    letter = letter_to(cast.annotator)
    assert len(store_mail(campaign=campaign, letters=[letter], by=None)) == 1
    assert store_mail(campaign=campaign, letters=[letter], by=None) == []
    reminder = letter_to(cast.annotator, kind=MailKind.REMINDER, cause="reminder")
    assert len(store_mail(campaign=campaign, letters=[reminder], by=None, apart_days=3)) == 1
    assert store_mail(campaign=campaign, letters=[reminder], by=None, apart_days=3) == []
    Mail.objects.update(created_at=timezone.now() - timedelta(days=4))
    assert len(store_mail(campaign=campaign, letters=[reminder], by=None, apart_days=3)) == 1
    assert sorted(Mail.objects.values_list("kind", flat=True)) == ["invitation", "reminder", "reminder"]


def test_who_wants_no_more_gets_none_whatever_waits(campaign: Campaign, cast: Cast) -> None:
    mail = stored(campaign, cast)
    key = stop_address(mail).rstrip("/").rpartition("/")[2]
    receiver = receiver_of(key)
    assert receiver is not None
    assert (receiver.campaign, receiver.stops) == (campaign, set())
    stop_mail(receiver, of_site=False)
    stop_mail(receiver, of_site=False)
    assert receiver.stops == {"campaign"}
    send_due()
    mail.refresh_from_db()
    assert (mail.status, outbox_of.outbox) == (MailStatus.STOPPED, [])
    assert stored(campaign, cast, cause="second").status == MailStatus.STOPPED
    stop_mail(receiver, of_site=True)
    assert receiver.stops == {"campaign", "site"}
    resume_mail(receiver)
    assert stored(campaign, cast, cause="third").status == MailStatus.WAITING
    assert receiver_of(f"{key}x") is None


def test_no_value_adds_a_header(campaign: Campaign, cast: Cast, server: MailServer) -> None:
    campaign.name = "Boats\r\nBcc: eve@example.org"
    named = usual_template(MailKind.INVITATION, "en").filled({"campaign": campaign.name})
    assert "\n" not in named.subject
    stored(campaign, cast, subject="Come\r\nBcc: eve@example.org", body="One\r\n.\r\nRCPT TO:<eve@example.org>")
    send_due()
    message = email.message_from_string(server.received[0], policy=email.policy.default)
    assert message["Bcc"] is None
    assert message["Subject"] == "Come Bcc: eve@example.org"
    assert len(server.received) == 1


def test_placeholders_are_filled_once() -> None:
    template = Template("{name}", "{name} {left} {unknown} {0.__class__}")
    filled = template.filled({"name": "{left}", "left": "3"})
    assert (filled.subject, filled.body) == ("{left}", "{left} 3 {unknown} {0.__class__}")


@pytest.mark.parametrize("kind", MailKind)
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_usual_texts_use_no_placeholder_that_is_not_allowed(kind: MailKind, language: str, campaign: Campaign) -> None:
    usual = usual_template(kind, language)
    change_mail_text(campaign=campaign, kind=kind, subject=usual.subject, body=usual.body, by=None)
    assert "name" in placeholders_of(kind)
    assert MailText.objects.exists() == (language != "en")  # what is usual on the page that was saved stays usual


def test_all_errors_of_a_text_are_reported_at_once(campaign: Campaign) -> None:
    with pytest.raises(InvalidInput) as caught:
        change_mail_text(
            campaign=campaign, kind=MailKind.INVITATION, subject="Two\nlines {link}", body="{nam} {Left}", by=None
        )
    errors = caught.value.errors
    assert len(errors["subject"]) == 2
    assert any("{Left}, {nam}" in error and "{name}, {campaign}" in error for error in errors["body"])
    assert any("needs {link}" in error for error in errors["body"])


@pytest.mark.parametrize("address", ["nobody", "a@b", "a@example.org\r\nBcc: c@example.org", "a@example.org,b@c.de"])
def test_what_is_not_an_address_is_refused(address: str, campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput):
        change_own_address(account=cast.annotator, address=address)
    with pytest.raises(InvalidInput):
        change_mail_settings(campaign=campaign, reply_to=address, thanks=True, digest=True, by=None)


def test_old_words_are_erased_and_the_cause_stays(campaign: Campaign, cast: Cast) -> None:
    mail = stored(campaign, cast)
    send_due()
    Mail.objects.update(created_at=timezone.now() - timedelta(days=91))
    erase_old_words()
    mail.refresh_from_db()
    assert (mail.address, mail.subject, mail.body) == ("", "", "")
    assert store_mail(campaign=campaign, letters=[letter_to(cast.annotator)], by=None) == []
    with pytest.raises(InvalidInput):
        send_again(mail=mail, by=None)


def test_nothing_is_sent_while_mail_is_off_or_much_later(campaign: Campaign, cast: Cast, settings: Settings) -> None:
    settings.MAIL = "off"
    mail = stored(campaign, cast)
    assert send_due() == 0
    settings.MAIL = "smtp"
    Mail.objects.update(next_attempt_at=timezone.now() - timedelta(days=4))
    send_due()
    mail.refresh_from_db()
    assert (mail.status, mail.problem, outbox_of.outbox) == ("failed", "too_late", [])


def test_the_operator_sends_a_test_message(server: MailServer, settings: Settings) -> None:
    server.answers = ["554 Relaying denied"]
    with pytest.raises(CommandError, match="554 Relaying denied"):
        call_command("send_test_mail", "olive@example.org", skip_checks=True)
    errors = StringIO()
    call_command("send_test_mail", "olive@example.org", skip_checks=True, stderr=errors)
    assert "took the message" in errors.getvalue()
    with pytest.raises(CommandError, match="not an e-mail address"):
        call_command("send_test_mail", "olive", skip_checks=True)
    settings.MAIL = "off"
    with pytest.raises(CommandError, match="ASSAY_MAIL=smtp"):
        call_command("send_test_mail", "olive@example.org", skip_checks=True)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"MAIL": "off", "DEFAULT_FROM_EMAIL": ""}, []),
        ({}, []),
        ({"DEFAULT_FROM_EMAIL": "Assay"}, ["assay.E006"]),
        (
            {"DEFAULT_FROM_EMAIL": "", "EMAIL_HOST": "", "EMAIL_HOST_USER": "us"},
            ["assay.E006", "assay.E007", "assay.E008"],
        ),
        ({"EMAIL_HOST_USER": "us", "EMAIL_HOST_PASSWORD": "secret", "MAIL_SECURITY": "none"}, ["assay.E009"]),
    ],
)
def test_settings_of_mail_that_contradict_each_other_are_all_named(
    changed: dict[str, str], wrong: list[str], settings: Settings
) -> None:
    for name, value in ({"EMAIL_HOST": "mail.example.org"} | changed).items():
        setattr(settings, name, value)
    assert [error.id for error in mail_is_complete(None)] == wrong


def test_the_mail_of_who_withdraws_is_erased(campaign: Campaign, cast: Cast) -> None:
    stored(campaign, cast)
    place = Membership.objects.get(campaign=campaign, account=cast.annotator)
    Membership.objects.filter(pk=place.pk).update(consented_at=timezone.now())
    end_consent(place)
    assert not Mail.objects.exists()
