"""What a copy of a campaign has beside its spec: questionnaires, practice, pauses, mail, a crowd's link."""

from dataclasses import replace

from django.db import transaction

from annotation.models import PracticeItem
from campaigns.actions.crowds import CrowdSpec, set_crowd
from campaigns.actions.mail import change_mail_settings
from campaigns.actions.questionnaires import copy_questionnaires
from campaigns.models import Account, Campaign, Crowd, MailSettings, MailText

_OF_PRACTICE = ("pass_mark", "practice_attempts")
_OF_PAUSES = ("pause_seconds", "words_per_minute")


def copy_settings(*, source: Campaign, target: Campaign, practice: bool = False, by: Account | None) -> None:
    """Into a campaign that nobody has joined; a second time changes nothing. No answers, people, links or webhooks.

    Practice items are texts: they come along where protocol, its options and both languages are the same. With
    `practice` the languages may differ. The link of a crowd is a new one, closed until its organiser opens it.
    """
    target.refresh_from_db(fields=["options"])  # as JSON has them
    with transaction.atomic():
        if not target.questionnaires.exists():
            copy_questionnaires(source=source, target=target)
        if _fits_practice(source, target, practice) and not target.practice_items.exists():
            _copy_practice(source, target)
        for name in _OF_PAUSES:
            setattr(target, name, getattr(source, name))
        target.save(update_fields=list(_OF_PAUSES))
        _copy_mail(source, target, by)
        crowd = Crowd.objects.filter(campaign=source).first()
        if crowd is not None and not Crowd.objects.filter(campaign=target).exists():
            set_crowd(campaign=target, spec=replace(CrowdSpec.of(crowd), is_open=False), by=by)


def _copy_mail(source: Campaign, target: Campaign, by: Account | None) -> None:
    """Texts, and what is sent by itself; nothing that was sent."""
    before = MailSettings.objects.filter(campaign=source).first()
    if before is not None and not MailSettings.objects.filter(campaign=target).exists():
        thanks, digest = before.thanks_since is not None, before.sends_digest
        change_mail_settings(campaign=target, reply_to=before.reply_to, thanks=thanks, digest=digest, by=by)
        MailSettings.objects.filter(campaign=target).update(language=before.language)
    if not target.mail_texts.exists():
        MailText.objects.bulk_create(
            MailText(campaign=target, kind=each.kind, subject=each.subject, body=each.body)
            for each in source.mail_texts.all()
        )


def _fits_practice(source: Campaign, target: Campaign, any_language: bool) -> bool:
    if (source.protocol, source.options) != (target.protocol, target.options):
        return False
    return any_language or _languages_of(source) == _languages_of(target)


def _languages_of(campaign: Campaign) -> tuple[str, str]:
    return campaign.test_set.source_language, campaign.test_set.target_language


def _copy_practice(source: Campaign, target: Campaign) -> None:
    """Media and terms beside an item are a test set's own: another test set has none of them."""
    has_same_texts = source.test_set_id == target.test_set_id
    names = [each.name for each in PracticeItem._meta.concrete_fields]  # noqa: SLF001 - documented
    copied = [name for name in names if name not in ("id", "public_id", "campaign", "document", "segment")]
    PracticeItem.objects.bulk_create(
        PracticeItem(
            campaign=target,
            **{name: getattr(each, name) for name in copied},
            document_id=each.document_id if has_same_texts else None,
            segment_id=each.segment_id if has_same_texts else None,
        )
        for each in source.practice_items.all()
    )
    for name in _OF_PRACTICE:
        setattr(target, name, getattr(source, name))
    target.save(update_fields=list(_OF_PRACTICE))
