"""What may be handed to an annotator (planned assignments, reservations of others that ran out), and to whom."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, AssignmentStatus
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Membership


def planned_for(annotator: Account) -> QuerySet[Assignment]:
    """Assignments that are nobody's yet and ask nothing the annotator was asked before."""
    return Assignment.objects.filter(~_same_had(annotator), status=AssignmentStatus.PLANNED)


def lapsed_for(annotator: Account) -> QuerySet[Assignment]:
    """Reservations of others whose time is over; until somebody takes one over it stays with its holder."""
    late = Assignment.objects.filter(status=AssignmentStatus.RESERVED, expires_at__lt=timezone.now())
    return late.filter(~_same_had(annotator))


def had_by(annotator: Account) -> QuerySet[Assignment]:
    """What the annotator was asked; work that was given back untouched does not count, but where reading counts."""
    read_once = [name for name, protocol in PROTOCOLS.items() if protocol.reads_once]
    untouched = Q(returned_at__isnull=False, total=0) & ~Q(campaign__protocol__in=read_once)
    return Assignment.objects.filter(annotator=annotator).exclude(untouched)


def _same_had(annotator: Account) -> Exists:
    return Exists(had_by(annotator).filter(campaign=OuterRef("campaign"), content=OuterRef("content")))


def takers_of(assignment: Assignment) -> QuerySet[Account]:
    """Annotators of the campaign who were not asked the same before."""
    untouched = Q(returned_at__isnull=False, total=0)
    had = Assignment.objects.filter(
        ~untouched, annotator=OuterRef("pk"), campaign=assignment.campaign_id, content=assignment.content
    )
    place = Membership.objects.judging().filter(account=OuterRef("pk"), campaign=assignment.campaign_id)
    return Account.objects.filter(Exists(place), ~Exists(had), is_active=True).order_by("username")
