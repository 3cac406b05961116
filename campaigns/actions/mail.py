"""Mail of a campaign: what its organisers decide, messages that are stored to be sent, and who wants no more."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.endings import refuse_more_than_own
from campaigns.invalid_input import AccountError, InvalidInput
from campaigns.mail_texts import LINK, Template, check_template, usual_template
from campaigns.models import (
    Account,
    Campaign,
    Invitation,
    Mail,
    MailKind,
    MailProblem,
    MailSettings,
    MailStatus,
    MailStop,
    MailText,
    Role,
)
from campaigns.new_people import EMAIL_LIMIT
from campaigns.secret_keys import hash_secret
from campaigns.site_address import site_address

COUNTED = (MailStatus.WAITING, MailStatus.SENDING, MailStatus.SENT)  # what a person gets, or got
_STOP = "assay.mail.stop"


def is_mail_on() -> bool:
    return bool(settings.MAIL != "off")


def refuse_without_server(field: str) -> None:
    if not is_mail_on():
        raise InvalidInput.of(field, _("No mail server is set. Copy the texts instead."))


# --- decided ----------------------------------------------------------------------------------------------------------
def mail_settings_of(campaign: Campaign) -> MailSettings:
    """Stored or not."""
    return MailSettings.objects.filter(campaign=campaign).first() or MailSettings(campaign=campaign)


def change_mail_settings(
    *, campaign: Campaign, reply_to: str, thanks: bool, digest: bool, by: Account | None
) -> MailSettings:
    """Raises InvalidInput. Who was done before thanks were switched on is not thanked."""
    if reply_to:
        _check_address("reply_to", reply_to)
    with transaction.atomic():
        stored, _is_new = MailSettings.objects.select_for_update().get_or_create(campaign=campaign)
        stored.reply_to, stored.sends_digest = reply_to, digest
        stored.thanks_since = (stored.thanks_since or timezone.now()) if thanks else None
        stored.language = get_language() or settings.LANGUAGE_CODE
        stored.save()
        record(action="mail_settings_changed", by=by, campaign=campaign, thanks=thanks, digest=digest)
    return stored


def change_mail_text(*, campaign: Campaign, kind: MailKind, subject: str, body: str, by: Account | None) -> None:
    """Raises InvalidInput. The usual text in the organiser's language, unchanged, stays usual in every language."""
    body = body.replace("\r\n", "\n")
    check_template(kind, subject, body)
    words = {"subject": subject.strip(), "body": body.strip()}
    if Template(**words) == usual_template(kind, get_language() or settings.LANGUAGE_CODE):
        return restore_mail_text(campaign=campaign, kind=kind, by=by)
    with transaction.atomic():
        MailText.objects.update_or_create(campaign=campaign, kind=kind, defaults=words)
        record(action="mail_text_changed", by=by, campaign=campaign, kind=kind.value)
    return None


def restore_mail_text(*, campaign: Campaign, kind: MailKind, by: Account | None) -> None:
    """The usual text is sent again."""
    with transaction.atomic():
        if MailText.objects.filter(campaign=campaign, kind=kind).delete()[0]:
            record(action="mail_text_changed", by=by, campaign=campaign, kind=kind.value)


def change_own_address(*, account: Account, address: str) -> Account:
    """Raises InvalidInput."""
    if address:
        _check_address("email", address)
    Account.objects.filter(pk=account.pk).update(email=address)
    account.email = address
    return account


def change_address(*, account: Account, address: str, campaign: Campaign, by: Account | None) -> Account:
    """Of an account that was made for the campaign: others enter their own. Raises InvalidInput or AccountError."""
    if account.made_for_id != campaign.pk:
        raise AccountError(_("Only accounts that were made for this campaign can get an address from its organisers."))
    refuse_more_than_own(account, by)
    with transaction.atomic():
        change_own_address(account=account, address=address.strip())
        record(action="address_changed", by=by, campaign=campaign, account=account.username)
    return account


