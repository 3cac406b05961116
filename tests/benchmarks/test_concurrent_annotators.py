"""Measuring, with contestants that answer at once."""

import pytest

from benchmarks._judging.concurrent_annotators import measure
from benchmarks._judging.contestant import BenchmarkFailed
from tests.benchmarks.in_memory import PLAN, InMemory


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
