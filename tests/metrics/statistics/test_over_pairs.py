import numpy as np
import pytest

from metrics.statistics.over_pairs import places_over_pairs

NAN = float("nan")


def test_the_best_everywhere_has_nobody_above_it() -> None:
    assert places_over_pairs([[3, 2, 1], [9, 8, 7]]).tolist() == [0, 1, 2]


def test_a_share_counts_the_systems_of_its_own_pair() -> None:
    """Second of two weighs as half of all systems, second of four as a quarter."""
    places = places_over_pairs([[NAN, NAN, 1, 2], [4, 3, NAN, NAN]])
    assert places.tolist() == [0, 2, 2, 0]


def test_equal_means_are_not_above_each_other() -> None:
    assert places_over_pairs([[5, 5, 1]]).tolist() == [0, 0, 2]


def test_only_the_order_of_means_counts() -> None:
    table = np.array([[70.0, 80.0, 60.0], [50.0, 55.0, 90.0]])
    assert places_over_pairs(table) == pytest.approx(places_over_pairs(np.exp(table / 10)))


def test_without_a_mean_there_is_no_place() -> None:
    assert np.isnan(places_over_pairs([[1, NAN]])).tolist() == [False, True]
    assert np.isnan(places_over_pairs(np.empty((0, 2)))).all()
