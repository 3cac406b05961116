"""Messages that tell workers of a waiting run. The row is the queue: a lost message costs the time to the next poll."""

import logging
import os
import threading
from queue import Full, Queue

from celery import current_app
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

PATIENCE = 0.3  # seconds to wait for a broker
MOST_HINTS = 1000
TASK = "jobs.perform"


def hint_worker(*, run_id: int, queue: str) -> None:
    """Sent by the calling thread; a missing broker is logged and raises nothing."""
    try:
        current_app.send_task(TASK, args=[run_id], queue=queue, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        logger.warning("The broker cannot be reached (%s); run %s waits to be polled.", error, run_id)


class _Hints:
    """A thread that talks to the broker, so that queueing a run never waits for a missing or silent one."""

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


hints = _Hints()
