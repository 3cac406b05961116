"""A worker that scores a test set and dies, or is told to stop: nothing is lost, counted twice or left behind."""

import os
import random
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Document, Reference, Segment, System, TestSet, Translation
from jobs.actions import cancel_run, queue_run
from jobs.models import Run, RunStatus
from metrics.models import SystemCounts
from metrics.results.codec import to_json
from metrics.scoring import score_test_set
from tests.jobs.celery_workers import wait_for_status, working
from tests.metrics.scoring.stored_counts import counted_texts, how_many_counted
from tests.processes import is_alive, wait_for

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

SEGMENTS, SYSTEMS, WORDS = 150, ("Heron", "Rook", "Wren"), 100
ARGUMENTS: dict[str, Any] = {"metrics": ["mms", "unigram_f"], "resamples": 20}  # without a kernel
ALL = 2 * len(SYSTEMS) * SEGMENTS


@pytest.fixture
def long_test_set(db: None) -> TestSet:
    rng = random.Random(4)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(300)]
    texts = [rng.choices(words, k=WORDS) for _ in range(SEGMENTS)]
    test_set = TestSet.objects.create(name="Long", slug="long", source_language="en", target_language="de")
    document = Document.objects.create(test_set=test_set, name="all", position=1)
    rows = [Segment(document=document, name=str(at), position=at, source="") for at in range(SEGMENTS)]
    segments = Segment.objects.bulk_create(rows)
    Reference.objects.bulk_create(
        Reference(segment=segment, text=" ".join(text)) for segment, text in zip(segments, texts, strict=True)
    )
    for name in SYSTEMS:
        system = System.objects.create(test_set=test_set, name=name)
        Translation.objects.bulk_create(
            Translation(segment=segment, system=system, text=" ".join(rng.sample(text, k=WORDS)))
            for segment, text in zip(segments, texts, strict=True)
        )
    return test_set


def counted_in_the_middle(run: Run) -> int:
    """How much is stored once it is something and not all."""

    def looked() -> int:
        run.refresh_from_db()
        return how_many_counted()

    count = wait_for(looked, what=f"run {run.pk} to count, which is {run.status}: {run.error}")
    assert count < ALL
    return count


def descendants(process: int) -> list[int]:
    table = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in (line.split() for line in table.splitlines())}
    processes = [process]
    for each in processes:
        processes += [pid for pid, parent in parents.items() if parent == each]
    return processes[1:]


def test_a_worker_killed_in_the_middle_is_followed_by_one_that_ends_with_the_same_numbers(
    long_test_set: TestSet, tmp_path: Path
) -> None:
    run = queue_run(kind="metric_scores", test_set=long_test_set, arguments=ARGUMENTS)
    two = {"ASSAY_METRIC_PROCESSES": "2"}
    with working(tmp_path / "first.log", **two) as worker:
        before = counted_in_the_middle(run)
        below = descendants(worker.pid)
        os.killpg(worker.pid, signal.SIGKILL)
        wait_for(lambda: not any(map(is_alive, below)), what="everything the worker started to leave")
    assert len(below) >= 3, "a process that performs, and two that count"
    assert 0 < before <= how_many_counted() < ALL
    stored = counted_texts()
    with working(tmp_path / "second.log", pool="solo", **two):
        wait_for_status(run, RunStatus.DONE)
    assert run.attempts == 2
    assert how_many_counted() == ALL
    assert stored <= counted_texts()
    SystemCounts.objects.all().delete()
    assert run.result == to_json(score_test_set(long_test_set, **ARGUMENTS))


def test_a_cancelled_run_ends_and_keeps_what_it_counted(long_test_set: TestSet, tmp_path: Path) -> None:
    run = queue_run(kind="metric_scores", test_set=long_test_set, arguments=ARGUMENTS)
    with working(tmp_path / "worker.log", pool="solo", ASSAY_METRIC_PROCESSES="2") as worker:
        counted_in_the_middle(run)
        below = descendants(worker.pid)
        cancel_run(run=run)
        wait_for(lambda: not any(map(is_alive, below)), what="the counting processes to leave")
        assert len(below) == 2
        assert run.status == RunStatus.CANCELLED
        assert 0 < how_many_counted() < ALL
        following = queue_run(kind="metric_scores", test_set=long_test_set, arguments={"metrics": ["wer"]})
        wait_for_status(following, RunStatus.DONE)
    run.refresh_from_db()
    assert (run.status, run.result) == (RunStatus.CANCELLED, None)
