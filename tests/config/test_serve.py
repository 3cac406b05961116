"""`serve` as a process: what it starts, it watches, and what it leaves, it leaves clean."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.config.embedded_runs import EmbeddedRuns
from tests.empty_databases import put_on_sqlite
from tests.processes import PATIENCE, ROOT, embedded_environment, free_port, is_alive, serving, wait_for

pytestmark = pytest.mark.servers


def answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


@dataclass(frozen=True)
class Served:
    runs: EmbeddedRuns
    process: int
    port: int


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One `serve` for those who do it no harm, begun in an empty folder."""
    home = tmp_path_factory.mktemp("served")
    port = free_port()
    with serving(home / "data", port=port) as server:
        yield Served(EmbeddedRuns(data=home / "data", diary=home / "diary.jsonl"), server.pid, port)


def test_commands_print_the_address_at_which_the_site_is_served(served: Served) -> None:
    command = [sys.executable, "manage.py", "create_account", "olive", "--organiser"]
    environment = embedded_environment(served.runs.data)
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert f"Sign in as olive at http://127.0.0.1:{served.port}/sign-in/." in done.stdout


def test_a_run_queued_while_serving_is_performed_by_the_child(served: Served) -> None:
    runs = served.runs
    run = runs.queue(steps=2, pause=0.01, systems=["Heron", "Rook"])
    row = runs.wait_for_status(run, "done")
    assert row["result"]["arguments"]["systems"] == ["Heron", "Rook"]
    assert (row["signature"], row["progress"]) == ("counted", 1.0)
    assert runs.wait_for_step(run, 2)["process"] != served.process


def test_a_cancelled_run_stops_and_the_next_one_is_performed(served: Served) -> None:
    runs = served.runs
    long = runs.queue(steps=600, pause=0.01, held_at=2)
    runs.wait_for_step(long, 2)
    short = runs.queue(steps=1, pause=0.01)
    runs.cancel(long)
    runs.wait_for_status(short, "done")
    assert runs.look(long)["status"] == "cancelled"
    assert (runs.ends(long), runs.ends(short)) == (0, 1)


def test_progress_can_be_read_while_a_run_goes_on(served: Served) -> None:
    runs = served.runs
    run = runs.queue(steps=60, pause=0.01, held_at=30)
    row = wait_for(lambda: row if (row := runs.look(run))["progress"] > 0 else None, what="progress in the row")
    assert (row["status"], row["progress_note"].startswith("step ")) == ("running", True)
    runs.cancel(run)


def a_run_whose_worker_is_killed_finishes_once_with_all_its_arguments(runs: EmbeddedRuns) -> None:
    run = runs.queue(steps=20, pause=0.01, held_at=5, systems=["Heron", "Rook"], seed=7)
    os.kill(runs.wait_for_step(run, 5)["process"], signal.SIGKILL)
    runs.let_go()
    row = runs.wait_for_status(run, "done")
    assert (row["attempts"], runs.ends(run)) == (2, 1)
    assert row["arguments"] == row["result"]["arguments"]
    assert (row["arguments"]["systems"], row["arguments"]["seed"]) == (["Heron", "Rook"], 7)


def finishes(runs: EmbeddedRuns, run: int, *, attempts: int) -> None:
    runs.let_go()
    row = runs.wait_for_status(run, "done")
    assert (row["attempts"], runs.ends(run)) == (attempts, 1)


def test_runs_survive_the_killing_of_their_worker_of_serve_and_of_everything_at_once(tmp_path: Path) -> None:
    """On the same data, for each start takes three seconds: what was killed is finished after the next one."""
    put_on_sqlite(tmp_path / "data")
    first, second, third = (EmbeddedRuns(data=tmp_path / "data", diary=tmp_path / f"{n}.jsonl") for n in range(3))
    port = free_port()
    with serving(first.data, port=port) as server:
        a_run_whose_worker_is_killed_finishes_once_with_all_its_arguments(first)
        run = second.queue(steps=20, pause=0.01, held_at=5)
        worker = second.wait_for_step(run, 5)["process"]
        server.kill()
        wait_for(lambda: not is_alive(worker), what="the worker to follow its parent")
        wait_for(lambda: not answers(port), what="the web processes to follow their parent")
    assert second.look(run)["status"] == "queued"
    with serving(first.data, port=port) as server:
        finishes(second, run, attempts=1)
        run = third.queue(steps=20, pause=0.01, held_at=5)
        os.kill(third.wait_for_step(run, 5)["process"], signal.SIGKILL)
        server.kill()
        wait_for(lambda: not answers(port), what="the web processes to follow their parent")
    assert third.look(run)["status"] == "running"  # nobody could put it back
    with serving(first.data, port=port):
        finishes(third, run, attempts=2)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_everything_and_puts_the_run_back(runs: EmbeddedRuns, ending: signal.Signals) -> None:
    port = free_port()
    with serving(runs.data, port=port) as server:
        assert answers(port)
        run = runs.queue(steps=20, pause=0.01, held_at=2)
        worker = runs.wait_for_step(run, 2)["process"]
        server.send_signal(ending)
        assert server.wait(PATIENCE) == 0
        assert not is_alive(worker)
        assert not answers(port)
    assert runs.look(run)["status"] == "queued"


def test_two_workers_never_perform_the_same_run_at_once(served: Served) -> None:
    runs = served.runs
    with serving(runs.data, port=free_port()):
        queued = runs.queue_several(6, steps=2, pause=0.05)
        for run in queued:
            runs.wait_for_status(run, "done")
        assert [runs.ends(run) for run in queued] == [1] * 6
        assert [runs.look(run)["attempts"] for run in queued] == [1] * 6


def test_without_a_worker_runs_wait(runs: EmbeddedRuns) -> None:
    with serving(runs.data, "--no-worker", port=free_port()):
        run = runs.queue(steps=1, pause=0)
        with pytest.raises(AssertionError, match="in vain"):
            wait_for(lambda: runs.look(run)["status"] != "queued", what="the run to begin", seconds=2)


def refusal(data: Path, port: int, **variables: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(port), "--data", str(data)],
        cwd=ROOT,
        env=embedded_environment(data) | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.splitlines()


def test_a_taken_port_is_reported_in_one_line_before_anything_is_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        [line] = refusal(data, port)
    assert line == (
        f"CommandError: Port {port} of 127.0.0.1 is not available (Address already in use). Choose another: --port N."
    )
    assert not (data / "assay.sqlite3").exists()


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.touch()
    [line] = refusal(file / "data", free_port())
    assert "cannot be stored in" in line
    [line] = refusal(file / "data", free_port(), ASSAY_SECRET_KEY="not kept")
    assert line.endswith("cannot be written to (Not a directory). Use --data DIR.")


def test_a_database_that_is_away_is_reported_in_one_line(tmp_path: Path) -> None:
    [line] = refusal(tmp_path / "data", free_port(), DATABASE_URL=f"postgres://assay:x@127.0.0.1:{free_port()}/assay")
    assert "Connection refused" in line
