"""The tasks of a Celery worker: the run of a message, waiting or abandoned runs, and errands beside them."""

import logging
import threading
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils.module_loading import import_string

from celery import bootsteps, shared_task
from celery.worker import state

from jobs.actions import claim_run, fail_exhausted_runs, perform_run
from jobs.hints import TASK, hint_worker
from jobs.queries import claimable_runs

logger = logging.getLogger(__name__)
A_DAY = 86_400.0


@shared_task(name=TASK)
def perform(run_id: int) -> None:
    """An id in, an action called. Performing twice is harmless: only one can claim."""
    run = claim_run(run_id)
    if run is not None:
        perform_run(run)


class RunPoller(bootsteps.StartStopStep):
    """Sends hints to the worker's own queues for runs nobody works on, while the worker has hands free.

    A hint goes the way of every message, so that each kind of pool performs it as it performs all; nothing is claimed
    here, hence nothing is lost with a hint.
    """

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self._stopped = threading.Event()
        self._hinted: dict[int, float] = {}
        self._daily_at: float | None = None

    def start(self, parent: Any) -> None:
        threading.Thread(target=self._poll, args=[parent], name="poller of runs", daemon=True).start()

    def stop(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
        self._stopped.set()

    def _poll(self, worker: Any) -> None:
        while not self._stopped.wait(settings.RUN_POLL_SECONDS):
            free = worker.concurrency - len(state.reserved_requests)
            try:
                close_old_connections()
                if free > 0:
                    self._hint(queues=list(worker.app.amqp.queues.consume_from), limit=free)
                else:
                    fail_exhausted_runs()  # asks the database, which the sign of life vouches for
                self._give_sign(worker)
                self._work_daily()
            except DatabaseError as error:
                logger.warning("Runs cannot be polled: %s", error)
                connection.close()

    def _give_sign(self, worker: Any) -> None:
        """The database answers; without its broker a worker would get no work and report no error."""
        connection_to_broker = getattr(worker.consumer, "connection", None)
        if settings.WORKER_SIGN and connection_to_broker is not None and connection_to_broker.connected:
            try:
                Path(settings.WORKER_SIGN).touch(mode=0o600)
            except OSError as error:
                logger.warning("The worker's sign of life cannot be given: %s", error)

    def _work_daily(self) -> None:
        """Once a day by the first worker; harmless if several do it."""
        now = time.monotonic()
        if self._daily_at is not None and now - self._daily_at < A_DAY:
            return
        self._daily_at = now
        for name in settings.DAILY_WORK:
            try:
                import_string(name)()
            except DatabaseError:
                raise
            except Exception:
                logger.exception("%s failed; it is tried again tomorrow.", name)

    def _hint(self, *, queues: list[str], limit: int) -> None:
        fail_exhausted_runs()
        now = time.monotonic()
        waiting = dict(
            claimable_runs().filter(queue__in=queues).order_by("created_at", "pk").values_list("pk", "queue")[:limit]
        )
        # A hint under way is not repeated before it may count as lost.
        self._hinted = {
            run_id: at
            for run_id, at in self._hinted.items()
            if run_id in waiting and now - at < settings.RUN_STALE_SECONDS
        }
        for run_id, queue in waiting.items():
            if run_id not in self._hinted:
                self._hinted[run_id] = now
                hint_worker(run_id=run_id, queue=queue)


class Errands(bootsteps.StartStopStep):
    """Short work beside the runs, in a thread of its own: a host that answers slowly holds up no run.

    Several workers may do it at once: each piece of work makes sure itself that nothing is done twice.
    """

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self._stopped = threading.Event()

    def start(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
        threading.Thread(target=self._work, name="errands", daemon=True).start()

    def stop(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
        self._stopped.set()

    def _work(self) -> None:
        due = dict.fromkeys((name for name, _seconds in settings.FREQUENT_WORK), 0.0)
        while not self._stopped.wait(min((seconds for _name, seconds in settings.FREQUENT_WORK), default=60.0)):
            for name, seconds in settings.FREQUENT_WORK:
                if time.monotonic() >= due[name]:
                    self._do(name)
                    due[name] = time.monotonic() + seconds

    def _do(self, name: str) -> None:
        try:
            close_old_connections()
            import_string(name)()
        except DatabaseError as error:
            logger.warning("%s must wait for the database: %s", name, error)
            connection.close()
        except Exception:
            logger.exception("%s failed; it is tried again.", name)
