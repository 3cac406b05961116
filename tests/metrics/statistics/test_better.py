"""The decisions of WMT 2026 on real campaigns are in tests/metrics/analyses/test_wmt_recipes.py (`expected_of`)."""

import numpy as np
import pytest

from metrics.statistics.better import Better, better

NAN = float("nan")


def compared(x: list[float], y: list[float], *, seed: int = 1) -> Better:
    return better(x, y, rng=np.random.default_rng(seed))


def test_clearly_higher_on_every_item_is_better() -> None:
    result = compared([80, 90, 85, 95], [60, 72, 66, 70])
    assert result.is_better
    assert result.n == 4
    assert result.paired_low > 0
    assert result.paired_difference == result.difference == pytest.approx(20.5)


def test_the_paired_bound_alone_is_enough() -> None:
    """Items differ by far more than systems do."""
    result = compared([11, 32, 51, 73, 92], [10, 30, 50, 70, 90])
    assert result.paired_low > 0 > result.low
    assert result.is_better


def test_the_unpaired_bound_alone_is_enough() -> None:
    result = compared([90, 80, 85, NAN, NAN, NAN], [NAN, NAN, NAN, 60, 70, 50])
    assert result.n == 0
    assert np.isnan(result.paired_low)
    assert result.is_better


def test_equal_differences_have_no_paired_bound() -> None:
    result = compared([15, 35, 55], [10, 30, 50])
    assert np.isnan(result.paired_low)
    assert not result.is_better


def test_a_lower_system_is_not_better() -> None:
    assert not compared([60, 72, 66], [80, 90, 85]).is_better
    assert np.isnan(compared([60, 72, 66], [80, 90, 85]).paired_low), "no difference is positive"


def test_nothing_in_common_and_nothing_at_all() -> None:
    result = compared([NAN, NAN], [1, 2])
    assert (result.is_better, result.n) == (False, 0)
    assert np.isnan([result.difference, result.paired_difference, result.low, result.paired_low]).all()


def test_items_must_be_paired() -> None:
    with pytest.raises(ValueError, match="paired"):
        compared([1, 2], [1])
