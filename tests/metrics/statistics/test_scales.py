"""Scales of few points, and how often one system is above another."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.statistics.scales import Superiority, point_distribution, probability_of_superiority
from metrics.statistics.significance import rank_sum
from tests.metrics.statistics.reference_values import TIED_U, TIED_X, TIED_Y


def of_all_pairs(x: Sequence[float], y: Sequence[float]) -> Superiority:
    return probability_of_superiority(np.repeat(x, len(y)), np.tile(y, len(x)))


def test_superiority_of_all_pairs_is_u_over_their_number() -> None:
    result = of_all_pairs(TIED_X, TIED_Y)
    assert result.value == pytest.approx(TIED_U.value / (12 * 10))
    assert result.n == 120


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.lists(st.integers(0, 6), min_size=1, max_size=30))
def test_the_two_sides_of_superiority_make_one(x: list[int], y: list[int]) -> None:
    there, back = of_all_pairs(x, y), of_all_pairs(y, x)
    assert there.value + back.value == pytest.approx(1)
    pairs = [(a > b) + 0.5 * (a == b) for a in x for b in y]
    assert there.value == pytest.approx(np.mean(pairs))
    assert rank_sum(x, y).statistic == pytest.approx(sum(pairs))


def test_missing_values_are_left_out_with_their_pairs() -> None:
    assert probability_of_superiority([1, np.nan, 3], [0, 2, np.nan]).n == 1
    assert probability_of_superiority([np.nan], [0]).reason == "no_overlap"


def test_quartiles_are_those_of_r_by_its_type_two() -> None:
    """R 4: quantile(c(1, 2, 2, 3, 4, 5, 5, 5), c(.25, .5, .75), type = 2) is 2, 3.5, 5."""
    result = point_distribution([1, 2, 2, 3, 4, 5, 5, 5], low=1, high=5)
    assert (result.quartiles[0], result.median, result.quartiles[1]) == (2, 3.5, 5)
    assert result.counts.tolist() == [1, 2, 1, 1, 3]
    assert result.top_share == 3 / 8
    assert point_distribution([1, 2, 2], low=1, high=5, higher_is_better=False).top_share == pytest.approx(1 / 3)


def test_no_values_and_values_that_are_not_points() -> None:
    nothing = point_distribution([np.nan], low=0, high=6)
    assert (nothing.n, nothing.counts.sum(), np.isnan(nothing.median), np.isnan(nothing.top_share)) == (
        0,
        0,
        True,
        True,
    )
    with pytest.raises(ValueError, match="whole points"):
        point_distribution([2.5], low=0, high=6)
