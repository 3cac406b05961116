from typing import Any

import pytest
from celery import current_app
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from jobs.actions import cancel_run, queue_run
from jobs.hints import hint_worker
from jobs.models import Run, RunStatus
from jobs.run_kinds import InvalidRun
from tests.cast import Cast
from tests.jobs.conftest import Rehearsal


def test_a_queued_run_stores_its_arguments_and_requester(rehearsal: Rehearsal, cast: Cast) -> None:
    run = queue_run(kind="rehearsal", arguments={"seed": 7}, created_by=cast.researcher)
    run.refresh_from_db()
    assert (run.status, run.arguments, run.created_by, run.queue) == (
        RunStatus.QUEUED,
        {"seed": 7},
        cast.researcher,
        "metrics",
    )


def test_an_unknown_kind_is_refused_with_the_known_ones(db: None) -> None:
    with pytest.raises(InvalidRun, match="analysis"):
        queue_run(kind="guess", arguments={})


def test_arguments_are_checked_by_the_kind_before_anything_is_stored(rehearsal: Rehearsal, db: None) -> None:
    with pytest.raises(InvalidRun, match="nothing wrong"):
        queue_run(kind="rehearsal", arguments={"wrong": 1})
    assert not Run.objects.exists()


def test_with_a_broker_the_hint_is_sent_after_commit_and_carries_the_id_alone(
    rehearsal: Rehearsal,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    db: None,
) -> None:
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(current_app, "send_task", lambda *args, **options: sent.append((args, options)))
    settings.REDIS_URL = "redis://localhost/"
    with django_capture_on_commit_callbacks(execute=True):
        run = queue_run(kind="rehearsal", arguments={"seed": 7})
        assert sent == []
    [((name,), options)] = sent
    assert (name, options["args"], options["queue"]) == ("jobs.perform", [run.pk], "metrics")


def test_without_a_broker_no_hint_is_sent(
    rehearsal: Rehearsal,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    db: None,
) -> None:
    settings.REDIS_URL = ""
    with django_capture_on_commit_callbacks() as callbacks:
        queue_run(kind="rehearsal", arguments={})
    assert callbacks == []


def test_a_broker_that_is_away_does_not_hinder_queueing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(current_app, "send_task", refuse)
    hint_worker(run_id=3, queue="default")
    assert "run 3 waits to be polled" in caplog.text


def test_a_waiting_run_is_cancelled_at_once(queued: Run) -> None:
    run = cancel_run(run=queued)
    assert (run.status, run.finished_at is not None) == (RunStatus.CANCELLED, True)


def test_a_run_that_has_ended_stays_as_it_ended(queued: Run) -> None:
    Run.objects.update(status=RunStatus.DONE)
    assert cancel_run(run=queued).status == RunStatus.DONE
