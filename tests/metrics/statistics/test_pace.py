import math

import numpy as np
import pytest
import scipy.stats

from metrics.statistics.pace import LONGEST_DAYS, DaysLeft, days_until_done, faster_than_reading, grouped_median


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_equal_days_leave_nothing_to_chance() -> None:
    assert days_until_done([10, 10], 25, rng=rng()) == DaysLeft(2.5, 2.5, 2.5)


def test_idle_days_spread_the_end_as_the_geometric_distribution_does() -> None:
    """Three days of four bring all that is left, so the end is the first such day."""
    first_success = scipy.stats.geom(0.75)
    ends = days_until_done([0, 10, 10, 10], 10, rng=rng())
    assert ends == DaysLeft(*(float(first_success.ppf(share)) for share in (0.1, 0.5, 0.9)))


def test_many_days_end_where_the_normal_approximation_does() -> None:
    """10 or 30 a day: 20 on average with deviation 10, so 4000 take about 200 days, give or take."""
    ends = days_until_done([10, 30], 4000, continuations=4000, rng=rng())
    spread = 10 / 20 * math.sqrt(200)
    assert ends.middle == pytest.approx(200, abs=1.5)
    for end, share in ((ends.early, 0.1), (ends.late, 0.9)):
        assert end == pytest.approx(200 + spread * scipy.stats.norm.ppf(share), abs=1.5)


def test_the_seed_decides_and_the_order_of_days_does_not_matter_much() -> None:
    days = [12, 0, 40, 33, 7, 0, 25]
    assert days_until_done(days, 600, rng=rng()) == days_until_done(days, 600, rng=rng())
    turned = days_until_done(days[::-1], 600, rng=rng())
    assert turned.middle == pytest.approx(days_until_done(days, 600, rng=rng()).middle, rel=0.05)


def test_twice_the_work_at_twice_the_pace_ends_the_same_day() -> None:
    days = np.array([12.0, 0, 40, 33])
    assert days_until_done(days, 100, rng=rng()) == days_until_done(2 * days, 200, rng=rng())


def test_nothing_left_is_done_now() -> None:
    assert days_until_done([], 0, rng=rng()) == DaysLeft(0, 0, 0)


def test_without_days_there_is_no_number() -> None:
    assert math.isnan(days_until_done([], 5, rng=rng()).middle)


def test_idle_days_alone_never_end() -> None:
    assert math.isinf(days_until_done([0, 0], 5, rng=rng()).early)


def test_what_ends_later_than_two_years_is_infinite_and_what_ends_before_is_not() -> None:
    assert math.isinf(days_until_done([1], LONGEST_DAYS + 100, rng=rng()).middle)
    assert days_until_done([1], LONGEST_DAYS, rng=rng()).middle == LONGEST_DAYS


@pytest.mark.parametrize("days", [[1, float("nan")], [1, -2]])
def test_days_that_are_no_counts_are_refused(days: list[float]) -> None:
    with pytest.raises(ValueError, match="from 0"):
        days_until_done(days, 5, rng=rng())


def test_a_grouped_median_is_the_median_of_all_occurrences() -> None:
    values, counts = [30.0, 4.0, 12.0, 7.0], [3, 5, 0, 4]
    assert grouped_median(values, counts) == np.median(np.repeat(values, counts))


def test_a_value_may_stand_in_several_rows() -> None:
    assert grouped_median([3, 8, 3], [1, 3, 3]) == np.median([3, 3, 3, 3, 8, 8, 8])


def test_of_an_even_number_the_two_middle_ones_are_halved() -> None:
    assert grouped_median([10, 20], [3, 3]) == 15
    assert grouped_median([10, 20], [3, 4]) == 20


def test_missing_values_and_empty_tables() -> None:
    assert grouped_median([float("nan"), 6], [50, 1]) == 6
    assert math.isnan(grouped_median([], []))
    assert math.isnan(grouped_median([5], [0]))
    with pytest.raises(ValueError, match="as many"):
        grouped_median([1, 2], [1])


def test_fast_needs_both_conditions() -> None:
    """Half of the others' median is 20, reading takes 9."""
    assert faster_than_reading([8, 40, 40], reading_seconds=9).tolist() == [True, False, False]
    assert faster_than_reading([9, 40, 40], reading_seconds=9).tolist() == [False, False, False]
    assert faster_than_reading([8, 15, 15], reading_seconds=9).tolist() == [False, False, False]


def test_nobody_is_fast_without_others_or_without_texts() -> None:
    assert not faster_than_reading([1, 40, float("nan")], reading_seconds=9).any()
    assert not faster_than_reading([1, 40, 40], reading_seconds=math.nan).any()
    assert faster_than_reading([], reading_seconds=9).tolist() == []
