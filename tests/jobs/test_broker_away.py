"""Whoever asks for a run is answered at once, whatever has become of the broker: the row is the truth."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.empty_databases import put_on_sqlite
from tests.plugins.valkey import ValkeyServer
from tests.processes import embedded_environment, run_python

pytestmark = pytest.mark.servers
# Seconds in which the asking thread slept: what a busy machine costs it, computing and waiting to compute, is not the
# broker's doing. The kernel counts both, in nanoseconds.
ASK = """
import json, time
from pathlib import Path
import config.celery
from jobs.actions import queue_run
from jobs.models import Run
def busy():
    computed, waited = Path("/proc/thread-self/schedstat").read_text().split()[:2]
    return (int(computed) + int(waited)) / 1e9
def ask():
    began, computed = time.monotonic(), busy()
    queue_run(kind="slow", arguments={"steps": 1, "pause": 0, "diary": "-"})
    return time.monotonic() - began - (busy() - computed)
print(json.dumps({"slept": [ask() for _ in range(4)], "runs": Run.objects.filter(status="queued").count()}))
"""


@pytest.mark.parametrize("gone", [signal.SIGSTOP, signal.SIGKILL])
def test_a_run_is_requested_within_a_second(gone: signal.Signals, tmp_path: Path) -> None:
    """Stopped, it accepts connections and says nothing; killed, it refuses them."""
    put_on_sqlite(tmp_path / "data")
    broker = ValkeyServer()
    environment = embedded_environment(tmp_path / "data") | {"REDIS_URL": broker.url()}
    try:
        os.kill(broker.pid, gone)
        status = json.loads(run_python(ASK, environment=environment).splitlines()[-1])
    finally:
        broker.stop()
    assert status["runs"] == 4
    assert max(status["slept"]) < 1, status
