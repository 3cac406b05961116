"""How far campaigns and their annotators have come: sums the database makes, in a fixed number of queries."""

from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection
from django.db.models import Avg, BigIntegerField, Count, ExpressionWrapper, F, Q, QuerySet, Sum

from annotation.models import Assignment, AssignmentStatus, Judgment, ProblemReport, WorkCount
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign

MANY = 20_000
_REMEMBERED_SECONDS = 30 * 86_400
_COUNTED = ~Q(status=AssignmentStatus.ARCHIVED)


@dataclass(frozen=True)
class JudgedItems:
    done: int
    total: int

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class CampaignProgress(JudgedItems):
    assignments: int
    assignments_done: int
    assignments_planned: int
    problem_reports: int


def usual_task_size(campaign: Campaign) -> int:
    """The average number of items in a task: a small campaign has fewer than the plan's limit."""
    size: float | None = Assignment.objects.filter(_COUNTED, campaign=campaign, total__gt=0).aggregate(
        size=Avg("total")
    )["size"]
    return round(size) if size else campaign.items_per_assignment


def stored_judgments(campaign: Campaign) -> int:
    """All revisions, also those that count for nothing: of archived assignments counted here, of others as kept."""
    of_archived = Judgment.objects.filter(
        item__assignment__campaign=campaign, item__assignment__status=AssignmentStatus.ARCHIVED
    )
    archived = of_archived.order_by().values("item__assignment__campaign").annotate(stored=Count("pk"))
    kept = WorkCount.objects.filter(campaign=campaign).order_by().values("campaign").annotate(stored=Sum("answers"))
    return sum(stored for (stored,) in kept.values_list("stored").union(archived.values_list("stored"), all=True))


def judgments_by_key(campaign: Campaign, stored: int | None = None) -> QuerySet[Judgment]:
    """All judgments of a campaign, for lists that read the first of them in the order of keys; `stored` are how many.

    Of many, a list begins with the first one of the campaign, which is remembered: those that come later have higher
    keys. SQLite is kept from beginning with the campaign's assignments: it would sort all for each page.
    """
    own = Judgment.objects.filter(item__assignment__campaign=campaign)
    if (stored_judgments(campaign) if stored is None else stored) < MANY:
        return own
    if connection.vendor == "sqlite":
        of_campaign = ExpressionWrapper(F("item__assignment__campaign_id") + 0, output_field=BigIntegerField())
        own = Judgment.objects.alias(of_campaign=of_campaign).filter(of_campaign=campaign.pk)
    name = f"first-judgment:{campaign.pk}:{campaign.created_at.timestamp()}"
    first: int | None = cache.get(name)
    if first is None:
        first = own.order_by("pk").values_list("pk", flat=True).first() or 0
        cache.set(name, first, _REMEMBERED_SECONDS)
    return own.filter(pk__gte=first)


@dataclass(frozen=True)
class Work:
    items: int
    assignments: int
    seconds: int


def planned_work(campaign: Campaign) -> Work:
    """All of it, with the time that the protocol usually takes."""
    planned = campaign.assignments.filter(_COUNTED, returned_at=None)
    sums = planned.aggregate(items=Sum("total", default=0), assignments=Count("pk"))
    return Work(sums["items"], sums["assignments"], sums["items"] * PROTOCOLS[campaign.protocol].seconds_per_item)


def extension_cost(campaign: Campaign) -> Work:
    """The work of one more judgment per segment: as much as each of the planned ones."""
    work = planned_work(campaign)
    items = round(work.items / campaign.redundancy)
    assignments = -(-work.assignments // campaign.redundancy)
    return Work(items, assignments, items * PROTOCOLS[campaign.protocol].seconds_per_item)


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
