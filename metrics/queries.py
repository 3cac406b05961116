"""Reads of runs."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from annotation.models import Assignment, Judgment
from campaigns.models import AuditEntry, Campaign
from metrics.kinds import KINDS
from metrics.models import Run, RunPart, RunStatus

CHANGES_WHAT_COUNTS = ("assignment_reset", "annotator_excluded", "annotator_readmitted")


def _abandoned() -> Q:
    return Q(status=RunStatus.RUNNING, heartbeat_at__lt=Now() - timedelta(seconds=settings.RUN_STALE_SECONDS))


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
    """The last one asked for; with `arguments`, of those asked for with exactly these, as the kind's check has them."""
    runs = Run.objects.filter(campaign=campaign, kind=kind)
    if status is not None:
        runs = runs.filter(status=status)
    if arguments is not None:
        runs = runs.filter(arguments=KINDS[kind].check(arguments))
    return runs.order_by("-created_at", "-pk").first()


def parts_of(run: Run, *names: str) -> dict[str, Any]:
    """The parts of a run's result that have these names, or all; what the run did not make is not in it."""
    parts = RunPart.objects.filter(run=run)
    if names:
        parts = parts.filter(name__in=names)
    return dict(parts.order_by("pk").values_list("name", "result"))


def whole_result(run: Run) -> dict[str, Any]:
    """The result as it was performed, its parts in their place."""
    key = KINDS[run.kind].parts
    return {**(run.result or {}), **({key: parts_of(run)} if key else {})}


def has_newer_evidence(run: Run) -> bool:
    """Whether judgments came in, or ceased to count, that the run cannot have seen.

    Judgments are looked for by annotator, as their index goes: however many there are, only the newest are touched.
    """
    if run.started_at is None:
        return False
    campaign, since = run.campaign_id, run.started_at
    annotators = Assignment.objects.filter(campaign=campaign, annotator__isnull=False).values("annotator")
    newer = Judgment.objects.filter(annotator__in=annotators, submitted_at__gte=since)
    decided = AuditEntry.objects.filter(campaign=campaign, action__in=CHANGES_WHAT_COUNTS, at__gte=since)
    return newer.filter(item__assignment__campaign=campaign).exists() or decided.exists()
