"""Counting in processes of their own: the same counts, nothing lost with one that dies, nobody left behind."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

from django.conf import settings

import numpy as np
import pytest

from metrics.automatic import METRICS
from metrics.automatic.base import FloatArray, Metric
from metrics.automatic.bleu import Bleu
from metrics.automatic.wer import Wer
from metrics.scoring import counters as module
from metrics.scoring.counters import Chunk, Counters, CountingError, usual_processes
from tests.metrics.automatic.mixed_scripts import mixed_pairs
from tests.metrics.scoring.failing_metric import Failing
from tests.processes import is_alive, wait_for

HYPOTHESES, REFERENCES = mixed_pairs(120, seed=8, references=2)


def chunks(size: int = 20) -> list[Chunk]:
    return [
        Chunk(0, range(at, at + size), HYPOTHESES[at : at + size], REFERENCES[at : at + size])
        for at in range(0, len(HYPOTHESES), size)
    ]


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counters]:
    monkeypatch.setattr(module, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(module, "WORTH_A_PROCESS_BY_KERNEL", 0)
    with Counters(2) as two:
        yield two


def whole(counters: Counters, metric: Metric) -> FloatArray:
    result = sorted(counters.counted(metric, chunks()), key=lambda pair: pair[0].places[0])
    return np.concatenate([rows for _chunk, rows in result])


def test_processes_count_what_this_one_does(counters: Counters) -> None:
    for name in ("ter", "chrf++", "meteor"):
        metric = METRICS[name]()
        np.testing.assert_array_equal(whole(counters, metric), metric.counted(HYPOTHESES, REFERENCES))
    assert len(counters._processes) == 2
    processes = [process.pid for process in counters._processes]
    counters.__exit__()
    assert not any(is_alive(process) for process in processes)


def test_little_is_counted_here() -> None:
    with Counters(2) as two:
        np.testing.assert_array_equal(whole(two, Wer()), Wer().counted(HYPOTHESES, REFERENCES))
        assert two._processes == []


def test_options_go_along(counters: Counters) -> None:
    metric = Bleu(tokenize="char", lowercase=True)
    np.testing.assert_array_equal(whole(counters, metric), metric.counted(HYPOTHESES, REFERENCES))


def test_a_process_that_dies_takes_nothing_with_it(counters: Counters) -> None:
    metric = METRICS["ter"]()
    result = counters.counted(metric, chunks(5))
    next(result)
    for process in counters._processes:
        process.kill()
    rest = list(result)
    assert len(rest) == 23
    for chunk, counted in rest:
        np.testing.assert_array_equal(counted, metric.counted(chunk.hypotheses, chunk.references))
    np.testing.assert_array_equal(whole(counters, metric), metric.counted(HYPOTHESES, REFERENCES))


def test_chunks_waiting_for_a_dead_process_are_lost_with_it(counters: Counters) -> None:
    list(counters.counted(METRICS["ter"](), chunks(5)))
    for process in counters._processes:
        process.kill()
        process.wait(10)
        assert process.stdin is not None
        process.stdin.write(b"the end of a question")
    counters.__exit__()
    assert all(process.stdin is None or process.stdin.closed for process in counters._processes)


def test_errors_of_a_process_are_raised_here(counters: Counters) -> None:
    with pytest.raises(CountingError, match="no such word"):
        whole(counters, Failing())


def test_leaving_in_the_middle_ends_them(counters: Counters) -> None:
    next(counters.counted(METRICS["ter"](), chunks(5)))
    processes = [process.pid for process in counters._processes]
    began = time.monotonic()
    counters.__exit__()
    assert time.monotonic() - began < 2
    assert not any(is_alive(process) for process in processes)


def test_one_whose_starter_is_gone_leaves() -> None:
    code = (
        "import subprocess, sys, os; "
        "child = subprocess.Popen([sys.executable, '-m', 'metrics.automatic.counting_process', str(os.getpid())], "
        "stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True); "
        "print(child.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    wait_for(lambda: not is_alive(int(process.stdout)), what="the counting process to leave", seconds=10)


def test_one_whose_starter_is_gone_leaves_in_the_middle_of_counting() -> None:
    code = (
        "import os, pickle, subprocess, sys; from metrics.automatic.ter import Ter; "
        "child = subprocess.Popen([sys.executable, '-m', 'metrics.automatic.counting_process', str(os.getpid())], "
        "stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True); "
        "text = ' '.join(str(at * 7919 % 97) for at in range(120)); "
        "pickle.dump((Ter(), [text] * 5000, [[text[::-1]]] * 5000), child.stdin); child.stdin.flush(); "
        "print(child.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    wait_for(lambda: not is_alive(int(process.stdout)), what="the counting process to leave", seconds=10)


def test_how_many_is_the_operators_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "METRIC_PROCESSES", 3)
    assert usual_processes() == 3
    monkeypatch.setattr(settings, "METRIC_PROCESSES", 0)
    assert usual_processes() == len(os.sched_getaffinity(0))
