"""Numbers that a page updates by itself: computed again when there is newer evidence, at limited intervals."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.models import Campaign
from jobs.actions import queue_run
from jobs.models import Run, RunStatus
from jobs.queries import runs_of
from metrics.queries import has_newer_evidence

SHORTEST_PAUSE = timedelta(seconds=60)
TIMES_AS_LONG = 10  # a pause of ten times the computation: it uses at most a tenth of a worker


def refresh_run(*, kind: str, campaign: Campaign, arguments: Mapping[str, Any]) -> Run | None:
    """Queues a run that was never made, or whose newest numbers are stale and old enough; None otherwise.

    Nothing is queued while one is under way, nor after one that failed or was cancelled: then somebody decides.
    The campaign's row is locked, so that many open pages queue one run.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update().only("pk").get(pk=campaign.pk)
        newest = runs_of(campaign, kind, arguments=arguments).first()
        if newest is not None and not _is_due(newest):
            return None
        return queue_run(kind=kind, campaign=campaign, arguments=arguments, is_automatic=True)


def _is_due(newest: Run) -> bool:
    if newest.status != RunStatus.DONE or newest.started_at is None or newest.finished_at is None:
        return False
    rest = max(SHORTEST_PAUSE, TIMES_AS_LONG * (newest.finished_at - newest.started_at))
    return timezone.now() - newest.created_at >= rest and has_newer_evidence(newest)
