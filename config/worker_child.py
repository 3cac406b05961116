"""The child process with the worker: started, watched, restarted, and always ended with its parent."""

import logging
import os
import subprocess
import sys
import threading
import time

from django.conf import settings

logger = logging.getLogger(__name__)

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
HEALTHY_SECONDS = 60.0
LEAVING_SECONDS = 5.0


class WorkerChild:
    """The child lives as long as this process leaves its standard input open (see the command `embedded_worker`)."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._leaving = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="watcher of the worker", daemon=True)

    def start(self) -> None:
        self._process = _start_process()
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
        began, pause = time.monotonic(), FIRST_PAUSE
        while self._process is not None:
            self._process.wait()
            if self._leaving.is_set():
                return
            self.let_go()
            pause = FIRST_PAUSE if time.monotonic() - began > HEALTHY_SECONDS else min(2 * pause, LONGEST_PAUSE)
            logger.warning("The worker of background runs stopped; it starts again in %g s.", pause)
            if self._leaving.wait(pause):
                return
            began, self._process = time.monotonic(), _start_process()
            if self._leaving.is_set():  # `stop` was called while it started
                self.let_go()


def _start_process() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "embedded_worker"],
        stdin=subprocess.PIPE,
        env={**os.environ, "ASSAY_DATA_DIR": str(settings.DATA_DIR)},
        start_new_session=True,  # Ctrl-C is the parent's to hear
    )
