"""How far campaigns and their annotators have come: sums the database makes, in a fixed number of queries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, Max, Q, QuerySet, Sum

from annotation.models import Assignment, AssignmentStatus, Judgment, ProblemReport
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign

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


def usual_task_size(campaign: Campaign) -> int:
    """The average number of items in a task: a small campaign has fewer than the plan's limit."""
    size: float | None = Assignment.objects.filter(_COUNTED, campaign=campaign, total__gt=0).aggregate(
        size=Avg("total")
    )["size"]
    return round(size) if size else campaign.items_per_assignment


@dataclass(frozen=True)
class ExtensionCost:
    """The work of one more judgment per segment: as much as each of the planned ones."""

    items: int
    assignments: int
    seconds: int


def extension_cost(campaign: Campaign) -> ExtensionCost:
    planned = campaign.assignments.filter(_COUNTED, returned_at=None)
    sums = planned.aggregate(items=Sum("total", default=0), assignments=Count("pk"))
    items = round(sums["items"] / campaign.redundancy)
    assignments = -(-sums["assignments"] // campaign.redundancy)
    return ExtensionCost(items, assignments, items * PROTOCOLS[campaign.protocol].seconds_per_item)


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
    rows = list(campaigns.select_related("test_set"))
    sums: dict[int, dict[str, Any]] = {
        row["campaign"]: dict(row)
        for row in Assignment.objects.filter(_COUNTED, campaign__in=rows)
        .values("campaign")
        .annotate(done_sum=Sum("done"), total_sum=Sum("total"), annotators=Count("annotator", distinct=True))
        .order_by()
    }
    last: dict[int, datetime] = dict(
        Judgment.objects.filter(item__assignment__campaign__in=rows)
        .order_by()
        .values_list("item__assignment__campaign")
        .annotate(last=Max("submitted_at"))
    )
    return [_line(campaign, sums.get(campaign.pk, {}), last.get(campaign.pk)) for campaign in rows]


def _line(campaign: Campaign, sums: dict[str, Any], last: datetime | None) -> CampaignLine:
    return CampaignLine(
        campaign=campaign,
        protocol_title=PROTOCOLS[campaign.protocol].title if campaign.protocol in PROTOCOLS else campaign.protocol,
        done=sums.get("done_sum", 0),
        total=sums.get("total_sum", 0),
        annotators=sums.get("annotators", 0),
        last_judgment=last,
    )
