"""A claimed run, performed: its end is written only if the run is still ours."""

import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.db import OperationalError, connection, transaction
from django.utils import timezone

from campaigns.disk_space import is_disk_full
from campaigns.models import Account, Campaign, TestSet
from metrics.actions.claiming import claim_run, lock_campaign, release_run
from metrics.actions.heartbeat import Heartbeat, RunEnded, own_row
from metrics.actions.queueing import cancel_run, new_run
from metrics.actions.refreshing import forget_older
from metrics.kinds import KINDS
from metrics.models import Run, RunPart, RunStatus
from metrics.running import OnProgress, RunFailed

logger = logging.getLogger(__name__)


def perform_run(run: Run, *, watch: Callable[[float, str], None] | None = None) -> Run:
    """Performs a claimed run to its end and returns it as it stands then; `watch` is told the progress as well."""
    try:
        with Heartbeat(run) as heartbeat:
            result = KINDS[run.kind].perform(run, _told(heartbeat, watch))
    except RunEnded:
        logger.info("Run %s was cancelled or taken over; it is left alone.", run.pk)
    except RunFailed as error:
        _end(run, status=RunStatus.FAILED, error=str(error))
    except OperationalError as error:
        # The database is away, busy or full: nothing can be stored about the run, another attempt takes it up later.
        what = "found the disk full" if is_disk_full(error) else "lost its database"
        logger.exception("Run %s %s", run.pk, what)
    except Exception as error:
        logger.exception("Run %s failed", run.pk)
        _end(
            run,
            status=RunStatus.FAILED,
            error=f"Something went wrong inside Assay ({type(error).__name__}); the log names run {run.pk}.",
        )
    else:
        _succeed(run, result)
    run.refresh_from_db()
    return run


def perform_now(
    *,
    kind: str,
    campaign: Campaign | None = None,
    test_set: TestSet | None = None,
    arguments: Mapping[str, Any],
    created_by: Account | None = None,
    watch: Callable[[float, str], None] | None = None,
) -> Run:
    """A run that never waits: stored as claimed already and performed in the foreground."""
    run = new_run(kind=kind, campaign=campaign, test_set=test_set, arguments=arguments, created_by=created_by)
    now = timezone.now()
    run.status, run.claim, run.attempts, run.started_at, run.heartbeat_at = RunStatus.RUNNING, uuid.uuid4(), 1, now, now
    with transaction.atomic():
        lock_campaign(Campaign.objects.filter(pk=campaign.pk if campaign else 0))
        run.save(force_insert=True)
    try:
        run = perform_run(run, watch=watch)
        # somebody was forgotten meanwhile, so that it waits again: begun anew here, unless a worker has done so
        anew = claim_run(run.pk) if run.status == RunStatus.QUEUED else None
        return perform_run(anew, watch=watch) if anew else run
    except KeyboardInterrupt:
        cancel_run(run=run)
        raise


def release_own_runs() -> None:
    """Called from another thread when this process has to leave: its runs go back to the queue at once."""
    for heartbeat in list(Heartbeat.beating):
        release_run(heartbeat.run)
    connection.close()


def _told(heartbeat: Heartbeat, watch: Callable[[float, str], None] | None) -> OnProgress:
    if watch is None:
        return heartbeat.on_progress

    def on_progress(share: float, note: str = "", /) -> None:
        heartbeat.on_progress(share, note)
        watch(share, note)

    return on_progress


def _succeed(run: Run, result: dict[str, Any]) -> None:
    kind = KINDS[run.kind]
    head = {name: value for name, value in result.items() if name != kind.parts}
    rows = [RunPart(run=run, name=name, result=part) for name, part in kind.rows_of(result).items()]
    signature = str(result.get("signature", ""))
    with transaction.atomic():
        if _end(run, status=RunStatus.DONE, result=head, signature=signature, progress=1, progress_note=""):
            RunPart.objects.bulk_create(rows)
            forget_older(run)


def _end(run: Run, **fields: Any) -> bool:
    is_ours = bool(own_row(run).update(finished_at=timezone.now(), **fields))
    if not is_ours:
        logger.warning("Run %s is not ours any more; its end is not written.", run.pk)
    return is_ours
