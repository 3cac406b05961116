"""Which computed numbers are newest, whether they are up to date, and how many judgments are still to come."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Sum, Value, When

from annotation.models import Assignment, AssignmentStatus, Item, ItemKind, Judgment, Slot, is_surplus
from campaigns.models import AuditEntry, Campaign, CampaignStatus, FormAnswer, TestSet
from jobs.models import Run, RunPart, RunStatus
from jobs.run_kinds import run_kind
from metrics.models import ImportedScores

CHANGES_WHAT_COUNTS = (
    "assignment_reset",
    "annotator_excluded",
    "annotator_readmitted",
    "consent_withdrawn",
    "person_erased",
    "person_pseudonymised",
)
CHANGES_TAGS = ("segment_tagged", "segment_untagged")
CHANGES_WHAT_IS_DECIDED = ("translation_adjudicated", "adjudication_undone")


def has_newer_evidence(run: Run) -> bool:
    """Whether judgments arrived or stopped counting after the run read them.

    Judgments are searched by annotator, as in their index: only the newest are read, however many there are. The
    campaign is a separate condition, so that a database does not begin with it and read all judgments.
    """
    if run.started_at is None:
        return False
    campaign, since = run.campaign_id, run.started_at
    annotators = Assignment.objects.filter(campaign=campaign, annotator__isnull=False).values("annotator")
    newer = Judgment.objects.filter(annotator__in=annotators, submitted_at__gte=since)
    options = run.arguments.get("options", {})
    changes: tuple[str, ...] = CHANGES_WHAT_COUNTS
    if options.get("adjudicated") == "yes":
        changes += CHANGES_WHAT_IS_DECIDED
    if run.kind == "disagreement" or options.get("by") == "tag" or "tag" in str(options.get("where", "")):
        changes += CHANGES_TAGS
    decided = AuditEntry.objects.filter(campaign=campaign, action__in=changes, at__gte=since)
    own = newer.filter(Exists(Item.objects.filter(pk=OuterRef("item"), assignment__campaign=campaign)))
    changed = Q(Exists(own)) | Q(Exists(decided))
    if any(each in f"{options.get('by')} {options.get('where')}" for each in ("entry.", "exit.")):
        answered = FormAnswer.objects.filter(question__questionnaire__campaign=campaign, answered_at__gte=since)
        changed |= Q(Exists(answered))
    return Campaign.objects.filter(changed, pk=campaign or 0).exists()


def scorings_of(test_set: int) -> QuerySet[Run]:
    """Runs that score a test set, in any state, the last requested first."""
    runs = Run.objects.filter(test_set=test_set, kind="metric_scores")
    return runs.defer("result").order_by("-created_at", "-pk")


def newest_part(campaign: Campaign, name: str, *arguments: Mapping[str, Any]) -> RunPart | None:
    """The newest part of this name, of finished analyses made with any of these arguments; with its run."""
    made = Q()
    for each in arguments:
        made |= Q(run__arguments=run_kind("analysis").check(each))
    parts = RunPart.objects.filter(made, name=name, run__campaign=campaign, run__status=RunStatus.DONE)
    return parts.select_related("run").order_by("-run__created_at", "-run_id").first()


def has_newer_scores(run: Run) -> bool:
    """Whether metric scores arrived after the run read them."""
    if run.started_at is None or run.campaign is None:
        return False
    test_set = run.campaign.test_set_id
    since = run.started_at
    scored = Run.objects.filter(test_set=test_set, kind="metric_scores", status=RunStatus.DONE, finished_at__gte=since)
    imported = ImportedScores.objects.filter(test_set=test_set, is_whole=True, imported_at__gte=since)
    return TestSet.objects.filter(Q(Exists(scored)) | Q(Exists(imported)), pk=test_set).exists()


def regular_scores(scores: QuerySet[Any], campaign: Campaign, measure: str) -> QuerySet[Any]:
    """Of the newest answers to regular items, without those that came when others had filled the item."""
    regular: QuerySet[Any] = scores.alias(left_out=is_surplus("judgment__")).filter(
        judgment__item__assignment__campaign=campaign,
        judgment__item__kind=ItemKind.REGULAR,
        judgment__is_current=True,
        left_out=False,
        measure=measure,
    )
    return regular


BESIDE_DAMAGE = "beside"


def beside_damage() -> Q:
    """Of scores: those of slots of degraded items that are not the damaged one, where it is known which one is."""
    damaged = Slot.objects.filter(item=OuterRef("judgment__item"), damaged__isnull=False)
    own = damaged.filter(label=OuterRef("slot"))
    return Q(judgment__item__kind=ItemKind.DEGRADED) & Q(Exists(damaged)) & ~Q(Exists(own))


def kind_of_score() -> Case:
    """The kind of its item, or `BESIDE_DAMAGE`."""
    return Case(When(beside_damage(), then=Value(BESIDE_DAMAGE)), default="judgment__item__kind")


def planned_judgments(campaign: Campaign) -> int | None:
    """How many judgments the assignments ask for; None when nothing more is to come."""
    if campaign.status == CampaignStatus.CLOSED:
        return None
    ended = Q(status=AssignmentStatus.CLOSED)
    sums = Assignment.objects.filter(campaign=campaign).aggregate(
        planned=Sum("total", filter=~ended & ~Q(status=AssignmentStatus.ARCHIVED)), received=Sum("done", filter=ended)
    )
    return (sums["planned"] or 0) + (sums["received"] or 0)
