"""The tasks of an annotator: in progress, available, done; and the annotators who may take a task."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from annotation.models import IN_HAND, Assignment, AssignmentStatus, Item, ItemLevel, Judgment
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Text
from campaigns.models import Account, Campaign, CampaignStatus, Membership
from campaigns.queries import screened_out_in


def planned_for(annotator: Account) -> QuerySet[Assignment]:
    """Unassigned work without items that the annotator has had before."""
    return Assignment.objects.filter(~_same_had(annotator), status=AssignmentStatus.PLANNED)


def lapsed_for(annotator: Account) -> QuerySet[Assignment]:
    """Reservations of others whose time is over; until somebody takes one over it stays with its holder."""
    late = Assignment.objects.filter(status=AssignmentStatus.RESERVED, expires_at__lt=timezone.now())
    return late.filter(~_same_had(annotator))


def had_by(annotator: Account | OuterRef) -> QuerySet[Assignment]:
    """All work of the annotator; untouched returned work counts only where reading counts."""
    return Assignment.objects.filter(annotator=annotator).exclude(_untouched())


def _untouched() -> Q:
    read_once = [name for name, protocol in PROTOCOLS.items() if protocol.reads_once]
    return Q(returned_at__isnull=False, total=0) & ~Q(campaign__protocol__in=read_once)


def _same_had(annotator: Account) -> Exists:
    return Exists(had_by(annotator).filter(campaign=OuterRef("campaign"), content=OuterRef("content")))


def finishers_of(campaign: Campaign) -> dict[int, datetime]:
    """When annotators were done who have nothing in hand and can take no more: three queries, however many."""
    own = Assignment.objects.filter(campaign=campaign, annotator__isnull=False).exclude(
        status=AssignmentStatus.ARCHIVED
    )
    sums = (
        own.order_by()
        .values("annotator")
        .annotate(at=Max("finished_at"), judged=Sum("done"), in_hand=Count("pk", filter=Q(status__in=IN_HAND)))
    )
    done = {row["annotator"]: row["at"] for row in sums if row["at"] and row["judged"] and not row["in_hand"]}
    late = Q(status=AssignmentStatus.RESERVED, expires_at__lt=timezone.now())
    free = Assignment.objects.filter(Q(status=AssignmentStatus.PLANNED) | late, campaign=campaign)
    is_over = not done or campaign.status == CampaignStatus.CLOSED
    offered = set() if is_over else set(free.order_by().values_list("content", flat=True).distinct())
    if not offered:
        return done
    had: dict[int, set[int]] = {each: set() for each in done}
    for annotator, content in own.filter(annotator__in=done).exclude(_untouched()).values_list("annotator", "content"):
        had[annotator or 0].add(content)
    return {annotator: at for annotator, at in done.items() if offered <= had[annotator]}


def takers_of(assignment: Assignment) -> QuerySet[Account]:
    """Annotators of the campaign who have not had these items."""
    had = had_by(OuterRef("pk")).filter(campaign=assignment.campaign_id, content=assignment.content)
    place = Membership.objects.judging().filter(account=OuterRef("pk"), campaign=assignment.campaign_id)
    is_out = screened_out_in(OuterRef("pk"), assignment.campaign)
    return Account.objects.filter(Exists(place), ~Exists(had), ~Exists(is_out), is_active=True).order_by("username")


BEHIND = (AssignmentStatus.DONE, AssignmentStatus.CLOSED, AssignmentStatus.ARCHIVED)


@dataclass(frozen=True)
class Task:
    """One row of an annotator's list; `assignment` is None where one is still to be handed out."""

    campaign: Campaign
    assignment: Assignment | None
    title: Text
    seconds_left: int
    begun_in: Item | None = None

    @property
    def is_open(self) -> bool:
        return self.campaign.status == CampaignStatus.OPEN


@dataclass(frozen=True)
class TaskList:
    """`current` is what to do next, `others` may be done too, `waiting` not now; `done` keeps its codes."""

    current: Task | None
    others: tuple[Task, ...]
    waiting: tuple[Task, ...]
    done: tuple[Task, ...]


