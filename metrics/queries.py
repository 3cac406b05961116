"""Reads of runs."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from annotation.models import Judgment
from campaigns.models import Campaign
from metrics.models import Run, RunStatus


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


def newest_run(campaign: Campaign, kind: str, *, status: RunStatus | None = None) -> Run | None:
    runs = Run.objects.filter(campaign=campaign, kind=kind)
    if status is not None:
        runs = runs.filter(status=status)
    return runs.order_by("-created_at", "-pk").first()


def has_newer_judgments(run: Run) -> bool:
    """Whether judgments came in that the run cannot have seen."""
    if run.started_at is None:
        return False
    return Judgment.objects.filter(
        item__assignment__campaign=run.campaign_id, submitted_at__gte=run.started_at
    ).exists()
