"""Everybody at work at once for some minutes, and what that took."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from benchmarks._judging.processor_time import seconds_used
from benchmarks._wmt26.annotator_at_work import AnnotatorAtWork
from benchmarks._wmt26.organiser_at_work import OrganiserAtWork
from benchmarks._wmt26.page_requests import Times

KINDS = ("next", "submit", "draft", "page", "overview", "export")


@dataclass(frozen=True)
class Phase:
    """`p95` in milliseconds by the kind of request; CPU in milliseconds for a judgment, everything included."""

    name: str
    judged: int
    seconds: float
    p95: dict[str, float]
    most: dict[str, float]
    errors: tuple[str, ...]
    cpu: float

    @property
    def per_second(self) -> float:
        return self.judged / self.seconds


def perform(
    name: str,
    people: Sequence[AnnotatorAtWork],
    organiser: OrganiserAtWork,
    times: Times,
    *,
    minutes: float,
    thinks: bool,
    processes: Callable[[], Sequence[int]],
) -> Phase:
    times.seconds.clear()
    times.errors.clear()
    before = sum(map(seconds_used, processes()))
    began = time.monotonic()
    until = began + 60 * minutes
    leading = threading.Thread(target=organiser.work, args=(until,))
    leading.start()
    with ThreadPoolExecutor(len(people)) as threads:
        judged = sum(threads.map(lambda person: person.work(until, thinks=thinks), people))
    seconds = time.monotonic() - began
    cpu = sum(map(seconds_used, processes())) - before
    leading.join()
    return Phase(
        name=name,
        judged=judged,
        seconds=seconds,
        p95={kind: _percentile(times, kind, 95) for kind in KINDS},
        most={kind: _percentile(times, kind, 100) for kind in KINDS},
        errors=tuple(times.errors),
        cpu=1000 * cpu / max(1, judged),
    )


def _percentile(times: Times, kind: str, share: float) -> float:
    """NaN where nothing of the kind was asked."""
    seconds = times.seconds.get(kind)
    return 1000 * float(np.percentile(seconds, share)) if seconds else float("nan")
