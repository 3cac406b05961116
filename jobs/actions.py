"""The life of a run, in its order: queued, claimed, performed, ended; or released, restarted, cancelled, given up.

The row is the truth. Whose run it is, is decided by conditional UPDATE alone and by the database's clock alone.
"""

import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any, NotRequired, TypedDict, Unpack

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from campaigns.actions.webhooks import announce
from campaigns.disk_space import is_disk_full
from campaigns.file_stores import StoreAway
from campaigns.models import Account, Campaign, HookEvent, TestSet
from jobs.heartbeat import Heartbeat, RunEnded, own_row
from jobs.hints import hints
from jobs.models import PENDING, Run, RunPart, RunStatus
from jobs.queries import abandoned_runs, claimable_runs
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, run_kind

logger = logging.getLogger(__name__)

_WAITING_AGAIN: dict[str, Any] = {
    "status": RunStatus.QUEUED,
    "claim": None,
    "attempts": F("attempts") - 1,
    "heartbeat_at": None,
    "progress": 0,
    "progress_note": "",
}


# --- queued -----------------------------------------------------------------------------------------------------------
class RunRequest(TypedDict):
    """The arguments of `queue_run` and `perform_now`."""

    kind: str
    campaign: NotRequired[Campaign | None]
    test_set: NotRequired[TestSet | None]
    arguments: Mapping[str, Any]
    created_by: NotRequired[Account | None]


def queue_run(*, is_automatic: bool = False, **request: Unpack[RunRequest]) -> Run:
    """Stored for the first worker to claim it; with a broker, workers get a hint."""
    run = _new_run(request)
    run.is_automatic = is_automatic
    run.save(force_insert=True)
    if settings.REDIS_URL:
        transaction.on_commit(lambda: hints.send(run_id=run.pk, queue=run.queue))
    return run


def _new_run(request: RunRequest) -> Run:
    """A checked run that is not stored yet."""
    kind, campaign, test_set = request["kind"], request.get("campaign"), request.get("test_set")
    known = run_kind(kind)
    if known.needs_campaign and campaign is None:
        raise InvalidRun(f"A run of kind {kind!r} needs a campaign.")
    if known.needs_test_set and test_set is None:
        raise InvalidRun(f"A run of kind {kind!r} needs a test set.")
    checked = known.check(request["arguments"])
    if known.check_for is not None:
        known.check_for(checked, campaign, test_set)
    return Run(**{**request, "arguments": checked}, queue=known.queue_of(checked))


# --- claimed ----------------------------------------------------------------------------------------------------------
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


def lock_campaign(campaign: QuerySet[Campaign]) -> None:
    """No run begins while somebody is being forgotten in its campaign, whose name it would read."""
    campaign.select_for_update(no_key=True, of=("self",)).values_list("pk").first()


# --- performed --------------------------------------------------------------------------------------------------------
def perform_run(run: Run, *, watch: Callable[[float, str], None] | None = None) -> Run:
    """Performs a claimed run to its end and returns it; `watch` gets the progress as well."""
    try:
        with Heartbeat(run) as heartbeat:
            result = run_kind(run.kind).perform(run, _watched(heartbeat, watch))
    except RunEnded:
        logger.info("Run %s was cancelled or taken over; it is left alone.", run.pk)
    except (RunFailed, StoreAway) as error:
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


def perform_now(*, watch: Callable[[float, str], None] | None = None, **request: Unpack[RunRequest]) -> Run:
    """A run that never waits: stored as claimed already and performed in the foreground."""
    run = _new_run(request)
    now = timezone.now()
    run.status, run.claim, run.attempts, run.started_at, run.heartbeat_at = RunStatus.RUNNING, uuid.uuid4(), 1, now, now
    with transaction.atomic():
        lock_campaign(Campaign.objects.filter(pk=run.campaign_id or 0))
        run.save(force_insert=True)
    try:
        run = perform_run(run, watch=watch)
        # somebody was forgotten meanwhile, so that it waits again: restarted here, unless a worker has done so
        again = claim_run(run.pk) if run.status == RunStatus.QUEUED else None
        return perform_run(again, watch=watch) if again else run
    except KeyboardInterrupt:
        cancel_run(run=run)
        raise


