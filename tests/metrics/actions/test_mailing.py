"""Who gets which mail, in which words, and what workers send by themselves."""

from datetime import timedelta

from django.core import mail as outbox_of
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest
from pytest_django import Settings

from annotation.actions.status import set_status
from annotation.actions.work_counts import recount_work
from annotation.models import Assignment, Judgment
from campaigns.actions.mail import change_mail_settings, change_mail_text, change_own_address, send_again
from campaigns.actions.mail_sending import send_due
from campaigns.invalid_input import AccountError, InvalidInput
from campaigns.mail_texts import NoMail
from campaigns.models import Account, Campaign, Invitation, Mail, MailKind, MailSettings, Membership, Role, TestSet
from campaigns.queries import open_invitation
from metrics.actions.mailing import send_digests, send_letters, texts_to_copy, thank_finishers
from metrics.progress.letters import Letters
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_mail import make_mail


@pytest.fixture(autouse=True)
def _mail_is_on(settings: Settings) -> None:
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = "smtp", "assay@example.org"


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    """Anna is in the middle of her work, and has not judged for five days."""
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    first, *_others = items_to_judge(take(campaign, cast.annotator))
    judge(first, 50)
    rest(campaign, days=5)
    for account in (cast.organiser, *cast.annotators):
        change_own_address(account=account, address=f"{account.username}@example.org")
    return campaign


def rest(campaign: Campaign, days: int) -> None:
    """As if all that was judged had been judged before."""
    past = timezone.now() - timedelta(days=days)
    Assignment.objects.filter(campaign=campaign).exclude(claimed_at=None).update(claimed_at=past)
    Judgment.objects.filter(item__assignment__campaign=campaign).update(submitted_at=past)
    recount_work(campaign.pk)


def finish(campaign: Campaign, annotator: Account) -> None:
    for item in items_to_judge(take(campaign, annotator)):
        if not item.revision:
            judge(item, 50)


def letters(campaign: Campaign, kind: MailKind, by: Account | None = None, days: int = 3) -> Letters:
    return Letters(Campaign.objects.get(pk=campaign.pk), kind, "en", by, days)


def test_reminders_go_to_who_stopped_once_in_so_many_days(planned: Campaign, cast: Cast) -> None:
    assert [each.account for each in letters(planned, MailKind.REMINDER).receivers] == [cast.annotator]
    assert letters(planned, MailKind.REMINDER, days=6).receivers == []
    stored = send_letters(letters(planned, MailKind.REMINDER, cast.organiser))
    assert (stored.messages, stored.left_out) == (1, ())
    again = send_letters(letters(planned, MailKind.REMINDER, cast.organiser))
    assert (again.messages, again.left_out) == (0, ((cast.annotator, NoMail.HAS_ONE),))
    Mail.objects.update(created_at=timezone.now() - timedelta(days=4))
    assert send_letters(letters(planned, MailKind.REMINDER, cast.organiser)).messages == 1
    mail = Mail.objects.latest("pk")
    left = Assignment.objects.get(annotator=cast.annotator)
    assert f"Items left: {left.total - left.done}." in mail.body
    assert mail.subject == "Your work for Planned campaign is not finished"
    send_due()
    assert "/invitations/" in outbox_of.outbox[-1].body


