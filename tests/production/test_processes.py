"""The processes of docker-compose.yml, started by its own commands, do their work together."""

import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg2
import pytest

from tests.processes import free_port, is_healthy, wait_for
from tests.production.compose import ENV_FILE, command_of, our_services
from tests.production.conftest import Production

pytestmark = pytest.mark.servers
BIND = "0.0.0.0:8000"


@contextmanager
def running(name: str, production: Production, log: Path, *, port: int = 0) -> Iterator[None]:
    command = [part.replace(BIND, f"127.0.0.1:{port}") for part in command_of(our_services(ENV_FILE)[name])]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=production.tree,
            env=production.environment,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        yield
        assert process.poll() is None, log.read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


@pytest.fixture(scope="module")
def address(production: Production, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    log = tmp_path_factory.mktemp("web") / "log"
    with running("web", production, log, port=port):
        wait_for(lambda: is_healthy(f"http://127.0.0.1:{port}"), what="the web server to be healthy")
        yield f"http://127.0.0.1:{port}"


def fetch(url: str, **headers: str) -> tuple[str, dict[str, str]]:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read().decode(), dict(response.headers)


def test_pages_are_served_under_the_sites_name_with_files_that_may_be_kept(address: str) -> None:
    page, headers = fetch(f"{address}/sign-in/", Host=ENV_FILE["ASSAY_HOST"])
    assert "Secure" in headers["Set-Cookie"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    sheets = re.findall(r'"(/static/css/assay\.[0-9a-f]{12}\.css)"', page)
    scripts = re.findall(r'"(/static/build/pages\.[0-9a-f]{12}\.js)"', page)
    assert sheets
    assert scripts
    for file in sheets + scripts:
        _text, file_headers = fetch(address + file)
        assert "immutable" in file_headers["Cache-Control"]


def test_another_hosts_name_is_refused(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="400"):
        fetch(f"{address}/sign-in/", Host="elsewhere.example.org")


def test_a_run_queued_in_one_process_is_performed_by_the_worker(
    address: str, production: Production, tmp_path: Path
) -> None:
    (tmp_path / "source.txt").write_text("Guten Morgen.\nGute Nacht.\n", encoding="utf-8")
    for system in ("Heron", "Rook"):
        (tmp_path / f"{system}.txt").write_text(f"{system} says hello.\n{system} says bye.\n", encoding="utf-8")
    files = [f"--source={tmp_path / 'source.txt'}"]
    files += [f"--system={system}={tmp_path / system}.txt" for system in ("Heron", "Rook")]
    names = ["--name=Greetings", "--source-language=de", "--target-language=en", "--format=text"]
    production.manage("import_test_set", *names, *files)
    production.manage("create_campaign", "Hello", "--test-set=Greetings", "--protocol=direct_assessment", "--open")
    run = json.loads(production.manage("analyse", "Hello", "--background", "--json"))["run"]
    with running("worker", production, tmp_path / "log"):
        wait_for(lambda: status_of(run, production) in ("done", "failed"), what=f"run {run} to end")


def status_of(run: int, production: Production) -> str:
    connection = psycopg2.connect(production.environment["DATABASE_URL"])
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT status FROM metrics_run WHERE id = %s AND attempts = 1", [run])
            row = cursor.fetchone()
            return row[0] if row else ""
    finally:
        connection.close()
