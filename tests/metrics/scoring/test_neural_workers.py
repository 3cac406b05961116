"""A real Celery worker of the queue of neural metrics, on PostgreSQL and Redis' protocol, killed while it scores."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from pytest_django import Settings

from campaigns.models import TestSet
from jobs.actions import queue_run
from jobs.models import RunStatus
from metrics.models import SegmentStatistic
from metrics.scoring.counting import _ASKED_AT_ONCE
from metrics.scoring.neural_states import QUEUE
from tests.jobs.celery_workers import wait_for_status, working
from tests.metrics.scoring.neural_site import COMET, NeuralSite, add_segments
from tests.processes import is_alive, wait_for

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

SEGMENTS = 290  # of one system, the third: a request each for the others, then two and a rest


@pytest.fixture
def site(settings: Settings, tmp_path: Path) -> NeuralSite:
    site = NeuralSite(tmp_path)
    settings.MODELS_DIR, settings.NEURAL_ENVIRONMENT = site.models, site.environment
    site.has_environment()
    site.has_model("small-comet")
    return site


def test_a_worker_that_is_killed_while_it_scores_loses_one_request_and_the_next_one_goes_on(
    site: NeuralSite, test_set: TestSet
) -> None:
    add_segments(test_set, SEGMENTS)
    site.plan(waits=True, only_for=[4])
    folders = {"ASSAY_MODELS_DIR": str(site.models), "ASSAY_NEURAL_ENVIRONMENT": str(site.environment)}
    run = queue_run(kind="metric_scores", test_set=test_set, arguments={"metrics": ["comet"], "resamples": 100})
    assert run.queue == QUEUE

    with working(site.home / "first.log", queues=QUEUE, **folders) as worker:
        wait_for(lambda: len(site.diary) == 4, what="the fourth request")
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    (child,) = {each["pid"] for each in site.diary}
    known = [text for request in site.diary[:3] for text in request["asked"]]
    rows = SegmentStatistic.objects.filter(metric=COMET)
    # of the request that was being answered nothing is stored, of those before it everything, and whole
    assert set(rows.values_list("translation__text", flat=True)) == set(known)
    assert all(len(values) == 3 and values[-1] == 1 for values in rows.values_list("values", flat=True))
    run.refresh_from_db()
    assert (run.status, run.result) == (RunStatus.RUNNING, None)

    site.plan()
    (site.home / "go").touch()
    with working(site.home / "second.log", queues=QUEUE, **folders):
        wait_for_status(run, RunStatus.DONE)
    assert run.attempts == 2
    assert run.result is not None
    assert all(one["score"] is not None for one in run.result["scores"])
    assert rows.count() == 18 + SEGMENTS
    assert {text: times for text, times in Counter(site.scored).items() if text in set(known)} == dict.fromkeys(
        known, 1
    )
    assert len(site.scored) - len(set(site.scored)) == len(site.diary[3]["asked"]) == _ASKED_AT_ONCE
    wait_for(lambda: not is_alive(child), what="the first worker's process to end")
