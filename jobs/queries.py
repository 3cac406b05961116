"""Reads of runs."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from campaigns.models import Campaign
from jobs.models import Run, RunPart, RunStatus
from jobs.run_kinds import run_kind


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


def runs_of(
    campaign: Campaign,
    kind: str,
    *,
    status: RunStatus | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> QuerySet[Run]:
    """The newest first; with `arguments`, those requested with exactly these, as the kind's check returns them."""
    runs = Run.objects.filter(campaign=campaign, kind=kind)
    if status is not None:
        runs = runs.filter(status=status)
    if arguments is not None:
        runs = runs.filter(arguments=run_kind(kind).check(arguments))
    return runs.order_by("-created_at", "-pk")


def parts_of(run: Run, *names: str) -> dict[str, Any]:
    """The parts of a run's result that have these names, or all; what the run did not make is not in it."""
    parts = RunPart.objects.filter(run=run)
    if names:
        parts = parts.filter(name__in=names)
    return dict(parts.order_by("pk").values_list("name", "result"))


def whole_result(run: Run) -> dict[str, Any]:
    """The result as it was performed, its parts in their place."""
    return run_kind(run.kind).whole(run.result or {}, parts_of(run))
