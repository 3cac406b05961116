"""Reads of runs."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotation.models import Assignment, Item, Judgment
from campaigns.models import AuditEntry, Campaign
from metrics.kinds import KINDS
from metrics.models import ImportedScores, Run, RunPart, RunStatus

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


def _abandoned() -> Q:
    """Silent for long; a heartbeat from the future is of a worker that died before the clock was set back."""
    stale = timedelta(seconds=settings.RUN_STALE_SECONDS)
    out_of_time = Q(heartbeat_at__lt=Now() - stale) | Q(heartbeat_at__gt=Now() + stale)
    return Q(status=RunStatus.RUNNING) & out_of_time


def abandoned_runs() -> QuerySet[Run]:
    """Runs whose worker has not been heard of for long."""
    return Run.objects.filter(_abandoned())


def claimable_runs() -> QuerySet[Run]:
    """Runs that wait for a worker, and those to be taken over from one that died.

    The conditions stand on the row itself, never in a subquery: an UPDATE that waited for another's lock looks at
    them again, and finds the run taken.
    """
    return Run.objects.filter(Q(status=RunStatus.QUEUED) | _abandoned(), attempts__lt=settings.RUN_MAX_ATTEMPTS)


def newest_run(
    campaign: Campaign,
    kind: str,
    *,
    status: RunStatus | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Run | None:
    """The last one asked for, of those below."""
    return runs_of(campaign, kind, status=status, arguments=arguments).first()


def runs_of(
    campaign: Campaign,
    kind: str,
    *,
    status: RunStatus | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> QuerySet[Run]:
    """The newest first; with `arguments`, those asked for with exactly these, as the kind's check has them."""
    runs = Run.objects.filter(campaign=campaign, kind=kind)
    if status is not None:
        runs = runs.filter(status=status)
    if arguments is not None:
        runs = runs.filter(arguments=KINDS[kind].check(arguments))
    return runs.order_by("-created_at", "-pk")


def parts_of(run: Run, *names: str) -> dict[str, Any]:
    """The parts of a run's result that have these names, or all; what the run did not make is not in it."""
    parts = RunPart.objects.filter(run=run)
    if names:
        parts = parts.filter(name__in=names)
    return dict(parts.order_by("pk").values_list("name", "result"))


def whole_result(run: Run) -> dict[str, Any]:
    """The result as it was performed, its parts in their place."""
    return KINDS[run.kind].whole(run.result or {}, parts_of(run))


def has_newer_evidence(run: Run) -> bool:
    """Whether judgments came in, or ceased to count, that the run cannot have seen.

    Judgments are looked for by annotator, as their index goes: however many there are, only the newest are touched.
    Whether one is of this campaign stands apart, lest a database begins with that and goes through all of them.
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
    if run.kind == "disagreement" or options.get("by") == "tag":
        changes += CHANGES_TAGS
    decided = AuditEntry.objects.filter(campaign=campaign, action__in=changes, at__gte=since)
    own = newer.filter(Exists(Item.objects.filter(pk=OuterRef("item"), assignment__campaign=campaign)))
    return Campaign.objects.filter(Q(Exists(own)) | Q(Exists(decided)), pk=campaign or 0).exists()


def scorings_of(test_set: int) -> QuerySet[Run]:
    """Runs that score a test set, in whatever state, the last one asked for first."""
    runs = Run.objects.filter(test_set=test_set, kind="metric_scores")
    return runs.defer("result").order_by("-created_at", "-pk")


def newest_part(campaign: Campaign, name: str, *arguments: Mapping[str, Any]) -> RunPart | None:
    """The newest part of this name, of finished analyses made with any of these arguments; with its run."""
    made = Q()
    for each in arguments:
        made |= Q(run__arguments=KINDS["analysis"].check(each))
    parts = RunPart.objects.filter(made, name=name, run__campaign=campaign, run__status=RunStatus.DONE)
    return parts.select_related("run").order_by("-run__created_at", "-run_id").first()


def has_newer_scores(run: Run) -> bool:
    """Whether metric scores came that the run cannot have seen."""
    if run.started_at is None or run.campaign is None:
        return False
    test_set = run.campaign.test_set_id
    scored = Run.objects.filter(test_set=test_set, kind="metric_scores", finished_at__gte=run.started_at)
    imported = ImportedScores.objects.filter(test_set=test_set, is_whole=True, imported_at__gte=run.started_at)
    return scored.filter(status=RunStatus.DONE).exists() or imported.exists()
