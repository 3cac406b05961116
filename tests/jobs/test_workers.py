"""Real Celery workers on PostgreSQL and Redis' protocol: every run is performed once, whatever happens to whom."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from jobs.actions import cancel_run, queue_run
from jobs.models import Run, RunStatus
from tests.jobs.celery_workers import wait_for_status, working
from tests.jobs.slow_kind.counting import let_go
from tests.processes import read_diary, wait_for

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _slow_kind(settings: Settings) -> None:
    settings.RUN_KINDS = {**settings.RUN_KINDS, "slow": "tests.jobs.slow_kind.counting.SLOW"}


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    return tmp_path / "diary.jsonl"


def queue(diary: Path, *, steps: int, pause: float, **extra: Any) -> Run:
    return queue_run(kind="slow", arguments={"steps": steps, "pause": pause, "diary": str(diary), **extra})


def wait_for_step(diary: Path, run: Run, step: int, *, attempt: int = 1) -> int:
    """The process that performs the run, once it is that far."""

    def reached() -> int | None:
        entries = read_diary(diary, run=run.pk)
        return next((each["process"] for each in entries if (each["step"], each["attempt"]) == (step, attempt)), None)

    return wait_for(reached, what=f"step {step} of run {run.pk}, attempt {attempt}")


def result_of(run: Run) -> dict[str, Any]:
    return {"signature": "counted", "arguments": run.arguments}


def ends(diary: Path, run: Run) -> int:
    return sum(entry["step"] == "end" for entry in read_diary(diary, run=run.pk))


@pytest.mark.parametrize("pool", ["prefork", "solo"])
def test_a_run_is_performed_from_its_hint_and_from_the_table_alone(diary: Path, tmp_path: Path, pool: str) -> None:
    hinted = queue(diary, steps=1, pause=0.01, systems=["Heron", "Rook"])
    lost = Run.objects.create(kind="slow", arguments=hinted.arguments)  # its message was never sent
    with working(tmp_path / "worker.log", pool=pool):
        assert wait_for_status(hinted, RunStatus.DONE).result == result_of(hinted)
        assert wait_for_status(lost, RunStatus.DONE).attempts == 1
    assert (ends(diary, hinted), ends(diary, lost)) == (1, 1)


def test_a_run_whose_worker_is_killed_is_finished_once_by_the_next_with_all_its_arguments(
    diary: Path, tmp_path: Path
) -> None:
    run = queue(diary, steps=20, pause=0.01, held_at=5, systems=["Heron", "Rook"], seed=7)
    with working(tmp_path / "first.log"):
        performer = wait_for_step(diary, run, 5)
        os.killpg(os.getpgid(performer), signal.SIGKILL)
        let_go(diary)
    with working(tmp_path / "second.log"):
        wait_for_status(run, RunStatus.DONE)
    assert (run.attempts, ends(diary, run)) == (2, 1)
    assert run.result == result_of(run)
    assert (run.arguments["systems"], run.arguments["seed"]) == (["Heron", "Rook"], 7)


def test_a_run_that_always_kills_its_process_fails_with_a_message(diary: Path, tmp_path: Path) -> None:
    run = queue(diary, steps=20, pause=0.01, held_at=2)
    with working(tmp_path / "worker.log", ASSAY_RUN_MAX_ATTEMPTS="2"):
        for attempt in (1, 2):
            os.kill(wait_for_step(diary, run, 2, attempt=attempt), signal.SIGKILL)
        wait_for_status(run, RunStatus.FAILED)
    assert "stopped in the middle of this run, 2 times" in run.error
    assert ends(diary, run) == 0


def test_two_workers_never_perform_the_same_run(diary: Path, tmp_path: Path) -> None:
    with ExitStack() as workers:
        for name in ("first", "second"):
            workers.enter_context(working(tmp_path / f"{name}.log"))
        runs = [queue(diary, steps=2, pause=0.05) for _ in range(12)]
        for run in runs:
            wait_for_status(run, RunStatus.DONE)
    assert [ends(diary, run) for run in runs] == [1] * 12
    assert [run.attempts for run in runs] == [1] * 12
    assert len({entry["process"] for entry in read_diary(diary)}) == 2


def test_a_cancelled_run_stops_and_a_failing_one_says_why(diary: Path, tmp_path: Path) -> None:
    with working(tmp_path / "worker.log"):
        long = queue(diary, steps=600, pause=0.01, held_at=2)
        wait_for_step(diary, long, 2)
        failing = queue(diary, steps=0, pause=0)  # shares cannot be told of no steps
        cancel_run(run=long)
        wait_for_status(failing, RunStatus.FAILED)
        assert "ZeroDivisionError" in failing.error
        long.refresh_from_db()
        assert (long.status, ends(diary, long)) == (RunStatus.CANCELLED, 0)
    assert "Traceback" in (tmp_path / "worker.log").read_text()
