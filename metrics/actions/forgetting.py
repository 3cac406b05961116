"""Forgetting somebody: consent withdrawn, a person erased or made a number, names whose time on record is over.

Everything of a campaign goes in one transaction: answers, place, names on record and in results that were computed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions import erase_answers, hand_over, has_entered
from annotation.models import Assignment
from campaigns.actions import AccountError, record
from campaigns.actions.forgetting import (
    EVERY_PLACE,
    SOMEBODY_ERASED,
    end_consent,
    end_place,
    forget_names_on_record,
    forget_requests,
    make_number,
    remove_account,
    rename_in_records,
)
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role, Withdrawal
from campaigns.queries import campaigns_of
from metrics.archive.pseudonyms import People, a_system_bears_a_name_of
from metrics.models import Run, RunPart

ERASED, PSEUDONYMISED = "person_erased", "person_pseudonymised"


@dataclass(frozen=True)
class Forgotten:
    """In which campaigns, under which numbers answers are kept there, and whether the account is gone, too."""

    campaigns: tuple[Campaign, ...]
    numbers: tuple[Account, ...]
    has_no_account: bool


def withdraw_consent(*, membership: Membership) -> Membership:
    """Done by the annotator; what becomes of the answers was said before they agreed. Asked twice it is done once."""
    with transaction.atomic():
        place = _locked(membership)
        if place is None or place.consented_at is None:
            return place or membership
        if place.campaign.on_withdrawal == Withdrawal.ERASED:
            _erase(place)
        else:
            _make_a_number_of(place)
        return end_consent(place)


def campaigns_to_forget_in(account: Account, by: Account | None) -> QuerySet[Campaign]:
    """Where somebody judges or judged, and the other organises; the command line and superusers everywhere."""
    organised = Campaign.objects.all() if by is None else campaigns_of(by, Role.ORGANISER)
    places = EVERY_PLACE.filter(campaign=OuterRef("pk"), account=account, role=Role.ANNOTATOR)
    judged = Assignment.objects.filter(campaign=OuterRef("pk"), annotator=account)
    return organised.filter(Exists(places) | Exists(judged)).order_by("pk")


def forget_person(
    *, account: Account, how: str, by: Account | None, campaigns: Iterable[Campaign] | None = None
) -> Forgotten:
    """In all campaigns that whoever asks organises, or in some of them; elsewhere everything stays as it is."""
    allowed = campaigns_to_forget_in(account, by)
    chosen = list(allowed if campaigns is None else allowed.filter(pk__in=[each.pk for each in campaigns]))
    if not chosen:
        raise AccountError([_("%(name)s judges in none of your campaigns.") % {"name": account.username}])
    if how not in Withdrawal.values:
        raise AccountError([_("Say whether to erase the answers or to keep them under a number.")])
    if account.is_number and how == Withdrawal.PSEUDONYMISED:
        raise AccountError([_("%(name)s is a number already.") % {"name": account.username}])
    with transaction.atomic():
        made = (_forget_in(campaign, account, how, by) for campaign in chosen)
        numbers = tuple(number for number in made if number is not None)
        within = (
            None
            if by is None or by.is_superuser
            else set(campaigns_of(by, Role.ORGANISER).values_list("pk", flat=True))
        )
        is_gone = remove_account(account, within=within)
    return Forgotten(tuple(chosen), numbers, is_gone)


def forget_expired(*, now: datetime | None = None) -> dict[str, int]:
    """What has been kept for as long as the settings say. 0 days: as long as the installation lasts."""
    now = now or timezone.now()
    counts = {"people": 0, "entries": 0, "requests": forget_requests(now)}
    if settings.LOG_DAYS:
        counts["entries"] = forget_names_on_record(now - timedelta(days=settings.LOG_DAYS))
    if settings.PARTICIPANT_DAYS:
        counts["people"] = _forget_participants(now - timedelta(days=settings.PARTICIPANT_DAYS))
    return counts


def _forget_participants(before: datetime) -> int:
    """Annotators of campaigns that were closed so long ago, one by one."""
    closed = Campaign.objects.filter(status=CampaignStatus.CLOSED, closed_at__lt=before)
    places = EVERY_PLACE.filter(campaign__in=closed, role=Role.ANNOTATOR, account__is_number=False)
    known = list(places.select_related("account", "campaign").order_by("campaign", "pk"))
    for place in known:
        forget_person(account=place.account, how=Withdrawal.PSEUDONYMISED, by=None, campaigns=[place.campaign])
    return len(known)


def _forget_in(campaign: Campaign, account: Account, how: str, by: Account | None) -> Account | None:
    places = EVERY_PLACE.select_for_update(of=("self",)).select_related("campaign", "account")
    place = places.filter(campaign=campaign, account=account, role=Role.ANNOTATOR).first()
    if place is None:
        place = EVERY_PLACE.create(campaign=campaign, account=account, role=Role.ANNOTATOR)
    number = None
    if how == Withdrawal.ERASED:
        _erase(place)
    elif place.withdrawn_at is None:
        number = _make_a_number_of(place)
    end_place(place)
    called = {"number": number.username} if number else {}
    record(action=ERASED if how == Withdrawal.ERASED else PSEUDONYMISED, by=by, campaign=campaign, **called)
    return number


def _locked(membership: Membership) -> Membership | None:
    """Whoever asks for work locks their place, too."""
    own = EVERY_PLACE.select_for_update(of=("self",)).select_related("campaign", "account")
    return own.filter(pk=membership.pk).first()


def _make_a_number_of(place: Membership) -> Account | None:
    """None where nothing was ever entered, and nothing is kept."""
    if not has_entered(campaign=place.campaign, annotator=place.account):
        erase_answers(campaign=place.campaign, annotator=place.account)
        _rename(place, SOMEBODY_ERASED)
        return None
    number = make_number(place)
    hand_over(campaign=place.campaign, annotator=place.account, to=number)
    _rename(place, number.username)
    return number


def _erase(place: Membership) -> None:
    erase_answers(campaign=place.campaign, annotator=place.account)
    _rename(place, SOMEBODY_ERASED)


def _rename(place: Membership, called: str) -> None:
    """On record, and in results that were computed with the name: they are out of date from now on, and say so."""
    campaign, username = place.campaign, place.account.username
    rename_in_records(username, called, campaign=campaign)
    people = People({}, {}, {username: called})
    runs = Run.objects.filter(campaign=campaign)
    if a_system_bears_a_name_of(people, campaign):
        runs.filter(result__isnull=False).delete()  # the name may mean either there
    for run in runs.iterator(chunk_size=20):
        kept = (run.result, run.arguments, run.signature, run.error)
        renamed = (people.in_json(kept[0]), people.in_json(kept[1]), people.in_words(kept[2]), people.in_words(kept[3]))
        if renamed != kept:
            run.result, run.arguments, run.signature, run.error = renamed
            run.save(update_fields=["result", "arguments", "signature", "error"])
    for part in RunPart.objects.filter(run__campaign=campaign).iterator(chunk_size=20):
        result = people.in_json(part.result)
        if result != part.result:
            RunPart.objects.filter(pk=part.pk).update(result=result)
