import numpy as np
import pytest

from metrics.statistics.bca import bca_low, bca_low_of_difference
from tests.metrics.statistics.reference_values import BOTH_MICE_BCA_LOW, MICE, MICE_BCA_LOW, OTHER_MICE


def low(values: object, *, resamples: int = 20_000, seed: int = 1) -> float:
    return bca_low(np.asarray(values, dtype=np.float64), resamples=resamples, rng=np.random.default_rng(seed))


def test_the_bound_of_a_mean_is_that_of_scipy() -> None:
    assert low(MICE) == pytest.approx(MICE_BCA_LOW.value, abs=MICE_BCA_LOW.tolerance)


def test_the_bound_of_a_difference_is_that_of_scipy() -> None:
    bound = bca_low_of_difference(MICE, OTHER_MICE, resamples=50_000, rng=np.random.default_rng(1))
    assert bound == pytest.approx(BOTH_MICE_BCA_LOW.value, abs=BOTH_MICE_BCA_LOW.tolerance)


def test_a_shift_moves_the_bound_and_a_unit_stretches_it() -> None:
    values = np.array(MICE, dtype=np.float64)
    assert low(values + 50) == pytest.approx(low(values) + 50)
    assert low(values * 3) == pytest.approx(low(values) * 3)


def test_the_same_seed_gives_the_same_bound() -> None:
    assert low(MICE, resamples=100) == low(MICE, resamples=100)
    assert low(MICE, resamples=100) != low(MICE, resamples=100, seed=2)


def test_missing_values_do_not_count() -> None:
    assert low([*MICE, np.nan]) == low(MICE)


@pytest.mark.parametrize("values", [[], [5], [5, 5, 5], [np.nan, 4]])
def test_without_spread_there_is_no_bound(values: list[float]) -> None:
    assert np.isnan(low(values))


@pytest.mark.parametrize(("x", "y"), [([5], [1, 2]), ([5, 6], []), ([5, 5], [1, 1])])
def test_without_spread_there_is_no_bound_of_a_difference(x: list[float], y: list[float]) -> None:
    assert np.isnan(bca_low_of_difference(x, y, rng=np.random.default_rng(1)))


def test_a_sample_may_have_no_spread_if_the_other_has() -> None:
    assert bca_low_of_difference([5, 5, 5], [1, 2, 3, 1], rng=np.random.default_rng(1)) > 2


def test_a_level_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="level"):
        bca_low(MICE, level=1.0, rng=np.random.default_rng(1))
