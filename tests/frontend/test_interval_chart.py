import math

from hypothesis import given
from hypothesis import strategies as st

from frontend.interval_chart import axis_for, bars_for

VALUES = st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=30)


def test_an_axis_has_round_ends_and_few_ticks() -> None:
    axis = axis_for([60.1, 84.6])
    assert [tick.label for tick in axis.ticks] == ["60", "70", "80", "90"]
    assert axis.place(75) == "50.00%"


def test_small_ranges_get_decimals() -> None:
    assert [tick.label for tick in axis_for([-0.12, 0.31]).ticks] == ["−0.2", "0.0", "0.2", "0.4"]


def test_a_scale_is_the_axis_where_a_round_step_divides_it() -> None:
    axis = axis_for([2.1, 4.4], most_ticks=4, scale=(1, 5))
    assert [(tick.label, tick.at) for tick in axis.ticks] == [("1", "0.00%"), ("3", "50.00%"), ("5", "100.00%")]


def test_values_outside_the_scale_are_on_the_axis_too() -> None:
    axis = axis_for([-0.2, 0.9], most_ticks=4, scale=(0, 1))
    assert (axis.low, axis.high) == (-0.5, 1)


def test_steps_of_two_and_a_half_are_not_rounded() -> None:
    assert [tick.label for tick in axis_for([0.905, 0.995]).ticks] == ["0.900", "0.925", "0.950", "0.975", "1.000"]


def test_equal_values_get_an_axis_around_them() -> None:
    axis = axis_for([70.0, 70.0])
    assert axis.low < 70 < axis.high


def test_no_values_get_an_axis_all_the_same() -> None:
    assert axis_for([math.nan]).high > axis_for([]).low


def test_a_zero_that_misses_itself_by_rounding_begins_the_axis() -> None:
    assert axis_for([-1e-17, 14.5]).low == 0


@given(VALUES)
def test_every_value_lies_within_its_axis(values: list[float]) -> None:
    axis = axis_for(values)
    slack = 1e-6 * max(1.0, *map(abs, values))
    assert axis.low <= min(values) + slack
    assert axis.high >= max(values) - slack
    assert len(axis.ticks) <= 7


def test_the_fullest_bin_is_as_high_as_the_chart() -> None:
    columns = bars_for([0, 5, 10], height=50)
    assert [column.height for column in columns] == ["0.0", "25.0", "50.0"]
    assert columns[2].y == "0.0"


def test_an_empty_bin_has_the_least_height() -> None:
    columns = bars_for([0, 5, 10], height=50, least=1)
    assert [(column.y, column.height) for column in columns] == [("49.0", "1.0"), ("25.0", "25.0"), ("0.0", "50.0")]


def test_a_histogram_without_counts_has_no_columns() -> None:
    assert bars_for([0, 0]) == []
