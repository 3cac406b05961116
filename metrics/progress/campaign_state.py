"""The state of a campaign: sums over its assignments and people; the cost does not grow with judgments."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, Sum
from django.utils import timezone

from annotation.models import IN_HAND, Assignment, AssignmentStatus, Exclusion, ProblemReport
from campaigns.models import Account, Campaign, Invitation, Membership, Role

_LIVE_FOR = 60  # seconds after which words such as "4 min ago" are out of date


@dataclass(frozen=True)
class Share:
    """One annotator's part: `left` are items in hand, `late` those of reservations past their time."""

    assignments: int = 0
    done: int = 0
    total: int = 0
    left: int = 0
    late: int = 0
    begun_at: datetime | None = None


@dataclass(frozen=True)
class Person:
    """`invited_at` is None where no link was made; `opened` whether one ever signed anybody in."""

    account: int
    username: str
    name: str
    invited_at: datetime | None
    opened: bool
    is_excluded: bool
    is_program: bool = False


@dataclass(frozen=True)
class CampaignState:
    """`version` changes with the counts, the people, and the status."""

    now: datetime
    done: int
    total: int
    assignments_done: int
    assignments_planned: int
    archived: int
    problem_reports: int
    shares: dict[int, Share]
    people: tuple[Person, ...]
    version: str

    @property
    def etag(self) -> str:
        """Of a page that says "4 min ago": it changes with every minute, the version only with the counts."""
        return f'"{self.version}-{int(self.now.timestamp()) // _LIVE_FOR}"'


def campaign_state_of(campaign: Campaign, now: datetime | None = None) -> CampaignState:
    return campaign_states_of([campaign], now or timezone.now())[campaign.pk]


def campaign_states_of(campaigns: Sequence[Campaign], now: datetime) -> dict[int, CampaignState]:
    """By campaign, from six queries, however many campaigns."""
    rows = _sums(campaigns, now)
    reports = ProblemReport.objects.filter(item__assignment__campaign__in=campaigns).order_by()
    reported = dict(reports.values_list("item__assignment__campaign").annotate(Count("pk")))
    shares = {campaign.pk: _shares(rows[campaign.pk]) for campaign in campaigns}
    people = _people(campaigns, shares)
    return {
        campaign.pk: _state(campaign, now, rows[campaign.pk], shares[campaign.pk], people[campaign.pk], reported)
        for campaign in campaigns
    }


def _state(
    campaign: Campaign,
    now: datetime,
    rows: list[dict[str, Any]],
    shares: dict[int, Share],
    people: tuple[Person, ...],
    reported: Mapping[int, int],
) -> CampaignState:
    counted = [row for row in rows if row["status"] != AssignmentStatus.ARCHIVED]
    reports = reported.get(campaign.pk, 0)
    by_status = {
        status: sum(row["assignments"] for row in rows if row["status"] == status) for status in AssignmentStatus
    }
    counts = (campaign.status, rows, people, reports)
    return CampaignState(
        now=now,
        done=sum(row["done_sum"] for row in counted),
        total=sum(row["total_sum"] for row in counted),
        assignments_done=by_status[AssignmentStatus.DONE],
        assignments_planned=by_status[AssignmentStatus.PLANNED],
        archived=by_status[AssignmentStatus.ARCHIVED],
        problem_reports=reports,
        shares=shares,
        people=people,
        version=hashlib.sha256(repr(counts).encode()).hexdigest()[:16],
    )


def _sums(campaigns: Sequence[Campaign], now: datetime) -> dict[int, list[dict[str, Any]]]:
    in_hand = Q(status__in=IN_HAND)
    late = Q(status=AssignmentStatus.RESERVED, expires_at__lt=now)
    left = F("total") - F("done")
    sums = (
        Assignment.objects.filter(campaign__in=campaigns)
        .values("campaign", "annotator", "status")
        .annotate(
            assignments=Count("pk"),
            done_sum=Sum("done"),
            total_sum=Sum("total"),
            left=Sum(left, filter=in_hand, default=0),
            late=Sum(left, filter=late, default=0),
            begun_at=Max("claimed_at", filter=in_hand),
        )
        .order_by("annotator", "status")
    )
    rows = defaultdict(list)
    for row in sums:
        rows[row["campaign"]].append(dict(row))
    return rows


def _shares(rows: list[dict[str, Any]]) -> dict[int, Share]:
    """By annotator."""
    own = defaultdict(list)
    for row in rows:
        if row["annotator"] is not None and row["status"] != AssignmentStatus.ARCHIVED:
            own[row["annotator"]].append(row)
    return {account: _share(of_account) for account, of_account in own.items()}


def _share(rows: list[dict[str, Any]]) -> Share:
    return Share(
        assignments=sum(row["assignments"] for row in rows),
        done=sum(row["done_sum"] for row in rows),
        total=sum(row["total_sum"] for row in rows),
        left=sum(row["left"] for row in rows),
        late=sum(row["late"] for row in rows),
        begun_at=max((row["begun_at"] for row in rows if row["begun_at"]), default=None),
    )


def _people(campaigns: Sequence[Campaign], assigned: Mapping[int, Iterable[int]]) -> dict[int, tuple[Person, ...]]:
    """By campaign, its annotators by name, invited or imported."""
    places = Membership.ever.filter(campaign__in=campaigns, role=Role.ANNOTATOR, withdrawn_at=None)
    by_campaign: dict[int, dict[int, Membership]] = defaultdict(dict)
    for place in places:
        by_campaign[place.campaign_id][place.account_id] = place
    excluded = set(
        Exclusion.objects.filter(campaign__in=campaigns, lifted_at=None).values_list("campaign", "annotator")
    )
    links: dict[tuple[int, int], dict[str, Any]] = {
        (row["campaign"], row["account"]): dict(row)
        for row in Invitation.objects.filter(campaign__in=campaigns, role=Role.ANNOTATOR)
        .values("campaign", "account")
        .annotate(invited_at=Max("created_at"), accepted_at=Max("accepted_at"))
        .order_by()
    }
    members = {
        campaign.pk: {
            *(account for account, place in by_campaign[campaign.pk].items() if place.removed_at is None),
            *assigned[campaign.pk],
        }
        for campaign in campaigns
    }
    accounts = Account.objects.in_bulk({account for each in members.values() for account in each})

    def person(campaign: int, account: Account) -> Person:
        place, link = by_campaign[campaign].get(account.pk), links.get((campaign, account.pk), {})
        return Person(
            account=account.pk,
            username=account.username,
            name=str(account),
            invited_at=link.get("invited_at"),
            opened=bool(link.get("accepted_at")) or bool(place and place.consented_at),
            is_excluded=(campaign, account.pk) in excluded,
            is_program=bool(place and place.is_program),
        )

    return {
        campaign: tuple(
            sorted((person(campaign, accounts[each]) for each in own), key=lambda each: each.name.casefold())
        )
        for campaign, own in members.items()
    }
