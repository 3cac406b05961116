"""Who somebody was in a campaign, when they are forgotten there: place, links, name on record and in lists."""

import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models import Model, ProtectedError, Q, QuerySet
from django.utils import timezone

from axes.models import AccessAttempt, AccessFailureLog, AccessLog

from campaigns.actions.audit import NAMES_IN_RECORDS, WORK_ACTIONS, entries_naming, record
from campaigns.actions.campaign_drafts import PEOPLE
from campaigns.actions.endings import end_all_if_nowhere, end_links, lock, may_make_campaigns
from campaigns.actions.mail import forget_mail
from campaigns.actions.tokens import ANSWERED_FOR
from campaigns.models import (
    Account,
    AnsweredRequest,
    ApiToken,
    AuditEntry,
    Campaign,
    CampaignDraft,
    CrowdPlace,
    Invitation,
    Membership,
    Role,
    Session,
    Withdrawal,
)
from campaigns.new_people import Person
from campaigns.queries import may_choose_on_withdrawal
from campaigns.reading.people_list import read_people, without_passwords

SOMEBODY_ERASED = "erased"  # replaces a name
_DIGITS = 8
_KEYS = range(2**40, 2**52)  # far above those that databases give out, and exact in JavaScript


def make_number(membership: Membership) -> Account:
    """An account nobody can enter, with the member's consent and nothing else of the person."""
    campaign = membership.campaign
    number = Account(pk=_free_key(Account), username=_free_number(), is_active=False, is_number=True, made_for=campaign)
    number.password = make_password(None)
    number.date_joined = campaign.created_at  # not the moment of withdrawing, by which the two could be joined again
    number.save(force_insert=True)
    fields = [each for each in Membership._meta.concrete_fields if not each.primary_key]  # noqa: SLF001 - documented
    place = Membership(**{each.attname: getattr(membership, each.attname) for each in fields})
    place.pk, place.account = _free_key(Membership), number
    # to the day: the record has the moment of each, with the name
    place.consented_at, place.qualified_at = _day_of(membership.consented_at), _day_of(membership.qualified_at)
    place.save(force_insert=True)
    Membership.ever.filter(pk=place.pk).update(created_at=campaign.created_at)
    return number


def _day_of(moment: datetime | None) -> datetime | None:
    return moment and moment.replace(hour=0, minute=0, second=0, microsecond=0)


def end_place(membership: Membership) -> None:
    """Leaves the campaign without a trace, except for recorded actions of others."""
    campaign, account = membership.campaign, membership.account
    lock(account)
    links = _links_of(membership)
    end_links(links)  # a password that was set with one would stay behind
    links.delete()
    forget_mail(account, campaign)
    ApiToken.objects.filter(account=account, handed_out_for=campaign).delete()
    membership.delete()
    end_all_if_nowhere(account)


def end_consent(membership: Membership) -> Membership:
    """The membership stays, so that nobody is invited again, but it opens nothing."""
    membership.consented_at, membership.consented_by, membership.qualified_at = None, None, None
    membership.withdrawn_at = timezone.now()
    membership.save(update_fields=["consented_at", "consented_by", "qualified_at", "withdrawn_at"])
    # not revoked: that would end the session in which they withdraw, and in which they may look at their data
    links = _links_of(membership)
    links.filter(expires_at__gt=membership.withdrawn_at).update(expires_at=membership.withdrawn_at)
    # the participant's id alone stays, like the membership: the crowd's link does not let them in again
    before = membership.campaign.created_at
    CrowdPlace.objects.filter(membership=membership).update(labels={}, joined_at=before)
    forget_mail(membership.account, membership.campaign)
    how = membership.campaign.on_withdrawal
    if how == Withdrawal.PSEUDONYMISED:
        _forget_moments(membership, links)
    record(action="consent_withdrawn", by=membership.account, campaign=membership.campaign, answers=how)
    return membership


def _links_of(membership: Membership) -> QuerySet[Invitation]:
    return Invitation.objects.filter(campaign=membership.campaign, account=membership.account, role=Role.ANNOTATOR)


def _forget_moments(membership: Membership, links: QuerySet[Invitation]) -> None:
    """When links were made and used, and what came of them: by these the number's answers would lead to the name."""
    before, now = membership.campaign.created_at, membership.withdrawn_at
    Session.objects.filter(invitation__in=links).update(created_at=now, last_used_at=now)
    tokens = ApiToken.objects.filter(Q(invitation__in=links) | Q(handed_out_for=membership.campaign))
    tokens = tokens.filter(account=membership.account)
    tokens.update(created_at=now)
    tokens.exclude(last_used_at=None).update(last_used_at=now)
    links.update(created_at=before, expires_at=now)
    for field in ("accepted_at", "revoked_at"):
        links.exclude(**{field: None}).update(**{field: before})