def test_an_invitation_goes_to_who_has_not_come_in_and_in_their_language(planned: Campaign, cast: Cast) -> None:
    (invited,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    account = invited.invitation.account
    Account.objects.filter(pk=account.pk).update(email="c@example.org", languages=["xx", "de-AT"])
    (receiver,) = letters(planned, MailKind.INVITATION, cast.organiser).receivers
    assert (receiver.account, receiver.hindrance, receiver.letter.language) == (account, None, "de")
    assert send_letters(letters(planned, MailKind.INVITATION, cast.organiser), [account.username]).messages == 1
    assert send_letters(letters(planned, MailKind.INVITATION, cast.organiser)).messages == 0
    own = Mail.objects.get()
    change_mail_text(
        campaign=planned, kind=MailKind.INVITATION, subject="{campaign}", body="{name} {minutes} {link}", by=None
    )
    assert letters(planned, MailKind.INVITATION).receivers[0].letter.subject == "Planned campaign"
    assert own.reply_to == "olive@example.org"


def test_no_link_leaves_to_an_account_that_its_sender_may_not_open(planned: Campaign, cast: Cast) -> None:
    elsewhere = make_planned_campaign(planned.test_set, cast, name="Elsewhere")
    Membership.objects.filter(campaign=elsewhere, role=Role.ORGANISER).update(account=cast.stranger)
    (receiver,) = letters(planned, MailKind.REMINDER, cast.organiser).receivers
    assert receiver.hindrance == NoMail.NOT_ALLOWED
    stored = send_letters(letters(planned, MailKind.REMINDER, cast.organiser))
    assert (stored.messages, stored.left_out) == (0, ((cast.annotator, NoMail.NOT_ALLOWED),))
    assert texts_to_copy(letters(planned, MailKind.REMINDER, cast.organiser)) == []
    assert not Invitation.objects.exists()
    with pytest.raises(AccountError):
        send_again(mail=make_mail(planned, cast.annotator), by=cast.organiser)
    Mail.objects.all().delete()
    change_mail_text(campaign=planned, kind=MailKind.REMINDER, subject="Go on", body="Sign in: {sign_in}", by=None)
    assert send_letters(letters(planned, MailKind.REMINDER, cast.organiser)).messages == 1


def test_without_a_mail_server_there_are_texts_with_links(planned: Campaign, cast: Cast, settings: Settings) -> None:
    settings.MAIL = "off"
    with pytest.raises(InvalidInput, match="No mail server"):
        send_letters(letters(planned, MailKind.REMINDER, cast.organiser))
    (text,) = texts_to_copy(letters(planned, MailKind.REMINDER, cast.organiser))
    secret = next(line for line in text.body.split() if "/invitations/" in line).rstrip("/").rpartition("/")[2]
    assert open_invitation(secret).account == cast.annotator
    assert not Mail.objects.exists()


@pytest.mark.parametrize(("kind", "days"), [(MailKind.DIGEST, 3), (MailKind.REMINDER, 0), (MailKind.REMINDER, 91)])
def test_what_is_not_sent_by_hand_is_refused(kind: MailKind, days: int, planned: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput):
        send_letters(letters(planned, kind, cast.organiser, days=days))


def test_people_whom_a_message_is_not_for_are_named(planned: Campaign, cast: Cast) -> None:
    with pytest.raises(InvalidInput, match="ben"):
        send_letters(letters(planned, MailKind.REMINDER, cast.organiser), ["anna", "ben"])
    set_status(campaign=planned, status="paused", by=None)
    with pytest.raises(InvalidInput, match="not open"):
        send_letters(letters(planned, MailKind.REMINDER, cast.organiser))


def test_who_is_done_after_thanks_are_switched_on_is_thanked_once(planned: Campaign, cast: Cast) -> None:
    finish(planned, cast.annotator)
    assert thank_finishers() == 0
    change_mail_settings(campaign=planned, reply_to="team@example.org", thanks=True, digest=False, by=None)
    assert thank_finishers() == 0  # Anna was done before
    finish(planned, cast.second_annotator)
    assert (thank_finishers(), thank_finishers()) == (1, 0)
    mail = Mail.objects.get()
    assert (mail.account, mail.reply_to, "{link}" in mail.body) == (cast.second_annotator, "team@example.org", False)
    assert "/timesheet/" in mail.body


def test_who_can_take_more_is_not_done(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, items_per_assignment=2)
    finish(campaign, cast.annotator)
    assert Assignment.objects.filter(campaign=campaign, status="planned").exists()
    assert letters(campaign, MailKind.THANKS).receivers == []
    set_status(campaign=campaign, status="closed", by=None)
    assert [each.account for each in letters(campaign, MailKind.THANKS).receivers] == [cast.annotator]


def test_a_digest_tells_new_alerts_once_and_at_most_daily(planned: Campaign, cast: Cast) -> None:
    change_mail_settings(campaign=planned, reply_to="", thanks=False, digest=True, by=None)
    assert (send_digests(), send_digests()) == (1, 0)
    mail = Mail.objects.get()
    assert (mail.account, "has stopped: Anna Weidner" in mail.body) == (cast.organiser, True)
    MailSettings.objects.update(digest_at=timezone.now() - timedelta(days=2))
    Mail.objects.update(cause="yesterday")
    assert send_digests() == 0  # nothing is new
    take(planned, cast.second_annotator)
    rest(planned, days=5)
    assert send_digests() == 1
    body = Mail.objects.latest("pk").body
    assert "Ben" in body
    assert "Anna" not in body


@pytest.mark.parametrize("kind", MailKind)
def test_the_number_of_queries_does_not_grow_with_people(kind: MailKind, planned: Campaign, cast: Cast) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert letters(planned, kind, cast.organiser).receivers is not None
        return len(queries)

    invite_annotators(campaign=planned, count=1, by=cast.organiser)
    few = asked()
    invite_annotators(campaign=planned, count=10, by=cast.organiser)
    assert asked() <= few + 1
