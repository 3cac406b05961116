"""Processes of the product, started as people start them, and the diary of the slow kind of run they perform."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parent.parent
PATIENCE = 180.0  # what counts is niced, and four parts of the suite share the processors
PORTS = range(20_000, 32_000)
T = TypeVar("T")
_claims: list[socket.socket] = []

# Short times, so that a test need not wait half a minute for a heartbeat to become old.
FAST_RUNS = {
    "DJANGO_SETTINGS_MODULE": "tests.jobs.slow_kind.settings",
    "ASSAY_RUN_HEARTBEAT_SECONDS": "1",
    "ASSAY_RUN_STALE_SECONDS": "3",
    "ASSAY_RUN_POLL_MILLISECONDS": "200",
}


def embedded_environment(data: Path) -> dict[str, str]:
    """As on a fresh machine: no servers, everything in one folder."""
    variables = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return variables | FAST_RUNS | {"ASSAY_DATA_DIR": str(data)}


def wait_for(look: Callable[[], T | None], *, what: str, seconds: float = PATIENCE) -> T:
    """The first thing that `look` sees; a timeout names what was waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seen = look()
        if seen:
            return seen
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:g} s in vain for {what}")


def is_healthy(site: str) -> bool:
    """Whether the site at an address says that it can do its work."""
    try:
        with urllib.request.urlopen(f"{site}/health/", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def free_port() -> int:
    """A port that is nobody's, below those that outgoing connections get.

    Several processes of tests look for ports at once, and a server may begin to listen seconds later. Whoever has the
    port claims it by a socket of another kind, which ends with the process.
    """
    for port in secrets.SystemRandom().sample(PORTS, 100):
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with socket.socket() as probe:
            try:
                claim.bind(("127.0.0.1", port))
                probe.bind(("127.0.0.1", port))
            except OSError:
                claim.close()
                continue
        _claims.append(claim)
        return port
    raise AssertionError(f"a hundred ports from {PORTS.start} to {PORTS.stop} are all taken")


def is_alive(process: int) -> bool:
    """Zombies are dead: in a container nobody may collect what lost its parent."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


@contextmanager
def started(command: list[str], *, environment: Mapping[str, str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in a group of its own, all of which is gone afterwards."""
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=environment, stdout=stream, stderr=stream, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def serving(data: Path, *options: str, port: int, **variables: str) -> Iterator["subprocess.Popen[bytes]"]:
    """`serve`, once it answers."""
    log = data.parent / "serve.log"
    earlier = log.stat().st_size if log.exists() else 0
    command = ["manage.py", "serve", "--port", str(port), "--data", str(data), "--no-demo", *options]
    with started(command, environment=embedded_environment(data) | variables, log=log) as process:

        def is_ready() -> bool:
            if process.poll() is not None:
                raise AssertionError(f"serve ended:\n{log.read_text()}")
            return b"Ready at" in log.read_bytes()[earlier:]

        wait_for(is_ready, what=f"serve to be ready; it said: {log.read_text()}")
        yield process


def run_python(code: str, *, environment: Mapping[str, str]) -> str:
    """What a few lines print in a Django process of their own."""
    prepared = f"import django; django.setup()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", prepared], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def run_commands(*commands: Sequence[str], environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """One after the other in one process, which takes longer to begin than most of them."""
    code = "import json, sys, django; from django.core.management import call_command; django.setup()\n"
    code += "for words in json.loads(sys.argv[1]): call_command(*words)"
    return subprocess.run(
        [sys.executable, "-c", code, json.dumps(commands)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def read_diary(path: Path, *, run: int | None = None) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [entry for entry in entries if run is None or entry["run"] == run]
