"""Keys and seconds spent on correcting."""

import numpy as np
import pytest

from metrics.statistics.post_editing import keystrokes_per_word, speed_ratio
from tests.metrics.statistics.reference_values import FIRST_DRUG, SECOND_DRUG, SLEEP_P


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_keys_are_a_ratio_of_sums() -> None:
    assert keystrokes_per_word([10, 0, np.nan], [2, 3, 4]) == 2
    assert np.isnan(keystrokes_per_word([], []))
    assert np.isnan(keystrokes_per_word([3], [0]))


def test_times_are_compared_as_logarithms() -> None:
    """On e to the hours of sleep the test is Student's own."""
    found = speed_ratio(np.exp(FIRST_DRUG), np.exp(SECOND_DRUG), rng=rng())
    assert found.value == pytest.approx(np.exp(np.mean(FIRST_DRUG) - np.mean(SECOND_DRUG)))
    assert found.p == pytest.approx(SLEEP_P.value, abs=SLEEP_P.tolerance)
    assert found.interval.low < found.value < found.interval.high < 1


def test_minutes_are_as_good_as_seconds_and_the_other_way_round_is_the_inverse() -> None:
    x, y = np.array([20.0, 45.0, 31.0, 90.0]), np.array([25.0, 40.0, 50.0, 95.0])
    found, minutes, back = (
        speed_ratio(x, y, rng=rng()),
        speed_ratio(x / 60, y / 60, rng=rng()),
        speed_ratio(y, x, rng=rng()),
    )
    assert minutes.value == pytest.approx(found.value)
    assert back.value == pytest.approx(1 / found.value)
    assert back.p == pytest.approx(found.p)


def test_what_does_not_exist_says_why() -> None:
    nothing = speed_ratio([0, np.nan], [1, 1], rng=rng())
    assert (nothing.n, nothing.reason, np.isnan(nothing.value)) == (0, "no_overlap", True)
    one = speed_ratio([10, 20], [20, 40], groups=["d", "d"], rng=rng())
    assert one.value == pytest.approx(0.5)
    assert np.isnan([one.interval.low, one.p]).all()
