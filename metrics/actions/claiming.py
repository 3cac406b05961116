"""Whose run it is: decided by conditional UPDATE alone, by the database's clock alone."""

import uuid

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Now

from campaigns.models import Campaign
from metrics.models import Run, RunStatus
from metrics.queries import abandoned_runs, claimable_runs


def claim_run(run_id: int) -> Run | None:
    """The run, ours to perform; None when it is another's, has ended, or was tried too often."""
    with transaction.atomic():
        lock_campaign(Campaign.objects.filter(runs=run_id))
        claimed = (
            claimable_runs()
            .filter(pk=run_id)
            .update(
                status=RunStatus.RUNNING,
                claim=uuid.uuid4(),
                attempts=F("attempts") + 1,
                heartbeat_at=Now(),
                started_at=Coalesce(F("started_at"), Now()),
            )
        )
    return Run.objects.select_related("campaign", "test_set").get(pk=run_id) if claimed else None


def lock_campaign(whose: QuerySet[Campaign]) -> None:
    """No run begins while somebody is being forgotten in its campaign, whose name it would read."""
    whose.select_for_update(no_key=True, of=("self",)).values_list("pk").first()


def release_run(run: Run) -> bool:
    """Puts a run that we stop performing back in its place, as if it had not been tried."""
    released = Run.objects.filter(pk=run.pk, claim=run.claim, status=RunStatus.RUNNING).update(
        status=RunStatus.QUEUED, claim=None, attempts=F("attempts") - 1, heartbeat_at=None, progress=0, progress_note=""
    )
    return released == 1


def fail_exhausted_runs() -> int:
    """Gives up runs whose worker died as often as may be."""
    times = settings.RUN_MAX_ATTEMPTS
    exhausted = abandoned_runs().filter(attempts__gte=times)
    if not exhausted.exists():  # asked often: a look does not wait for SQLite's one writer, an UPDATE of nothing does
        return 0
    return exhausted.update(
        status=RunStatus.FAILED,
        error=(
            f"The worker stopped in the middle of this run, {times} times. "
            "It may need more memory than the machine has; the worker's log tells more."
        ),
        finished_at=Now(),
    )
