"""Contestants that answer at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks._judging.contestant import BenchmarkFailed, Opened
from benchmarks._judging.plan import Plan

PLAN = Plan(sizes=(0, 20), crowds=(1, 3), loops=12, warm_up=2, rounds=3, assignment=20)


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

    versions = "none"

    def __init__(
        self, name: str = "In memory", *, losing: str = "", is_ours: bool = True, is_able: bool = True
    ) -> None:
        self.name = name
        self.is_ours = is_ours
        self._losing = losing
        self._is_able = is_able
        self.turns: list[tuple[int, int]] = []

    def prepare(self) -> None:
        if not self._is_able:
            raise BenchmarkFailed("It cannot.")

    @contextmanager
    def opened(self, *, stored: int, annotators: int) -> Iterator[Opened]:
        self.turns.append((stored, annotators))
        people = [Quick(str(number)) for number in range(annotators)]

        def kept() -> set[str]:
            earlier = {f"earlier {number}" for number in range(stored)}
            return earlier | {judgment for each in people for judgment in each.acknowledged} - {self._losing}

        yield Opened(people, os.getpid(), None, kept)
