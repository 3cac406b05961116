"""Measuring, with contestants that answer at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from benchmarks._judging.contestant import BenchmarkFailed, Opened
from benchmarks._judging.crowd import measure
from benchmarks._judging.plan import Plan

PLAN = Plan(sizes=(0,), crowds=(1, 3), loops=12, warm_up=2, rounds=1, assignment=20)


@dataclass
class Quick:
    """An annotator of the contestant below."""

    name: str
    acknowledged: list[str] = field(default_factory=list)

    def loop(self) -> None:
        self.acknowledged.append(f"{self.name} {len(self.acknowledged)}")

    def hang_up(self) -> None:
        self.name = "gone"


class InMemory:
    """Keeps everything but what is named; confirms all."""

    name = "In memory"
    versions = "none"

    def __init__(self, *, losing: str = "") -> None:
        self._losing = losing

    def prepare(self) -> None: ...

    @contextmanager
    def opened(self, *, stored: int, annotators: int) -> Iterator[Opened]:
        people = [Quick(str(number)) for number in range(annotators)]

        def kept() -> set[str]:
            earlier = {f"earlier {number}" for number in range(stored)}
            return earlier | {judgment for each in people for judgment in each.acknowledged} - {self._losing}

        yield Opened(people, os.getpid(), None, kept)


@pytest.mark.parametrize(("annotators", "loops"), [(1, 12), (3, 12)])
def test_what_warms_up_is_not_counted(annotators: int, loops: int) -> None:
    measurement = measure(InMemory(), stored=5, annotators=annotators, plan=PLAN)
    assert measurement.loops == len(measurement.loop_seconds) == loops
    assert 0 <= sum(measurement.loop_seconds) <= annotators * measurement.seconds
    assert measurement.database_seconds is None


def test_a_lost_judgment_fails_and_is_counted() -> None:
    with pytest.raises(
        BenchmarkFailed, match="In memory: of 14 judgments, 14 were acknowledged and 1 of these are lost"
    ):
        measure(InMemory(losing="0 3"), stored=0, annotators=1, plan=PLAN)
