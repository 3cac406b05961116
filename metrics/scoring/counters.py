"""Processes that count: this one if there is little to do, otherwise one per core."""

import logging
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

from django.conf import settings

from metrics.automatic.base import FloatArray, Metric

logger = logging.getLogger(__name__)

WORTH_A_PROCESS = 100_000  # characters; fewer are counted before a process has started


class CountingError(Exception):
    """An error in another process, with its message."""


@dataclass(frozen=True)
class Chunk:
    """Texts to count together; `places` are their positions in `system` (a number)."""

    system: int
    places: Sequence[int]
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]

    @property
    def size(self) -> int:
        return sum(map(len, self.hypotheses))


def usual_processes() -> int:
    """As many as the operator says, or one for each core this process may use."""
    return settings.METRIC_PROCESSES or len(os.sched_getaffinity(0)) or 1


class Counters:
    """While entered, counts chunks; processes are started when there is enough to do, and are gone afterwards.

    Threads only wait for their process. If a process dies, its chunk is counted here.
    """

    def __init__(self, processes: int | None = None) -> None:
        self._wanted = usual_processes() if processes is None else processes
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        self._leaving = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._leaving.set()
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            with suppress(BrokenPipeError), process:  # closes its pipes and waits; a chunk half sent is not needed
                pass

    def counted(self, metric: Metric, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, FloatArray]]:
        """Each chunk with its counts, as they are ready."""
        alive = [process for process in self._processes if process.poll() is None]
        if not alive and sum(chunk.size for chunk in chunks) >= WORTH_A_PROCESS:
            alive = [_start() for _ in range(self._wanted)]
            self._processes += alive
        for chunk, answer in self._answers(metric, chunks, alive):
            if isinstance(answer, str):
                raise CountingError(answer)
            yield chunk, metric.counted(chunk.hypotheses, chunk.references) if answer is None else answer

    def _answers(
        self, metric: Metric, chunks: Sequence[Chunk], processes: Sequence["subprocess.Popen[bytes]"]
    ) -> Iterator[tuple[Chunk, FloatArray | str | None]]:
        """None where counting happens here: there is no process, or none is left."""
        waiting: _Waiting = queue.SimpleQueue()
        answers: _Answers = queue.SimpleQueue()
        for chunk in chunks:
            waiting.put(chunk)
        plain = replace(metric)  # type: ignore[type-var]  # every metric is a dataclass; what it remembers stays here
        for process in processes:
            thread = threading.Thread(target=self._ask, args=(process, plain, waiting, answers), daemon=True)
            thread.start()
            self._threads.append(thread)
        at_work, left = len(processes), len(chunks)
        while left:
            answered = answers.get() if at_work else (waiting.get(), None)
            if answered is None:
                at_work -= 1
                continue
            left -= 1
            yield answered

    def _ask(
        self, process: "subprocess.Popen[bytes]", metric: Metric, waiting: "_Waiting", answers: "_Answers"
    ) -> None:
        """One chunk after another, until none waits or the process is gone."""
        answer: Any = ""
        while answer is not None and not self._leaving.is_set():
            try:
                chunk = waiting.get_nowait()
            except queue.Empty:
                break
            answer = _answer_of(process, (metric, chunk.hypotheses, chunk.references))
            answers.put((chunk, answer))
        if answer is None and not self._leaving.is_set():
            logger.warning("A counting process ended unexpectedly; its texts are counted again.")
        answers.put(None)


_Waiting: TypeAlias = "queue.SimpleQueue[Chunk]"
_Answers: TypeAlias = "queue.SimpleQueue[tuple[Chunk, FloatArray | str | None] | None]"


def _start() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "metrics.automatic.counting_process", str(os.getpid())],
        cwd=settings.BASE_DIR,
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
