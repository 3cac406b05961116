"""Annotators who judge at once, as fast as they are answered, and what that took."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks._judging.contestant import Annotator, BenchmarkFailed, Contestant, Opened
from benchmarks._judging.plan import Plan
from benchmarks._judging.processor_time import seconds_used


@dataclass(frozen=True)
class Measurement:
    """`loop_seconds` has every loop's own time; the other times are those of all loops together."""

    loop_seconds: tuple[float, ...]
    seconds: float
    server_seconds: float
    database_seconds: float | None
    client_seconds: float

    @property
    def loops(self) -> int:
        return len(self.loop_seconds)


def measure(contestant: Contestant, *, stored: int, annotators: int, plan: Plan) -> Measurement:
    """From a fresh copy, so that none leaves judgments to the next; at its end all that was confirmed must be there."""
    with contestant.opened(stored=stored, annotators=annotators) as opened:
        with ThreadPoolExecutor(annotators) as threads:
            list(threads.map(lambda annotator: _judge(annotator, plan.warm_up), opened.annotators))
            measurement = _measure(threads, opened, plan.loops_of_each(annotators))
        for annotator in opened.annotators:
            annotator.hang_up()
        _demand_everything(
            contestant.name, opened, stored, (plan.loops_of_each(annotators) + plan.warm_up) * annotators
        )
    return measurement


def _measure(threads: ThreadPoolExecutor, opened: Opened, loops: int) -> Measurement:
    before = _accounts(opened)
    began = time.perf_counter()
    loop_seconds = threads.map(lambda annotator: _judge(annotator, loops), opened.annotators)
    spent = tuple(seconds for own in loop_seconds for seconds in own)
    seconds = time.perf_counter() - began
    server, database, client = (after - earlier for after, earlier in zip(_accounts(opened), before, strict=True))
    return Measurement(spent, seconds, server, None if opened.database is None else database, client)


def _accounts(opened: Opened) -> tuple[float, float, float]:
    database = 0.0 if opened.database is None else seconds_used(opened.database)
    return seconds_used(opened.server), database, time.process_time()


def _judge(annotator: Annotator, loops: int) -> list[float]:
    spent = []
    for _ in range(loops):
        began = time.perf_counter()
        annotator.loop()
        spent.append(time.perf_counter() - began)
    return spent


def _demand_everything(name: str, opened: Opened, stored: int, loops: int) -> None:
    acknowledged = _all_acknowledged(opened.annotators)
    stored_now = opened.stored_answers()
    lost = acknowledged - stored_now
    if lost or len(acknowledged) != loops or len(stored_now) != stored + loops:
        raise BenchmarkFailed(
            f"{name}: of {loops} judgments, {len(acknowledged)} were acknowledged and {len(lost)} of these are lost; "
            f"{len(stored_now)} are stored where {stored} were before."
        )


def _all_acknowledged(annotators: Sequence[Annotator]) -> set[str]:
    return {judgment for annotator in annotators for judgment in annotator.acknowledged}
