"""Workers as docker-compose.yml starts them, on the database of the test that starts them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from config.worker_child import NO_SECOND_CHECKS
from jobs.models import Run, RunStatus
from tests.processes import FAST_RUNS, started, wait_for


@contextmanager
def working(
    log: Path, *, pool: str = "prefork", queues: str = "default,metrics", **variables: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """`variables` are those of its environment."""
    assert connection.vendor == "postgresql", "these tests need the servers that ./assay test starts"
    assert settings.REDIS_URL, "these tests need the servers that ./assay test starts"
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    command = ["-m", "celery", "-A", "config", "worker", "-Q", queues, "-P", pool, "-c", "1"]
    environment = os.environ | FAST_RUNS | NO_SECOND_CHECKS | {"DATABASE_URL": database} | variables
    with started(command, environment=environment, log=log) as worker:
        yield worker


def wait_for_status(run: Run, status: RunStatus) -> Run:
    def reached() -> bool:
        run.refresh_from_db()
        return run.status == status

    wait_for(reached, what=f"run {run.pk} to be {status}, not {run.status}: {run.error}")
    return run