def forget_in_records(account: Account, campaign: Campaign) -> None:
    """Their actions in the campaign lose their actor, and another word replaces their name.

    Never a number's name: the moment of an entry, such as that of an invitation, would lead from it to the person.
    What they did in another role keeps its actor, unless it was done to themselves.
    """
    username = account.username
    done = AuditEntry.objects.filter(campaign=campaign, actor=account)
    other_places = Membership.ever.filter(campaign=campaign, account=account).exclude(role=Role.ANNOTATOR)
    if account.is_superuser or other_places.exists():
        done = done.filter(~Q(action__in=WORK_ACTIONS) | entries_naming(username))
    done.update(actor=None)
    _erase_name(username, campaign)


def _erase_name(username: str, campaign: Campaign | None) -> None:
    for entry in AuditEntry.objects.filter(entries_naming(username), campaign=campaign).iterator():
        entry.detail = {
            key: SOMEBODY_ERASED if key in NAMES_IN_RECORDS and value == username else value
            for key, value in entry.detail.items()
            if key != "reason"  # words about a person
        }
        entry.save(update_fields=["detail"])


def forget_in_lists(account: Account, keepers: QuerySet[Account]) -> None:
    """Out of the lists of people in unfinished campaigns of these organisers, and of what their programs were answered.

    The answers stay, empty: the same request sent again still changes nothing.
    """
    for draft in CampaignDraft.objects.filter(account__in=keepers):
        lists = [list_without(account, text) for text in draft.values.get(PEOPLE, ())]
        if lists != draft.values.get(PEOPLE, []):
            CampaignDraft.objects.filter(pk=draft.pk).update(values={**draft.values, PEOPLE: lists})
    for request in AnsweredRequest.objects.filter(account__in=keepers, answer__isnull=False).iterator():
        if is_named(account, request.answer):
            AnsweredRequest.objects.filter(pk=request.pk).update(answer=None)


def list_without(account: Account, text: str) -> str:
    """A list of people without this one; empty where it cannot be read and contains the name."""
    people, problems = read_people(text)
    if problems:
        return "" if is_named(account, text) else text
    others = [person for person in people if not is_person(account, person)]
    if len(others) == len(people):
        return text
    return without_passwords(others) if others else ""


def is_person(account: Account, person: Person) -> bool:
    """By user name or address; by name only if neither is there."""
    if account.username == person.username or (person.email and person.email.lower() == account.email.lower()):
        return True
    is_another = person.username or (person.email and account.email)
    return bool(account.name) and not is_another and person.name.strip().lower() == account.name.strip().lower()


def is_named(account: Account, value: object) -> bool:
    """Whether user name, name or address occur in a text, or anywhere in JSON."""
    if isinstance(value, dict):
        return any(is_named(account, each) for each in value.values())
    if isinstance(value, list):
        return any(is_named(account, each) for each in value)
    names = "|".join(re.escape(name) for name in (account.username, account.email, account.name) if name)
    return isinstance(value, str) and bool(re.search(rf"(?<![\w-])(?:{names})(?![\w-])", value, re.IGNORECASE))


def remove_account(account: Account, *, within: Collection[int] | None) -> bool:
    """Where nothing holds it: it is in no campaign, may make none, and was made for one of those given (None: any)."""
    is_theirs = within is None or account.made_for_id in within
    if may_make_campaigns(account) or not is_theirs or Membership.ever.filter(account=account).exists():
        return False
    username = account.username
    typed = Q(username__iexact=username) | (Q(username__iexact=account.email) if account.email else Q())
    try:
        account.delete()
    except ProtectedError:
        return False
    for tried in (AccessAttempt, AccessFailureLog, AccessLog):
        tried.objects.filter(typed).delete()
    _erase_name(username, None)
    return True


def choose_on_withdrawal(*, campaign: Campaign, on_withdrawal: str, by: Account | None) -> bool:
    """How withdrawal treats answers; False once anybody has consented to the stored choice."""
    if on_withdrawal == campaign.on_withdrawal:
        return True
    if on_withdrawal not in Withdrawal.values or not may_choose_on_withdrawal(campaign):
        return False
    Campaign.objects.filter(pk=campaign.pk).update(on_withdrawal=on_withdrawal)
    campaign.on_withdrawal = on_withdrawal
    record(action="withdrawal_chosen", by=by, campaign=campaign, answers=on_withdrawal)
    return True


def forget_names_on_record(before: datetime) -> int:
    """Removes actor and names from entries, which stay on record. Returns the number of changed entries."""
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
    gone = AnsweredRequest.objects.filter(created_at__lt=now - ANSWERED_FOR).delete()[0]
    if settings.LOG_DAYS:
        before = now - timedelta(days=settings.LOG_DAYS)
        gone += AccessAttempt.objects.filter(attempt_time__lt=before).delete()[0]
        gone += AccessFailureLog.objects.filter(attempt_time__lt=before).delete()[0]
        gone += AccessLog.objects.filter(attempt_time__lt=before).delete()[0]
    return gone


def _free_number() -> str:
    """Random, because an order would show who left when."""
    while True:
        username = f"person-{secrets.randbelow(10**_DIGITS):0{_DIGITS}d}"
        if not Account.objects.filter(username=username).exists():
            return username


def _free_key(model: type[Model]) -> int:
    """Random too: keys in the order of making would show the same."""
    while True:
        key = secrets.choice(_KEYS)
        if not model._base_manager.filter(pk=key).exists():  # noqa: SLF001 - documented
            return key