def _watched(heartbeat: Heartbeat, watch: Callable[[float, str], None] | None) -> OnProgress:
    if watch is None:
        return heartbeat.on_progress

    def on_progress(share: float, note: str = "", /) -> None:
        heartbeat.on_progress(share, note)
        watch(share, note)

    return on_progress


# --- ended ------------------------------------------------------------------------------------------------------------
def _succeed(run: Run, result: dict[str, Any]) -> None:
    kind = run_kind(run.kind)
    head = {name: value for name, value in result.items() if name != kind.parts}
    rows = [RunPart(run=run, name=name, result=part) for name, part in kind.rows_of(result).items()]
    signature = str(result.get("signature", ""))
    with transaction.atomic():
        if _end(run, status=RunStatus.DONE, result=head, signature=signature, progress=1, progress_note=""):
            RunPart.objects.bulk_create(rows)
            _delete_older(run)


def _end(run: Run, **fields: Any) -> bool:
    """Written only if the run is still ours."""
    with transaction.atomic():
        is_ours = bool(own_row(run).update(finished_at=timezone.now(), **fields))
        if is_ours:
            _announce_end(run, fields["status"])
    if not is_ours:
        logger.warning("Run %s is not ours any more; its end is not written.", run.pk)
    return is_ours


def _announce_end(run: Run, status: str) -> None:
    """Of what a person requested in a campaign."""
    if run.campaign_id is not None and not run.is_automatic:
        announce(run.campaign_id, HookEvent.RUN_FINISHED, run=run.pk, kind=run.kind, status=str(status))


def _delete_older(run: Run) -> None:
    """Of runs that pages requested automatically only the newest stay; runs that people requested stay."""
    if run.is_automatic:
        Run.objects.filter(
            campaign=run.campaign_id,
            test_set=run.test_set_id,
            kind=run.kind,
            arguments=run.arguments,
            is_automatic=True,
            status=RunStatus.DONE,
            pk__lt=run.pk,
        ).delete()


# --- or otherwise -----------------------------------------------------------------------------------------------------
def cancel_run(*, run: Run) -> Run:
    """Ends an unfinished run; its worker notices and writes nothing more."""
    Run.objects.filter(pk=run.pk, status__in=PENDING).update(status=RunStatus.CANCELLED, finished_at=timezone.now())
    run.refresh_from_db()
    return run


def release_run(run: Run) -> bool:
    """Puts a run that we stop performing back in its place, as if it had not been tried."""
    return own_row(run).update(**_WAITING_AGAIN) == 1


def release_own_runs() -> None:
    """Called from another thread when this process has to leave: its runs go back to the queue at once."""
    for heartbeat in list(Heartbeat.beating):
        release_run(heartbeat.run)
    connection.close()


def restart_runs(runs: QuerySet[Run]) -> None:
    """Those that are being performed wait again, and what their workers compute until then is refused.

    What has come in since they began is in them then.
    """
    runs.filter(status=RunStatus.RUNNING).update(**_WAITING_AGAIN, started_at=None)


def fail_exhausted_runs() -> int:
    """Gives up runs whose worker died as often as may be."""
    times = settings.RUN_MAX_ATTEMPTS
    exhausted = abandoned_runs().filter(attempts__gte=times)
    if not exhausted.exists():  # called often: a look does not wait for SQLite's one writer, an UPDATE of nothing does
        return 0
    failed = 0
    with transaction.atomic():
        for run in list(exhausted):
            ended = exhausted.filter(pk=run.pk).update(
                status=RunStatus.FAILED,
                error=(
                    f"The worker stopped in the middle of this run, {times} times. "
                    "It may need more memory than the machine has; see the worker's log."
                ),
                finished_at=Now(),
            )
            if ended:
                _announce_end(run, RunStatus.FAILED)
            failed += ended
    return failed
