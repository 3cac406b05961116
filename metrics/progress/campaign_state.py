"""The state of a campaign: sums over its assignments and people; the cost does not grow with judgments."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
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
    """Six queries."""
    now = now or timezone.now()
    rows = _sums(campaign, now)
    counted = [row for row in rows if row["status"] != AssignmentStatus.ARCHIVED]
    own = defaultdict(list)
    for row in counted:
        if row["annotator"] is not None:
            own[row["annotator"]].append(row)
    shares = {account: _share(of_account) for account, of_account in own.items()}
    people = _people(campaign, shares)
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign).count()
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


def _sums(campaign: Campaign, now: datetime) -> list[dict[str, Any]]:
    in_hand = Q(status__in=IN_HAND)
    late = Q(status=AssignmentStatus.RESERVED, expires_at__lt=now)
    left = F("total") - F("done")
    sums = (
        Assignment.objects.filter(campaign=campaign)
        .values("annotator", "status")
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
    return [dict(row) for row in sums]


def _share(rows: list[dict[str, Any]]) -> Share:
    return Share(
        assignments=sum(row["assignments"] for row in rows),
        done=sum(row["done_sum"] for row in rows),
        total=sum(row["total_sum"] for row in rows),
        left=sum(row["left"] for row in rows),
        late=sum(row["late"] for row in rows),
        begun_at=max((row["begun_at"] for row in rows if row["begun_at"]), default=None),
    )


def _people(campaign: Campaign, assigned: Iterable[int]) -> tuple[Person, ...]:
    """Annotators by name, invited or imported."""
    places = list(Membership.ever.filter(campaign=campaign, role=Role.ANNOTATOR, withdrawn_at=None))
    members = {place.account_id for place in places if place.removed_at is None}
    consented = {place.account_id for place in places if place.consented_at}
    programs = {place.account_id for place in places if place.is_program}
    excluded = set(Exclusion.objects.filter(campaign=campaign, lifted_at=None).values_list("annotator", flat=True))
    links: dict[int, dict[str, Any]] = {
        row["account"]: dict(row)
        for row in Invitation.objects.filter(campaign=campaign, role=Role.ANNOTATOR)
        .values("account")
        .annotate(invited_at=Max("created_at"), accepted_at=Max("accepted_at"))
        .order_by()
    }
    people = [
        Person(
            account=account.pk,
            username=account.username,
            name=str(account),
            invited_at=links.get(account.pk, {}).get("invited_at"),
            opened=bool(links.get(account.pk, {}).get("accepted_at")) or account.pk in consented,
            is_excluded=account.pk in excluded,
            is_program=account.pk in programs,
        )
        for account in Account.objects.filter(pk__in={*members, *assigned})
    ]
    return tuple(sorted(people, key=lambda person: person.name.casefold()))
