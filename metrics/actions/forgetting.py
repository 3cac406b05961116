"""Forgetting somebody: consent withdrawn, a person erased or made a number, names whose time on record is over.

Everything of a campaign goes in one transaction: answers, place, names on record and in results that were computed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.forgetting import erase_answers, hand_over, has_entered
from annotation.models import Assignment
from campaigns.actions.audit import record
from campaigns.actions.forgetting import (
    SOMEBODY_ERASED,
    end_consent,
    end_place,
    forget_in_lists,
    forget_in_records,
    forget_names_on_record,
    forget_requests,
    is_named,
    is_person,
    list_without,
    make_number,
    remove_account,
)
from campaigns.invalid_input import AccountError
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role, ShareLink, Withdrawal
from campaigns.new_people import Person
from campaigns.queries import campaigns_of
from jobs.actions import lock_campaign, restart_runs
from jobs.models import Run, RunPart, RunStatus
from metrics.models import OutputValues
from metrics.personal_data import LISTING
from metrics.pseudonyms import People, a_system_has_the_name_of
from metrics.recipes import NAMES

ERASED, PSEUDONYMISED = "person_erased", "person_pseudonymised"


@dataclass(frozen=True)
class Forgotten:
    """The campaigns, the numbers under which answers stay there, and whether the account was deleted."""

    campaigns: tuple[Campaign, ...]
    numbers: tuple[Account, ...]
    has_no_account: bool


def withdraw_consent(*, membership: Membership) -> Membership:
    """By the annotator, who knew beforehand what happens to the answers. A second request changes nothing."""
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
    places = Membership.ever.filter(campaign=OuterRef("pk"), account=account, role=Role.ANNOTATOR)
    judged = Assignment.objects.filter(campaign=OuterRef("pk"), annotator=account)
    return organised.filter(Exists(places) | Exists(judged)).order_by("pk")


def forget_person(
    *, account: Account, how: str, by: Account | None, campaigns: Iterable[Campaign] | None = None
) -> Forgotten:
    """In all campaigns that `by` organises, or in some of them; other campaigns do not change."""
    allowed = campaigns_to_forget_in(account, by)
    chosen = list(allowed if campaigns is None else allowed.filter(pk__in=[each.pk for each in campaigns]))
    if not chosen:
        raise AccountError(_("%(name)s is not an annotator in any of your campaigns.") % {"name": account.username})
    if how not in Withdrawal.values:
        raise AccountError(_("Choose whether to erase the answers or to keep them under a number."))
    if account.is_number and how == Withdrawal.PSEUDONYMISED:
        raise AccountError(_("%(name)s has already been replaced by a number.") % {"name": account.username})
    with transaction.atomic():
        made = (_forget_in(campaign, account, how, by) for campaign in chosen)
        numbers = tuple(number for number in made if number is not None)
        organiser = None if by is None or by.is_superuser else by
        everywhere = organiser is None and campaigns is None
        _forget_in_lists(account, Account.objects.all() if everywhere else _organisers_of(chosen, by))
        within = set(campaigns_of(organiser, Role.ORGANISER).values_list("pk", flat=True)) if organiser else None
        is_gone = remove_account(account, within=within)
    return Forgotten(tuple(chosen), numbers, is_gone)


def forget_expired(*, now: datetime | None = None) -> dict[str, int]:
    """Forgets what has been stored for longer than the settings allow. 0 days: never."""
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
    places = Membership.ever.filter(campaign__in=closed, role=Role.ANNOTATOR, account__is_number=False)
    known = list(places.select_related("account", "campaign").order_by("campaign", "pk"))
    for place in known:
        with transaction.atomic():  # a list of people for a campaign to come is not of this one
            _forget_in(place.campaign, place.account, Withdrawal.PSEUDONYMISED, None)
            remove_account(place.account, within=None)
    return len(known)


def _forget_in(campaign: Campaign, account: Account, how: str, by: Account | None) -> Account | None:
    places = Membership.ever.select_for_update(of=("self",)).select_related("campaign", "account")
    place = places.filter(campaign=campaign, account=account, role=Role.ANNOTATOR).first()
    if place is None:
        place = Membership.ever.create(campaign=campaign, account=account, role=Role.ANNOTATOR)
    number = None
    if how == Withdrawal.ERASED:
        _erase(place)
    elif place.withdrawn_at is None:
        number = _make_a_number_of(place)
    end_place(place)
    # without the number: in several campaigns at once its moment would join the numbers of one person
    record(action=ERASED if how == Withdrawal.ERASED else PSEUDONYMISED, by=by, campaign=campaign)
    return number


def _organisers_of(campaigns: Iterable[Campaign], by: Account | None) -> QuerySet[Account]:
    """Accounts whose lists may name somebody who judged there."""
    theirs = Membership.ever.filter(campaign__in=list(campaigns), role=Role.ORGANISER).values("account")
    return Account.objects.filter(Q(pk__in=theirs) | Q(pk=by.pk if by else None))


def _forget_in_lists(account: Account, keepers: QuerySet[Account]) -> None:
    """Those of campaigns that were being made, too, in what was entered and in what was wrong with it."""
    forget_in_lists(account, keepers)
    for run in Run.objects.filter(kind__in=LISTING, created_by__in=keepers).iterator():
        arguments, result = _without(account, run.arguments), run.result or {}
        if rows := arguments.get("rows"):
            arguments = {**arguments, "rows": [_without(account, row) for row in rows]}
        if listed := (arguments.get("form") or {}).get("people"):
            arguments = {**arguments, "form": {**arguments["form"], "people": list_without(account, listed)}}
        if problems := result.get("people_problems"):
            result = {**result, "people_problems": [each for each in problems if not is_named(account, each)]}
        error = "\n".join(line for line in run.error.splitlines() if not is_named(account, line))
        _update(run, arguments=arguments, result=result or run.result, error=error)


def _without(account: Account, listing: dict[str, Any]) -> dict[str, Any]:
    if people := listing.get("people"):
        return {**listing, "people": [each for each in people if not is_person(account, Person(**each))]}
    return listing


def _locked(membership: Membership) -> Membership | None:
    """A request for work locks the same row."""
    own = Membership.ever.select_for_update(of=("self",)).select_related("campaign", "account")
    return own.filter(pk=membership.pk).first()


def _make_a_number_of(place: Membership) -> Account | None:
    """None where nothing was entered, so that nothing is stored."""
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
    forget_in_records(place.account, campaign)
    people = People({}, {}, {username: called})
    runs = Run.objects.filter(campaign=campaign)
    _begin_anew(campaign, runs)
    if a_system_has_the_name_of(people, campaign):
        runs.filter(result__isnull=False).delete()  # the name may mean either there
    for run in runs.iterator(chunk_size=20):
        arguments = _tried_without(run.arguments, people) if run.status == RunStatus.QUEUED else run.arguments
        _update(
            run,
            result=people.in_json(run.result),
            arguments=people.in_json(arguments),
            signature=people.in_text(run.signature),
            error=people.in_text(run.error),
        )
    OutputValues.objects.filter(run__campaign=campaign).delete()  # computed anew with the next results
    for part in RunPart.objects.filter(run__campaign=campaign).iterator(chunk_size=20):
        _update(part, result=people.in_json(part.result))
    for link in ShareLink.objects.filter(campaign=campaign):
        _update(link, choice=people.in_json(_tried_without(link.choice, people)))


def _update(row: Run | RunPart | ShareLink, **values: Any) -> None:
    """Writes what differs."""
    if changed := {name: value for name, value in values.items() if value != getattr(row, name)}:
        type(row).objects.filter(pk=row.pk).update(**changed)


def _begin_anew(campaign: Campaign, runs: QuerySet[Run]) -> None:
    """Runs under way may have read the name: they are queued again, and their workers' results are refused.

    Claiming a run locks its campaign too, so that no run begins before the name is deleted.
    """
    lock_campaign(Campaign.objects.filter(pk=campaign.pk))
    restart_runs(runs.exclude(kind="extension"))


def _tried_without(arguments: dict[str, Any], people: People) -> dict[str, Any]:
    """An erased annotator cannot be excluded on trial; a number can."""
    options = arguments.get("options")
    if SOMEBODY_ERASED not in people.renamed.values() or not isinstance(options, dict):
        return arguments
    left = {name: [each for each in options[name] if each not in people.renamed] for name in NAMES if name in options}
    return {**arguments, "options": {**options, **left}}
