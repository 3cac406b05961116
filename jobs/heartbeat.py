"""The sign of life of a run: a thread with a connection of its own, so that long arithmetic need not think of it."""

import logging
import threading
import time
from typing import Self

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.db.models.functions import Now

from jobs.models import Run, RunStatus

logger = logging.getLogger(__name__)

NOTE_LIMIT = 200
PROGRESS_SECONDS = 1.0


class RunEnded(Exception):
    """The run was cancelled, or another worker took it over, so the result is not needed."""


class Heartbeat:
    """While entered, keeps the run's heartbeat and progress fresh; `on_progress` is what the work calls.

    The thread only suspects: it may look from outside of a transaction. `on_progress` asks the row itself.
    """

    beating: "set[Heartbeat]" = set()

    def __init__(self, run: Run) -> None:
        self.run = run
        self._share, self._note = 0.0, ""
        self._suspected = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat of run {run.pk}", daemon=True)

    def __enter__(self) -> Self:
        # Inside somebody's transaction nobody else sees the row, so nobody looks for its heartbeat.
        if not connection.in_atomic_block:
            self.beating.add(self)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()
            self.beating.discard(self)

    def on_progress(self, share: float, note: str = "", /) -> None:
        self._share, self._note = min(max(float(share), 0.0), 1.0), note[:NOTE_LIMIT]
        if self._suspected.is_set():
            if not own_row(self.run).exists():
                raise RunEnded
            self._suspected.clear()

    def _beat(self) -> None:
        written: tuple[float, str] | None = None
        due = time.monotonic() + settings.RUN_HEARTBEAT_SECONDS
        try:
            while not self._stopped.wait(min(PROGRESS_SECONDS, settings.RUN_HEARTBEAT_SECONDS)):
                now = (self._share, self._note)
                if now != written or time.monotonic() >= due:
                    self._write(*now)
                    written, due = now, time.monotonic() + settings.RUN_HEARTBEAT_SECONDS
        finally:
            connection.close()

    def _write(self, share: float, note: str) -> None:
        try:
            if not own_row(self.run).update(heartbeat_at=Now(), progress=share, progress_note=note):
                self._suspected.set()
        except DatabaseError as error:
            logger.warning("The heartbeat of run %s could not be written: %s", self.run.pk, error)
            connection.close()


def own_row(run: Run) -> QuerySet[Run]:
    """The run's row while this worker may write it."""
    return Run.objects.filter(pk=run.pk, claim=run.claim, status=RunStatus.RUNNING)