def _check_address(field: str, address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise InvalidInput.of(field, _("This is not an e-mail address.")) from None
    if len(address) > EMAIL_LIMIT:
        raise InvalidInput.of(field, _("At most %(limit)d characters.") % {"limit": EMAIL_LIMIT})


# --- stored -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Letter:
    """A message in words, to be stored; `{link}` in its body is filled when it is sent."""

    account: Account
    kind: MailKind
    cause: str
    language: str
    subject: str
    body: str


def store_mail(*, campaign: Campaign, letters: Sequence[Letter], by: Account | None, apart_days: int = 0) -> list[Mail]:
    """What is to be sent. Letters whose cause has a message are left out.

    With `apart_days` so are those to people who got one of the kind within these days. Letters to addresses that want
    no more are stored as such. Reminders may repeat, so the number of earlier ones is added to their cause.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        stopped = stopped_hashes((each.account.email for each in letters), campaign)
        reply_to = mail_settings_of(campaign).reply_to or (by.email if by else "")
        mails = [
            _mail(campaign, each, cause, reply_to, by, is_stopped=address_hash(each.account.email) in stopped)
            for each, cause in _new(campaign, letters, apart_days)
        ]
        add_links([each for each in mails if each.status == MailStatus.WAITING and f"{{{LINK}}}" in each.body])
        Mail.objects.bulk_create(mails, batch_size=200)
        if mails:
            kinds = sorted({each.kind.value for each in letters})
            record(action="mail_stored", by=by, campaign=campaign, kinds=kinds, messages=len(mails))
    return mails


def _new(campaign: Campaign, letters: Sequence[Letter], apart_days: int) -> list[tuple[Letter, str]]:
    """With their causes."""
    earlier: dict[tuple[int, str], list[Mail]] = {}
    to = {each.account.pk for each in letters}
    for mail in Mail.objects.filter(campaign=campaign, account__in=to).defer("body"):
        earlier.setdefault((mail.account_id, mail.kind), []).append(mail)
    since = timezone.now() - timedelta(days=apart_days)
    new = []
    for letter in letters:
        own = earlier.get((letter.account.pk, letter.kind), [])
        if apart_days and any(mail.created_at >= since and mail.status in COUNTED for mail in own):
            continue
        cause = f"{letter.cause}:{len(own) + 1}" if letter.kind == MailKind.REMINDER else letter.cause
        if all(mail.cause != cause for mail in own):
            new.append((letter, cause))
    return new


def _mail(
    campaign: Campaign, letter: Letter, cause: str, reply_to: str, by: Account | None, *, is_stopped: bool
) -> Mail:
    mail = Mail(
        campaign=campaign,
        account=letter.account,
        kind=letter.kind,
        cause=cause,
        address=letter.account.email,
        reply_to=reply_to,
        language=letter.language,
        subject=letter.subject,
        body=letter.body,
        created_by=by,
    )
    if is_stopped:
        mail.status, mail.next_attempt_at = MailStatus.STOPPED, None
    return mail


def send_again(*, mail: Mail, by: Account | None) -> Mail:
    """The same message, whether it was sent or not, with a new link where the old one has ended.

    Raises InvalidInput of one that is being sent, or has no words any more, or if there is no mail server; AccountError
    if its link opens more than the sender may.
    """
    refuse_without_server("mail")
    if f"{{{LINK}}}" in mail.body:
        refuse_more_than_own(mail.account, by)
    with transaction.atomic():
        locked = Mail.objects.select_for_update().select_related("account", "campaign").get(pk=mail.pk)
        if locked.status == MailStatus.SENDING:
            raise InvalidInput.of("mail", _("This message is being sent at this moment."))
        if not locked.body or not locked.account.email:
            raise InvalidInput.of("mail", _("The text or the address of this message is not stored any more."))
        locked.address = locked.account.email
        locked.status, locked.attempts, locked.next_attempt_at = MailStatus.WAITING, 0, timezone.now()
        locked.problem, locked.server_said = MailProblem.NONE, ""
        if f"{{{LINK}}}" in locked.body and not _opens(locked.invitation):
            add_links([locked])
        locked.save()
        record(action="mail_stored", by=by, campaign=locked.campaign, kinds=[locked.kind], messages=1)
    return locked


# --- links ------------------------------------------------------------------------------------------------------------
def add_links(mails: Collection[Mail]) -> None:
    """A new invitation for each. Its secret follows from the site's key, so that no copy of the database has it."""
    for mail in mails:
        mail.links_made += 1
    issued = [
        Invitation(
            campaign=mail.campaign,
            account=mail.account,
            role=Role.ANNOTATOR,
            secret_hash=hash_secret(_secret_of(mail)),
            created_by=mail.created_by,
            expires_at=link_ends_at(),
        )
        for mail in mails
    ]
    Invitation.objects.bulk_create(issued, batch_size=200)
    for mail, invitation in zip(mails, issued, strict=True):
        mail.invitation = invitation


def link_ends_at() -> Any:
    return timezone.now() + timedelta(days=settings.INVITATION_DAYS)


def link_of(mail: Mail) -> str:
    """The personal link of a message; empty where it has none, or it opens nothing any more."""
    return site_address(f"/invitations/{_secret_of(mail)}/") if _opens(mail.invitation) else ""


def _secret_of(mail: Mail) -> str:
    return salted_hmac("assay.mail.link", f"{mail.public_id}:{mail.links_made}", algorithm="sha256").hexdigest()[:40]


def _opens(invitation: Invitation | None) -> bool:
    return invitation is not None and invitation.revoked_at is None and invitation.expires_at > timezone.now()


# --- no more ----------------------------------------------------------------------------------------------------------
def address_hash(address: str) -> str:
    return salted_hmac("assay.mail.address", address.strip().lower(), algorithm="sha256").hexdigest()


def stopped_hashes(addresses: Iterable[str], campaign: Campaign) -> set[str]:
    """Of those that want no mail of this campaign, or none of this site."""
    hashes = [address_hash(each) for each in addresses if each]
    stops = MailStop.objects.filter(address_hash__in=hashes)
    return {each.address_hash for each in stops if each.campaign_id in (None, campaign.pk)}


def stop_address(mail: Mail) -> str:
    """The page where who got this message can have no more of its campaign, or of this site."""
    key = signing.Signer(salt=_STOP).sign_object([address_hash(mail.address), mail.campaign_id])
    return site_address(f"/no-more-mail/{key}/")


@dataclass(frozen=True)
class Receiver:
    """Who came from a message: an address, by its hash, and the campaign the message was about, if it is there."""

    address_hash: str
    campaign: Campaign | None

    @property
    def stops(self) -> set[str]:
        """Of `campaign` and `site`, those that have been stopped."""
        campaigns = MailStop.objects.filter(address_hash=self.address_hash).values_list("campaign", flat=True)
        own = self.campaign.pk if self.campaign else 0
        return {"site" if pk is None else "campaign" for pk in campaigns if pk in (None, own)}


def receiver_of(key: str) -> Receiver | None:
    """None if the key is not one of ours."""
    try:
        hashed, campaign = signing.Signer(salt=_STOP).unsign_object(key)
    except signing.BadSignature:
        return None
    return Receiver(hashed, Campaign.objects.filter(pk=campaign, deleted_at=None).first())


def stop_mail(receiver: Receiver, *, of_site: bool) -> None:
    """Twice is once. Messages that wait are not sent; without its campaign a receiver stops all."""
    campaign = None if of_site else receiver.campaign
    MailStop.objects.get_or_create(address_hash=receiver.address_hash, campaign=campaign)


def resume_mail(receiver: Receiver) -> None:
    MailStop.objects.filter(address_hash=receiver.address_hash, campaign=receiver.campaign).delete()
    MailStop.objects.filter(address_hash=receiver.address_hash, campaign=None).delete()


def forget_mail(account: Account, campaign: Campaign) -> None:
    """What was sent to somebody in a campaign."""
    Mail.objects.filter(account=account, campaign=campaign).delete()
