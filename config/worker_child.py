"""A child process with a worker: started, watched, restarted, and always ended with its parent."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

from django.conf import settings

logger = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
HEALTHY_SECONDS = 60.0
LEAVING_SECONDS = 5.0
LOOK_SECONDS = 5.0  # how often it is noticed that a worker is wanted now
# `serve` has just made Django's checks; for a second time the worker would load every page first, which takes seconds.
NO_SECOND_CHECKS = {"CELERY_SKIP_CHECKS": "yes"}


class WorkerChild:
    """The child lives as long as this process leaves its standard input open (see the command `embedded_worker`).

    It performs runs of `queues`. It is started as soon as `is_wanted`; without that function at once.
    """

    def __init__(self, queues: Sequence[str], is_wanted: Callable[[], bool] | None = None) -> None:
        self._queues, self._is_wanted = queues, is_wanted
        self._process: subprocess.Popen[bytes] | None = None
        self._leaving = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="watcher of the worker", daemon=True)

    def start(self) -> None:
        if self._is_wanted is None or self._is_wanted():
            self._process = self._started()
        self._watcher.start()

    def stop(self) -> None:
        """The child puts its run back and leaves; one that does not is killed."""
        self._leaving.set()
        self.let_go()
        self._watcher.join(LEAVING_SECONDS)
        if self._watcher.is_alive() and self._process is not None:
            self._process.kill()
            self._watcher.join(LEAVING_SECONDS)

    def let_go(self) -> None:
        """Closes this process's end of the pipe; a forked copy must, or the child outlives its parent."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def _watch(self) -> None:
        while self._process is None:
            if self._leaving.wait(LOOK_SECONDS):
                return
            if self._is_wanted is None or self._is_wanted():
                self._process = self._started()
        self._keep_running(self._process)

    def _keep_running(self, process: "subprocess.Popen[bytes]") -> None:
        began, pause = time.monotonic(), FIRST_PAUSE
        while True:
            if self._leaving.is_set():  # `stop` was called while it started
                self.let_go()
            process.wait()
            if self._leaving.is_set():
                return
            self.let_go()
            pause = FIRST_PAUSE if time.monotonic() - began > HEALTHY_SECONDS else min(2 * pause, LONGEST_PAUSE)
            logger.warning("The worker of background runs stopped; it starts again in %g s.", pause)
            if self._leaving.wait(pause):
                return
            began = time.monotonic()
            process = self._process = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "embedded_worker"]
        return subprocess.Popen(
            [*command, "--queues", ",".join(self._queues)],
            stdin=subprocess.PIPE,
            env={**os.environ, "ASSAY_DATA_DIR": str(settings.DATA_DIR), **NO_SECOND_CHECKS},
            start_new_session=True,  # Ctrl-C is the parent's to hear
        )
