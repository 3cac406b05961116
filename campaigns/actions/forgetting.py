"""Who somebody was in a campaign, when they are to be forgotten there: their place, links, and name on record."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models import ProtectedError, Q
from django.utils import timezone

from axes.models import AccessAttempt, AccessFailureLog, AccessLog

from campaigns.actions.answered_requests import KEPT
from campaigns.actions.audit import record
from campaigns.actions.endings import end_links, lock
from campaigns.models import Account, AnsweredRequest, AuditEntry, Campaign, Invitation, Membership, Role, Withdrawal
from campaigns.queries import may_choose_on_withdrawal

EVERY_PLACE = Membership._base_manager  # noqa: SLF001 - documented; those that a list leaves out, too
SOMEBODY_ERASED = "erased"  # stands where a name stood
NAMES_IN_RECORDS = ("account", "annotator", "to", "number", "first", "last")
_OWN_ACTIONS = ("invitation_accepted", "consent_given", "practice_passed")
_DIGITS = 8


def make_number(membership: Membership) -> Account:
    """An account nobody can enter, with the consent that was given and nothing else of whoever had the place."""
    campaign = membership.campaign
    number = Account(username=_free_number(), is_active=False, is_number=True, made_for=campaign)
    number.password = make_password(None)
    number.date_joined = campaign.created_at  # not the moment of withdrawing, by which the two could be joined again
    number.save(force_insert=True)
    fields = [each for each in Membership._meta.concrete_fields if not each.primary_key]  # noqa: SLF001 - documented
    place = Membership(**{each.attname: getattr(membership, each.attname) for each in fields})
    place.account = number
    # to the day: the record has the moment of each, with the name
    place.consented_at, place.qualified_at = _day_of(membership.consented_at), _day_of(membership.qualified_at)
    place.save(force_insert=True)
    EVERY_PLACE.filter(pk=place.pk).update(created_at=campaign.created_at)
    return number


def _day_of(moment: datetime | None) -> datetime | None:
    return moment and moment.replace(hour=0, minute=0, second=0, microsecond=0)


def end_place(membership: Membership) -> None:
    """Out of the campaign without a trace in it, but for what others did on record."""
    campaign, account = membership.campaign, membership.account
    links = Invitation.objects.filter(campaign=campaign, account=account, role=Role.ANNOTATOR)
    lock(account)
    end_links(links)  # a password that was set with one would stay behind
    links.delete()
    AuditEntry.objects.filter(campaign=campaign, actor=account, action__in=_OWN_ACTIONS).update(actor=None)
    membership.delete()


def end_consent(membership: Membership) -> Membership:
    """The place stays, so that nobody is asked again; it opens nothing."""
    membership.consented_at, membership.withdrawn_at = None, timezone.now()
    membership.save(update_fields=["consented_at", "withdrawn_at"])
    # not revoked: that would end the session in which they withdraw, and in which they may look at their data
    links = Invitation.objects.filter(campaign=membership.campaign, account=membership.account, role=Role.ANNOTATOR)
    links.filter(expires_at__gt=membership.withdrawn_at).update(expires_at=membership.withdrawn_at)
    how = membership.campaign.on_withdrawal
    record(action="consent_withdrawn", by=membership.account, campaign=membership.campaign, answers=how)
    return membership


def rename_in_records(username: str, called: str, *, campaign: Campaign | None) -> None:
    """In what was recorded of the campaign, or of no campaign, another word stands where the name stood."""
    named = Q()
    for key in NAMES_IN_RECORDS:
        named |= Q(**{f"detail__{key}": username})
    for entry in AuditEntry.objects.filter(named, campaign=campaign).iterator():
        entry.detail = {
            key: called if key in NAMES_IN_RECORDS and value == username else value
            for key, value in entry.detail.items()
            if key != "reason"  # words about a person
        }
        entry.save(update_fields=["detail"])


def remove_account(account: Account, *, within: Collection[int] | None) -> bool:
    """Where nothing holds it: it is in no campaign, may make none, and was made for one of those given (None: any)."""
    may_more = account.may_create_campaigns or account.is_staff or account.is_superuser
    is_theirs = within is None or account.made_for_id in within
    if may_more or not is_theirs or EVERY_PLACE.filter(account=account).exists():
        return False
    username = account.username
    try:
        account.delete()
    except ProtectedError:
        return False
    for tried in (AccessAttempt, AccessFailureLog, AccessLog):
        tried.objects.filter(username=username).delete()
    rename_in_records(username, SOMEBODY_ERASED, campaign=None)
    return True


def choose_on_withdrawal(*, campaign: Campaign, on_withdrawal: str, by: Account | None) -> bool:
    """What becomes of answers on withdrawal; False once somebody has agreed to what stood there before."""
    if on_withdrawal == campaign.on_withdrawal:
        return True
    if on_withdrawal not in Withdrawal.values or not may_choose_on_withdrawal(campaign):
        return False
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=on_withdrawal)
    campaign.on_withdrawal = on_withdrawal
    record(action="withdrawal_chosen", by=by, campaign=campaign, answers=on_withdrawal)
    return True


def forget_names_on_record(before: datetime) -> int:
    """What was done stays on record; by whom and to whom is forgotten. How many entries were changed."""
    named = Q(actor__isnull=False)
    for key in NAMES_IN_RECORDS:
        named |= Q(**{f"detail__{key}__isnull": False}) & ~Q(**{f"detail__{key}": SOMEBODY_ERASED})
    changed = 0
    for entry in AuditEntry.objects.filter(named, at__lt=before).iterator():
        entry.actor = None
        entry.detail = {
            key: SOMEBODY_ERASED if key in NAMES_IN_RECORDS else value for key, value in entry.detail.items()
        }
        entry.save(update_fields=["actor", "detail"])
        changed += 1
    return changed


def forget_requests(now: datetime) -> int:
    """Attempts to sign in that failed, with their addresses, and what programs were answered; how many are gone."""
    gone = AnsweredRequest.objects.filter(created_at__lt=now - KEPT).delete()[0]
    if settings.LOG_DAYS:
        before = now - timedelta(days=settings.LOG_DAYS)
        gone += AccessAttempt.objects.filter(attempt_time__lt=before).delete()[0]
        gone += AccessFailureLog.objects.filter(attempt_time__lt=before).delete()[0]
        gone += AccessLog.objects.filter(attempt_time__lt=before).delete()[0]
    return gone


def _free_number() -> str:
    """Random: an order would tell who left when."""
    while True:
        username = f"person-{secrets.randbelow(10**_DIGITS):0{_DIGITS}d}"
        if not Account.objects.filter(username=username).exists():
            return username
