"""How far campaigns and their annotators have come: sums the database makes, in a fixed number of queries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.models import Assignment, AssignmentStatus, Judgment, ProblemReport
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Campaign, Membership, Role

_COUNTED = ~Q(status=AssignmentStatus.ARCHIVED)


@dataclass(frozen=True)
class CampaignProgress:
    done: int
    total: int
    assignments: int
    assignments_done: int
    assignments_planned: int
    problem_reports: int

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class AnnotatorProgress:
    """`seconds_mean` is of active time where it was measured, else of elapsed time; None without judgments."""

    account: int
    username: str
    name: str
    assignments: int
    done: int
    total: int
    judgments: int
    seconds_mean: float | None
    last_judgment: datetime | None

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


def progress_of(campaign: Campaign) -> CampaignProgress:
    sums = Assignment.objects.filter(_COUNTED, campaign=campaign).aggregate(
        done=Sum("done", default=0),
        total=Sum("total", default=0),
        assignments=Count("pk"),
        assignments_done=Count("pk", filter=Q(status=AssignmentStatus.DONE)),
        assignments_planned=Count("pk", filter=Q(status=AssignmentStatus.PLANNED)),
    )
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign).count()
    return CampaignProgress(**sums, problem_reports=reports)


def annotator_progress(campaign: Campaign) -> list[AnnotatorProgress]:
    """One row an annotator, invited or imported, by name."""
    assigned = _sums_by_annotator(campaign)
    times = _times_by_annotator(campaign)
    invited = Membership.objects.filter(campaign=campaign, role=Role.ANNOTATOR).values_list("account", flat=True)
    known = Account.objects.filter(pk__in={*invited, *assigned})
    rows = [_annotator_row(account, assigned.get(account.pk, {}), times.get(account.pk, {})) for account in known]
    return sorted(rows, key=lambda row: row.name.casefold())


def _sums_by_annotator(campaign: Campaign) -> dict[int, dict[str, Any]]:
    rows = (
        Assignment.objects.filter(_COUNTED, campaign=campaign, annotator__isnull=False)
        .values("annotator")
        .annotate(assignments=Count("pk"), done=Sum("done"), total=Sum("total"))
        .order_by()
    )
    return {row["annotator"]: dict(row) for row in rows}


def _times_by_annotator(campaign: Campaign) -> dict[int, dict[str, Any]]:
    spent = Coalesce("active_ms", "elapsed_ms")
    rows = (
        Judgment.objects.filter(item__assignment__campaign=campaign, is_current=True)
        .values("annotator")
        .annotate(judgments=Count("pk"), milliseconds_mean=Avg(spent), last_judgment=Max("submitted_at"))
        .order_by()
    )
    return {row["annotator"]: dict(row) for row in rows}


def _annotator_row(account: Account, sums: dict[str, Any], times: dict[str, Any]) -> AnnotatorProgress:
    milliseconds = times.get("milliseconds_mean")
    return AnnotatorProgress(
        account=account.pk,
        username=account.username,
        name=str(account),
        assignments=sums.get("assignments", 0),
        done=sums.get("done", 0),
        total=sums.get("total", 0),
        judgments=times.get("judgments", 0),
        seconds_mean=None if milliseconds is None else float(milliseconds) / 1000,
        last_judgment=times.get("last_judgment"),
    )


@dataclass(frozen=True)
class CampaignLine:
    """One line of the list of campaigns."""

    campaign: Campaign
    protocol_title: Any
    done: int
    total: int
    annotators: int
    last_judgment: datetime | None

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


def lines_of(campaigns: QuerySet[Campaign]) -> list[CampaignLine]:
    """Three queries, however many campaigns."""
    found = list(campaigns.select_related("test_set"))
    sums: dict[int, dict[str, Any]] = {
        row["campaign"]: dict(row)
        for row in Assignment.objects.filter(_COUNTED, campaign__in=found)
        .values("campaign")
        .annotate(done_sum=Sum("done"), total_sum=Sum("total"), annotators=Count("annotator", distinct=True))
        .order_by()
    }
    last: dict[int, datetime] = dict(
        Judgment.objects.filter(item__assignment__campaign__in=found)
        .order_by()
        .values_list("item__assignment__campaign")
        .annotate(last=Max("submitted_at"))
    )
    return [_line(campaign, sums.get(campaign.pk, {}), last.get(campaign.pk)) for campaign in found]


def _line(campaign: Campaign, sums: dict[str, Any], last: datetime | None) -> CampaignLine:
    return CampaignLine(
        campaign=campaign,
        protocol_title=PROTOCOLS[campaign.protocol].title if campaign.protocol in PROTOCOLS else campaign.protocol,
        done=sums.get("done_sum", 0),
        total=sums.get("total_sum", 0),
        annotators=sums.get("annotators", 0),
        last_judgment=last,
    )
