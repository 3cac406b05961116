from collections.abc import Callable
from typing import Any

from django.db import OperationalError

import pytest

from jobs.actions import cancel_run, perform_now, perform_run
from jobs.heartbeat import Heartbeat
from jobs.models import Run, RunStatus
from jobs.run_kinds import OnProgress, RunFailed
from jobs.worker import perform
from tests.jobs.conftest import Rehearsal


def raising(error: BaseException) -> Callable[[Run, OnProgress], dict[str, Any]]:
    def act(run: Run, on_progress: OnProgress) -> dict[str, Any]:
        raise error

    return act


def test_a_performed_run_keeps_result_and_signature(claimed: Run, rehearsal: Rehearsal) -> None:
    run = perform_run(claimed)
    assert (run.status, run.result, run.signature) == (RunStatus.DONE, {"signature": "rehearsed"}, "rehearsed")
    assert (run.progress, run.finished_at is not None) == (1, True)
    assert rehearsal.performed == [{"systems": ["Heron", "Rook"], "seed": 7}]


def test_a_run_that_cannot_succeed_keeps_the_sentence_it_gave(claimed: Run, rehearsal: Rehearsal) -> None:
    rehearsal.act = raising(RunFailed("Nobody has judged anything yet."))
    run = perform_run(claimed)
    assert (run.status, run.error, run.result) == (RunStatus.FAILED, "Nobody has judged anything yet.", None)


def test_an_unforeseen_error_becomes_a_sentence_and_its_traceback_goes_to_the_log(
    claimed: Run, rehearsal: Rehearsal, caplog: pytest.LogCaptureFixture
) -> None:
    rehearsal.act = raising(ZeroDivisionError("division by zero"))
    run = perform_run(claimed)
    assert run.status == RunStatus.FAILED
    assert run.error == f"Something went wrong inside Assay (ZeroDivisionError); the log names run {run.pk}."
    assert "Traceback" in caplog.text
    assert "division by zero" in caplog.text


def test_a_run_that_lost_its_database_is_left_for_another_attempt(claimed: Run, rehearsal: Rehearsal) -> None:
    rehearsal.act = raising(OperationalError("server closed the connection"))
    assert perform_run(claimed).status == RunStatus.RUNNING


def test_a_run_taken_over_meanwhile_is_not_overwritten(claimed: Run, rehearsal: Rehearsal) -> None:
    def lose(run: Run, on_progress: OnProgress) -> dict[str, Any]:
        Run.objects.filter(pk=run.pk).update(claim="8d1f8e0c-58a4-4d0c-9f0e-0a9a9d3b7f10", attempts=2)
        return {"signature": "too late"}

    rehearsal.act = lose
    run = perform_run(claimed)
    assert (run.status, run.result, run.signature) == (RunStatus.RUNNING, None, "")


def test_a_run_cancelled_meanwhile_stays_cancelled(claimed: Run, rehearsal: Rehearsal) -> None:
    def be_cancelled(run: Run, on_progress: OnProgress) -> dict[str, Any]:
        cancel_run(run=Run.objects.get(pk=run.pk))
        return {}

    rehearsal.act = be_cancelled
    assert perform_run(claimed).status == RunStatus.CANCELLED


def test_work_ends_at_its_next_progress_once_the_run_is_cancelled(claimed: Run, rehearsal: Rehearsal) -> None:
    reached: list[float] = []

    def be_cancelled(run: Run, on_progress: OnProgress) -> dict[str, Any]:
        cancel_run(run=Run.objects.get(pk=run.pk))
        on_progress.__self__._suspected.set()  # type: ignore[attr-defined] # as the thread does after its look
        on_progress(0.5, "half")
        reached.append(0.5)
        return {}

    rehearsal.act = be_cancelled
    assert perform_run(claimed).status == RunStatus.CANCELLED
    assert reached == []


def test_a_false_suspicion_is_dropped(claimed: Run) -> None:
    heartbeat = Heartbeat(claimed)
    heartbeat._suspected.set()
    heartbeat.on_progress(0.5)
    assert not heartbeat._suspected.is_set()


def test_the_task_performs_a_run_once_however_often_it_is_sent(queued: Run, rehearsal: Rehearsal) -> None:
    perform(queued.pk)
    perform(queued.pk)
    queued.refresh_from_db()
    assert (len(rehearsal.performed), queued.attempts, queued.status) == (1, 1, RunStatus.DONE)


def test_a_run_in_the_foreground_is_performed_at_once_and_watched(rehearsal: Rehearsal, db: None) -> None:
    seen: list[tuple[float, str]] = []

    def act(run: Run, on_progress: OnProgress) -> dict[str, Any]:
        on_progress(0.5, "half way")
        return {"signature": "s"}

    rehearsal.act = act
    run = perform_now(kind="rehearsal", arguments={}, watch=lambda share, note: seen.append((share, note)))
    assert (run.status, run.attempts, seen) == (RunStatus.DONE, 1, [(0.5, "half way")])


def test_a_run_interrupted_in_the_foreground_is_cancelled(rehearsal: Rehearsal, db: None) -> None:
    rehearsal.act = raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        perform_now(kind="rehearsal", arguments={})
    assert Run.objects.get().status == RunStatus.CANCELLED