@dataclass(frozen=True)
class Effort:
    judgments: int
    seconds: float

    @property
    def seconds_each(self) -> float | None:
        return self.seconds / self.judgments if self.judgments else None


def task_list_of(annotator: Account) -> TaskList:
    assignments = list(
        Assignment.objects.filter(annotator=annotator)
        .exclude(status=AssignmentStatus.PLANNED)
        .select_related("campaign__test_set")
        .order_by("-done", "claimed_at", "pk")
    )
    begun = [_task(each.campaign, each) for each in assignments if each.status in IN_HAND]
    busy = {task.campaign.pk for task in begun}
    offered = [_task(campaign, None) for campaign in _offering(annotator) if campaign.pk not in busy]
    ready = [task for task in (*begun, *offered) if task.is_open]
    done = [_task(each.campaign, each) for each in assignments if each.status in BEHIND]
    done.sort(key=lambda task: _finished(task.assignment), reverse=True)
    return TaskList(
        current=_with_place(ready[0]) if ready else None,
        others=tuple(ready[1:]),
        waiting=tuple(task for task in (*begun, *offered) if not task.is_open),
        done=tuple(done),
    )


def effort_since(annotator: Account, since: datetime) -> Effort:
    sums = Judgment.objects.filter(annotator=annotator, submitted_at__gte=since).aggregate(
        judgments=Count("pk"), milliseconds=Sum("active_ms")
    )
    return Effort(judgments=sums["judgments"], seconds=(sums["milliseconds"] or 0) / 1000)


def effort_on(assignment: Assignment) -> Effort:
    """Every revision counts: changing one's mind is work too."""
    sums = Judgment.objects.filter(item__assignment=assignment, annotator=assignment.annotator).aggregate(
        judgments=Count("item", distinct=True), milliseconds=Sum("active_ms")
    )
    return Effort(judgments=sums["judgments"], seconds=(sums["milliseconds"] or 0) / 1000)


def effort_in(campaign: Campaign, annotator: Account) -> Effort:
    """One's own pace in a campaign: every revision counts as time, an item once."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign, annotator=annotator)
    sums = own.aggregate(judgments=Count("item", distinct=True), milliseconds=Sum("active_ms"))
    return Effort(judgments=sums["judgments"], seconds=(sums["milliseconds"] or 0) / 1000)


def start_of_week() -> datetime:
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=today.weekday())


def _offering(annotator: Account) -> QuerySet[Campaign]:
    """Campaigns that still have something to hand out which the annotator has not had, opened already or not."""
    place = Membership.objects.judging().filter(campaign=OuterRef("pk"), account=annotator)
    planned = planned_for(annotator).filter(campaign=OuterRef("pk"))
    lapsed = lapsed_for(annotator).filter(campaign=OuterRef("pk"))
    return (
        Campaign.objects.filter(Exists(place))
        .exclude(status=CampaignStatus.CLOSED)
        .filter(Exists(planned) | Exists(lapsed), ~Exists(screened_out_in(annotator, OuterRef("pk"))))
        .select_related("test_set")
        .order_by("created_at")
    )


def _task(campaign: Campaign, assignment: Assignment | None) -> Task:
    protocol = protocol_for(campaign.protocol, campaign.options)
    left = assignment.total - assignment.done if assignment else campaign.items_per_assignment
    return Task(campaign, assignment, protocol.title, left * protocol.seconds_per_item)


def _with_place(task: Task) -> Task:
    if task.assignment is None or not task.assignment.done:
        return task
    first_unanswered = (
        Item.objects.filter(assignment=task.assignment, revision=0)
        .exclude(level=ItemLevel.CONTEXT)
        .select_related("document", "segment")
        .order_by("position")
        .first()
    )
    return Task(task.campaign, task.assignment, task.title, task.seconds_left, first_unanswered)


def _finished(assignment: Assignment | None) -> datetime:
    if assignment is None or assignment.finished_at is None:
        return datetime.min.replace(tzinfo=timezone.get_current_timezone())
    return assignment.finished_at
