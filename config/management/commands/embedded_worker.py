"""The Celery worker that `serve` runs next to the web server: one process that performs one run at a time."""

import logging
import os
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from celery import signals
from celery.worker import WorkController

from config.celery import app
from jobs.actions import release_own_runs

logger = logging.getLogger(__name__)


class EmbeddedWorker(WorkController):
    def on_consumer_ready(self, consumer: Any) -> None:  # noqa: ARG002 - Celery's signature
        signals.worker_ready.send(sender=self)


def _leave_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    try:
        release_own_runs()
    except Exception:
        logger.exception("Runs could not be released; another worker takes them over when their heartbeat is old.")
    finally:
        os._exit(0)  # the main thread may be deep in arithmetic; what it computes is not ours any more


class Command(BaseCommand):
    help = "Performs background runs for `serve`, which starts and ends it."
    requires_system_checks = []  # `serve` has just made them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queues", default=",".join(settings.RUN_QUEUES), help="separated by commas; default: all")

    def handle(self, *, queues: str, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        """Works until the pipe on standard input closes, as it does when `serve` ends for any reason."""
        for name in ("celery", "kombu"):
            logging.getLogger(name).setLevel(logging.WARNING)
        threading.Thread(target=_leave_with_parent, name="parent's pipe", daemon=True).start()
        worker = EmbeddedWorker(
            app=app,
            pool="solo",
            concurrency=1,
            queues=queues.split(","),
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()
