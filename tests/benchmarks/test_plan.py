from dataclasses import replace

import pytest

from benchmarks._judging.plan import FULL, QUICK


def test_many_annotators_do_fewer_loops_each_and_more_together() -> None:
    assert (FULL.loops_of_each(1), FULL.loops_of_each(8)) == (400, 100)


def test_there_are_texts_for_the_past_and_for_everybody() -> None:
    assert FULL.texts == 20_000 + 8 * 500


def test_an_assignment_that_would_run_out_is_refused() -> None:
    with pytest.raises(ValueError, match="too few texts"):
        replace(QUICK, assignment=10)


def test_a_past_that_ends_within_an_assignment_is_refused() -> None:
    with pytest.raises(ValueError, match="whole assignments"):
        replace(QUICK, sizes=(0, 101))
