from datetime import timedelta
from threading import Barrier, Thread

from django.db import connection
from django.utils import timezone

import pytest
from pytest_django import Settings

from jobs.actions import claim_run, fail_exhausted_runs, release_run
from jobs.models import Run, RunStatus
from jobs.queries import claimable_runs


def abandon(run: Run, *, attempts: int = 1) -> None:
    long_ago = timezone.now() - timedelta(minutes=10)
    Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING, heartbeat_at=long_ago, attempts=attempts)


def test_a_claimed_run_is_running_and_counted(queued: Run) -> None:
    run = claim_run(queued.pk)
    assert run is not None
    assert (run.status, run.attempts) == (RunStatus.RUNNING, 1)
    assert None not in (run.claim, run.heartbeat_at, run.started_at)


def test_a_claimed_run_cannot_be_claimed_again(claimed: Run) -> None:
    assert claim_run(claimed.pk) is None


@pytest.mark.parametrize("status", [RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_run_that_has_ended_cannot_be_claimed(queued: Run, status: RunStatus) -> None:
    Run.objects.update(status=status)
    assert claim_run(queued.pk) is None


def test_a_run_that_is_gone_cannot_be_claimed(db: None) -> None:
    assert claim_run(404) is None


def test_a_run_with_an_old_heartbeat_is_taken_over_with_its_arguments(claimed: Run) -> None:
    abandon(claimed)
    taken = claim_run(claimed.pk)
    assert taken is not None
    assert (taken.attempts, taken.arguments, taken.started_at) == (2, claimed.arguments, claimed.started_at)
    assert taken.claim != claimed.claim


def test_a_run_whose_worker_died_before_the_clock_was_set_back_is_taken_over_at_once(claimed: Run) -> None:
    Run.objects.filter(pk=claimed.pk).update(heartbeat_at=timezone.now() + timedelta(days=2))
    taken = claim_run(claimed.pk)
    assert taken is not None
    assert taken.attempts == 2


def test_a_clock_that_is_a_little_ahead_takes_no_run_from_anybody(claimed: Run, settings: Settings) -> None:
    ahead = timedelta(seconds=settings.RUN_STALE_SECONDS / 2)
    Run.objects.filter(pk=claimed.pk).update(heartbeat_at=timezone.now() + ahead)
    assert claim_run(claimed.pk) is None


def test_a_run_tried_as_often_as_may_be_is_not_taken_over(claimed: Run, settings: Settings) -> None:
    abandon(claimed, attempts=settings.RUN_MAX_ATTEMPTS)
    assert claim_run(claimed.pk) is None
    assert not claimable_runs().exists()


def test_a_run_tried_as_often_as_may_be_fails_with_a_sentence(claimed: Run, settings: Settings) -> None:
    abandon(claimed, attempts=settings.RUN_MAX_ATTEMPTS)
    assert fail_exhausted_runs() == 1
    claimed.refresh_from_db()
    assert (claimed.status, claimed.finished_at is not None) == (RunStatus.FAILED, True)
    assert "stopped in the middle of this run, 3 times" in claimed.error


def test_a_living_run_is_never_abandoned(claimed: Run, settings: Settings) -> None:
    Run.objects.update(attempts=settings.RUN_MAX_ATTEMPTS)
    assert fail_exhausted_runs() == 0


def test_a_released_run_waits_again_as_if_untried(claimed: Run) -> None:
    assert release_run(claimed)
    claimed.refresh_from_db()
    assert (claimed.status, claimed.attempts, claimed.claim) == (RunStatus.QUEUED, 0, None)


def test_a_run_another_worker_took_over_is_not_released(claimed: Run) -> None:
    abandon(claimed)
    claim_run(claimed.pk)
    assert not release_run(claimed)


@pytest.mark.django_db(transaction=True)
def test_of_workers_claiming_at_once_one_wins(queued: Run) -> None:
    together = Barrier(4)
    won: list[Run] = []

    def claim() -> None:
        together.wait()
        try:
            run = claim_run(queued.pk)
            if run is not None:
                won.append(run)
        finally:
            connection.close()

    threads = [Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    queued.refresh_from_db()
    assert (len(won), queued.attempts) == (1, 1)
