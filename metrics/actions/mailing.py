"""Mail that organisers send, or copy where there is no mail server, and mail that workers send by themselves."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.links import new_invitation
from campaigns.actions.mail import is_mail_on, refuse_without_server, store_mail
from campaigns.invalid_input import InvalidInput
from campaigns.mail_texts import LINK, NoMail, with_link
from campaigns.models import Account, CampaignStatus, Invitation, MailKind, MailSettings, Role
from metrics.progress.letters import Letters, Receiver, alert_key, concerns_in

SENT_BY_HAND = (MailKind.INVITATION, MailKind.REMINDER, MailKind.THANKS)
DAYS = (1, 90)  # without work, before a reminder
DIGEST_EVERY = timedelta(days=1)


@dataclass(frozen=True)
class Stored:
    """How many messages wait now, and who gets none, and why."""

    messages: int
    left_out: tuple[tuple[Account, NoMail], ...]


def send_letters(letters: Letters, usernames: Collection[str] | None = None) -> Stored:
    """To all whom the kind is for, or to some of them. Raises InvalidInput."""
    _check(letters)
    refuse_without_server("kind")
    receivers = _chosen(letters, usernames)
    sent = [each.letter for each in receivers if each.hindrance is None]
    stored = store_mail(
        campaign=letters.campaign,
        letters=sent,
        by=letters.by,
        apart_days=letters.days if letters.kind == MailKind.REMINDER else 0,
    )
    reached = {mail.account_id for mail in stored}
    left_out = tuple(
        (each.account, each.hindrance or NoMail.HAS_ONE) for each in receivers if each.account.pk not in reached
    )
    return Stored(len(stored), left_out)


@dataclass(frozen=True)
class TextToCopy:
    account: Account
    subject: str
    body: str


def texts_to_copy(letters: Letters, usernames: Collection[str] | None = None) -> list[TextToCopy]:
    """Whether they have an address or not; with a new link each where the text has one. Raises InvalidInput."""
    _check(letters)
    refused = (NoMail.NOT_ALLOWED, NoMail.STOPPED)
    receivers = [each for each in _chosen(letters, usernames) if each.hindrance not in refused]
    campaign, by = letters.campaign, letters.by
    issued = {
        each.account.pk: new_invitation(campaign, each.account, Role.ANNOTATOR, by)
        for each in receivers
        if f"{{{LINK}}}" in each.letter.body
    }
    with transaction.atomic():
        Invitation.objects.bulk_create([each.invitation for each in issued.values()], batch_size=200)
        if issued:
            record(action="mail_stored", by=by, campaign=campaign, kinds=[letters.kind.value], links=len(issued))
    return [
        TextToCopy(each.account, each.letter.subject, with_link(each.letter.body, issued[each.account.pk].link))
        if each.account.pk in issued
        else TextToCopy(each.account, each.letter.subject, each.letter.body)
        for each in receivers
    ]


def _check(letters: Letters) -> None:
    if letters.kind not in SENT_BY_HAND:
        known = ", ".join(kind.value for kind in SENT_BY_HAND)
        raise InvalidInput.of("kind", _("Unknown kind. Allowed: %(known)s.") % {"known": known})
    if not DAYS[0] <= letters.days <= DAYS[1]:
        message = _("Enter a number of days from %(low)d to %(high)d.") % {"low": DAYS[0], "high": DAYS[1]}
        raise InvalidInput.of("days", message)
    if letters.kind == MailKind.REMINDER and letters.campaign.status != CampaignStatus.OPEN:
        raise InvalidInput.of("kind", _("Nobody can be reminded: the campaign is not open."))


def _chosen(letters: Letters, usernames: Collection[str] | None) -> list[Receiver]:
    if usernames is not None and not usernames:
        raise InvalidInput.of("annotators", _("Choose at least one person."))
    receivers = letters.to(usernames)
    unknown = sorted(set(usernames or ()) - {each.account.username for each in receivers})
    if unknown:
        message = _("This message is not for: %(names)s.") % {"names": ", ".join(unknown[:20])}
        raise InvalidInput.of("annotators", message)
    if not receivers:
        raise InvalidInput.of("annotators", _("This message is for nobody at present."))
    return receivers


# --- by workers -------------------------------------------------------------------------------------------------------
def thank_finishers() -> int:
    """Those who were done since their campaign thanks people; how many messages."""
    wanted = _wanted().filter(thanks_since__isnull=False)
    return sum(_thank(each) for each in wanted)


def _thank(wanted: MailSettings) -> int:
    letters = Letters(wanted.campaign, MailKind.THANKS, wanted.language)
    since = wanted.thanks_since
    due = [
        each.letter
        for each in letters.receivers
        if each.hindrance is None and since is not None and each.finished_at is not None and each.finished_at >= since
    ]
    return len(store_mail(campaign=wanted.campaign, letters=due, by=None)) if due else 0


def send_digests() -> int:
    """To organisers of open campaigns, at most one a day, if somebody has an alert that they did not have before."""
    before = timezone.now() - DIGEST_EVERY
    wanted = _wanted().filter(sends_digest=True, campaign__status=CampaignStatus.OPEN)
    return sum(_digest(each) for each in wanted.exclude(digest_at__gt=before))


def _digest(wanted: MailSettings) -> int:
    letters = Letters(wanted.campaign, MailKind.DIGEST, wanted.language, told_alerts=frozenset(wanted.digest_alerts))
    now = sorted({alert_key(concern, line) for concern, line in concerns_in(letters.lines)})
    new = [each for each in now if each not in letters.told_alerts]
    own = MailSettings.objects.filter(pk=wanted.pk, digest_at=wanted.digest_at)
    if not new:
        if now != wanted.digest_alerts:  # what is gone may come back, and is new then
            own.update(digest_alerts=now)
        return 0
    due = [each.letter for each in letters.receivers if each.hindrance is None]
    with transaction.atomic():
        if not own.update(digest_alerts=now, digest_at=timezone.now()):
            return 0  # another worker looked meanwhile
        return len(store_mail(campaign=wanted.campaign, letters=due, by=None))


def _wanted() -> QuerySet[MailSettings]:
    there = MailSettings.objects.filter(campaign__deleted_at=None).select_related("campaign__test_set")
    return there if is_mail_on() else there.none()
