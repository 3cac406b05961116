"""Processes that count: this one if there is little to do, otherwise one per core; for metrics with a model one."""

import logging
import os
import pickle
import queue
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

from django.conf import settings

from metrics.automatic.base import FloatArray, Metric
from metrics.scoring.neural_child import MetricMark

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5  # how often it is noticed that no process is left
WORTH_A_PROCESS = 100_000  # characters; fewer are counted before a process has started
WORTH_A_PROCESS_BY_KERNEL = 10_000_000  # about two seconds


THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
MOST_THREADS = 4


class CountingError(Exception):
    """An error in another process, with its message."""


class ModelProcessEnded(Exception):
    """The process that had the model in memory has ended, probably for want of memory."""


@dataclass(frozen=True)
class Chunk:
    """Texts to count together; `places` are their positions in `system` (a number).

    `sources` are empty unless the metric reads them; `corpus` is what a metric learns from that is counted in parts.
    """

    system: int
    places: Sequence[int]
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] = ()
    corpus: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(map(len, self.hypotheses))


def usual_processes() -> int:
    """As many as the operator says, or one for each core this process may use."""
    return settings.METRIC_PROCESSES or len(os.sched_getaffinity(0)) or 1


def most_threads() -> int:
    """For a process with a model: half of the cores, so that judging stays fast, and not more than are of use."""
    return max(1, min(MOST_THREADS, usual_processes() // 2))


class Counters:
    """While entered, counts chunks; processes are started when there is enough to do, and are gone afterwards.

    Threads only wait for their process. If a process dies, its chunk is counted here.
    """

    has_model = False

    def __init__(self, processes: int | None = None) -> None:
        self._wanted = usual_processes() if processes is None else processes
        self._processes: list[subprocess.Popen[bytes]] = []
        self._free: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(self._wanted)
        self._is_leaving = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._is_leaving = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()
        self._threads.shutdown()
        for process in self._processes:
            with suppress(BrokenPipeError), process:  # closes its pipes and waits; a chunk half sent is not needed
                pass

    def counted(self, metric: Metric, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, FloatArray]]:
        """Each chunk with its counts, as they are ready."""
        if not self._is_any_alive():
            if not chunks:
                return
            worth = WORTH_A_PROCESS_BY_KERNEL if metric.has_kernel else WORTH_A_PROCESS
            if not self.has_model and sum(chunk.size for chunk in chunks) < worth:
                yield from ((chunk, metric.counted(chunk.hypotheses, chunk.references)) for chunk in chunks)
                return
            started = [_start(self.threads) for _ in range(self._wanted)]
            self._processes += started
            for process in started:
                self._free.put(process)
        plain = replace(metric)  # type: ignore[type-var]  # every metric is a dataclass; what it remembers stays here
        waiting = {
            self._threads.submit(self._ask, (plain, chunk.hypotheses, chunk.references)): chunk for chunk in chunks
        }
        for done in as_completed(waiting):
            chunk, answer = waiting[done], done.result()
            if isinstance(answer, str):
                raise CountingError(answer)
            yield chunk, self._counted_here(metric, chunk) if answer is None else answer

    def marks_of(self, chunk: Chunk) -> list[Sequence[MetricMark]] | None:  # noqa: ARG002 - none of these marks errors
        return None

    @property
    def threads(self) -> int:
        """Of each process, for multiplications."""
        return 1

    def _counted_here(self, metric: Metric, chunk: Chunk) -> FloatArray:
        return metric.counted(chunk.hypotheses, chunk.references)

    def _is_any_alive(self) -> bool:
        return any(process.poll() is None for process in self._processes)

    def _ask(self, question: Any) -> Any:
        """Counts or an error from the next process that is free; None where it dies, or none is left."""
        while self._is_any_alive():
            with suppress(queue.Empty):
                process = self._free.get(timeout=LOOK_SECONDS)
                answer = _answer_of(process, question)
                if answer is not None:
                    self._free.put(process)
                elif not self._is_leaving:
                    logger.warning("A counting process ended unexpectedly; its texts are counted again.")
                return answer
        return None


class ModelCounters(Counters):
    """One process, which reads the model once and remembers what it encoded, with half of the cores at most.

    The worker itself never reads a model: its memory would stay larger ever after.
    """

    has_model = True

    def __init__(self) -> None:
        super().__init__(1)

    @property
    def threads(self) -> int:
        return most_threads()

    def _counted_here(self, metric: Metric, chunk: Chunk) -> FloatArray:  # noqa: ARG002 - never here
        raise ModelProcessEnded


def _start(threads: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "metrics.automatic.counting_process", str(os.getpid())],
        cwd=settings.BASE_DIR,
        env={**os.environ, **dict.fromkeys(THREADS, str(threads))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the one that started it
    )


def _answer_of(process: "subprocess.Popen[bytes]", question: Any) -> Any:
    if process.stdin is None or process.stdout is None:
        return None
    try:
        pickle.dump(question, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        process.stdin.flush()
        return pickle.load(process.stdout)  # noqa: S301 - our own process wrote it
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
