import pytest

from benchmarks._judging.concurrent_annotators import Measurement
from benchmarks._judging.figures import Spread, figures, percentile


def measurement(
    *, loop: float = 0.01, loops: int = 100, server: float = 0.5, database: float | None = 0.3, seconds: float = 2.0
) -> Measurement:
    return Measurement((loop,) * loops, seconds, server, database, client_seconds=0.1)


def test_percentiles_go_from_the_least_to_the_greatest() -> None:
    values = [float(value) for value in range(101)]
    assert [percentile(values, percent) for percent in (1, 50, 95, 99)] == [1.0, 50.0, 95.0, 99.0]


def test_a_percentile_between_two_values_is_between_them() -> None:
    assert percentile([10.0, 20.0], 50) == 15.0


def test_the_order_of_values_changes_no_percentile() -> None:
    assert percentile([3.0, 1.0, 2.0], 95) == percentile([1.0, 2.0, 3.0], 95)


def test_a_single_value_is_every_percentile() -> None:
    assert [percentile([7.0], percent) for percent in (50, 99)] == [7.0, 7.0]


def test_processor_time_is_told_per_loop_in_milliseconds() -> None:
    told = figures([measurement(server=0.5, database=0.3)])
    assert (told.server, told.database) == (Spread(5.0, 5.0, 5.0), Spread(3.0, 3.0, 3.0))
    assert told.client.median == pytest.approx(1.0)


def test_loops_are_counted_by_the_clock_on_the_wall() -> None:
    assert figures([measurement(loops=100, seconds=2.0)]).loops_per_second.median == 50.0


def test_one_bad_round_moves_the_range_and_not_the_middle() -> None:
    told = figures([measurement(server=server) for server in (0.5, 0.6, 9.0)])
    assert told.server == Spread(median=6.0, low=5.0, high=90.0)
    assert (told.rounds, told.loops) == (3, 300)


def test_a_contestant_without_a_database_has_no_figure_for_it() -> None:
    assert figures([measurement(database=None)]).database is None
