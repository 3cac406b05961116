"""Runs on their way in and out of the queue; the row is the queue, a message only a hint."""

import logging
import os
import threading
from collections.abc import Mapping
from queue import Full, Queue
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from celery import current_app
from kombu.exceptions import OperationalError

from campaigns.models import Account, Campaign, TestSet
from metrics.kinds import KINDS, InvalidRun
from metrics.models import Run, RunStatus

logger = logging.getLogger(__name__)

PATIENCE = 0.3  # seconds that a broker may take before nobody waits for it
MOST_HINTS = 1000


def new_run(
    *,
    kind: str,
    campaign: Campaign | None = None,
    test_set: TestSet | None = None,
    arguments: Mapping[str, Any],
    created_by: Account | None = None,
) -> Run:
    """A checked run that is not stored yet."""
    known = KINDS.get(kind)
    if known is None:
        raise InvalidRun(f"There is no run of kind {kind!r}; choose one of {', '.join(sorted(KINDS))}.")
    if known.needs_campaign and campaign is None:
        raise InvalidRun(f"A run of kind {kind!r} needs a campaign.")
    if known.needs_test_set and test_set is None:
        raise InvalidRun(f"A run of kind {kind!r} needs a test set.")
    checked = known.check(arguments)
    if known.check_for is not None:
        known.check_for(checked, campaign, test_set)
    return Run(
        kind=kind,
        campaign=campaign,
        test_set=test_set,
        arguments=checked,
        queue=known.queue,
        created_by=created_by,
    )


def queue_run(
    *,
    kind: str,
    campaign: Campaign | None = None,
    test_set: TestSet | None = None,
    arguments: Mapping[str, Any],
    created_by: Account | None = None,
    is_automatic: bool = False,
) -> Run:
    run = new_run(kind=kind, campaign=campaign, test_set=test_set, arguments=arguments, created_by=created_by)
    run.is_automatic = is_automatic
    run.save(force_insert=True)
    if settings.REDIS_URL:
        transaction.on_commit(lambda: _hints.send(run_id=run.pk, queue=run.queue))
    return run


def hint_worker(*, run_id: int, queue: str) -> None:
    """Tells the workers that a run waits. A hint that gets lost costs no more than the time to the next poll."""
    try:
        current_app.send_task("metrics.perform", args=[run_id], queue=queue, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        logger.warning("The broker cannot be reached (%s); run %s waits to be polled.", error, run_id)


class _Hints:
    """A thread that talks to the broker, so that nobody who asks for a run waits for one that is away or silent."""

    def __init__(self) -> None:
        self._process = 0
        self._waiting: Queue[tuple[int, str, threading.Event]] = Queue()

    def send(self, *, run_id: int, queue: str) -> None:
        if self._process != os.getpid():  # a fork has no threads
            self._process, self._waiting = os.getpid(), Queue(MOST_HINTS)
            threading.Thread(target=self._work, args=[self._waiting], name="hints to workers", daemon=True).start()
        is_held_up, sent = not self._waiting.empty(), threading.Event()
        try:
            self._waiting.put_nowait((run_id, queue, sent))
        except Full:
            return
        if not is_held_up:
            sent.wait(PATIENCE)  # a command that ends at once would take the thread along

    def _work(self, waiting: "Queue[tuple[int, str, threading.Event]]") -> None:
        while True:
            run_id, queue, sent = waiting.get()
            try:
                hint_worker(run_id=run_id, queue=queue)
            except Exception:
                logger.exception("Run %s waits to be polled", run_id)
            sent.set()


_hints = _Hints()


def cancel_run(*, run: Run) -> Run:
    """Ends a run that has not ended yet; who works on it notices, and writes nothing more."""
    Run.objects.filter(pk=run.pk, status__in=[RunStatus.QUEUED, RunStatus.RUNNING]).update(
        status=RunStatus.CANCELLED, finished_at=timezone.now()
    )
    run.refresh_from_db()
    return run
