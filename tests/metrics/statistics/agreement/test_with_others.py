"""An annotator beside the mean of all others."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics.statistics.agreement.pairs import agreement_with_others
from tests.metrics.statistics.reference_values import ATTITUDE, ATTITUDE_R_DROP


@pytest.mark.parametrize("row", range(len(ATTITUDE)))
def test_it_is_the_corrected_item_total_correlation(row: int) -> None:
    expected = ATTITUDE_R_DROP[row]
    assert agreement_with_others(ATTITUDE)[row].pearson == pytest.approx(expected.value, abs=expected.tolerance)


def test_by_hand_with_gaps() -> None:
    result = agreement_with_others(np.array([[10, 20, np.nan], [20, 40, 90], [30, np.nan, np.nan]]))
    assert [one.n for one in result] == [2, 2, 1]
    assert result[0].difference == pytest.approx(((10 - 25) + (20 - 40)) / 2)
    assert result[1].difference == pytest.approx(((20 - 20) + (40 - 20)) / 2)
    assert result[0].pearson == pytest.approx(1)
    assert math.isnan(result[2].pearson)


def test_the_interval_of_the_difference_is_the_normal_one_of_its_items() -> None:
    own, others = np.array([10.0, 20, 30, 45, 50]), np.array([12.0, 25, 29, 50, 60])
    first, second = agreement_with_others(np.array([own, others]))
    mean, error = stats.norm.interval(0.95, loc=np.mean(own - others), scale=stats.sem(own - others))
    assert (first.difference_interval.low, first.difference_interval.high) == pytest.approx((mean, error), rel=1e-3)
    assert second.difference_interval.low == pytest.approx(-first.difference_interval.high)
    [few, _other] = agreement_with_others(np.array([own[:3], others[:3]]))
    assert np.isnan(few.difference_interval.low)


def test_who_does_not_count_is_described_and_is_nobodys_other() -> None:
    ratings = [[1, 2, 3, 4], [2, 3, 4, 5], [9, 1, 9, 1]]
    result = agreement_with_others(ratings, counted=[True, True, False])
    assert result[0].difference == -1
    assert result[1].difference == 1
    assert result[2].difference == pytest.approx(5 - 3)


def test_what_does_not_exist_is_nan_for_a_reason() -> None:
    alone, other = agreement_with_others(np.array([[1, 2, np.nan], [np.nan, np.nan, 3]]))
    assert (alone.n, other.n) == (0, 0)
    assert math.isnan(alone.difference)
    assert alone.reason == alone.interval.reason == "no_overlap"
    constant = agreement_with_others([[5, 5, 5, 5], [1, 2, 3, 4]])[0]
    assert constant.n == 4
    assert math.isnan(constant.pearson)
    assert math.isnan(constant.interval.low)
    assert constant.reason == "constant"
    assert agreement_with_others(np.zeros((2, 0)))[0].n == 0


def test_strictness_and_scale_change_no_correlation_and_the_order_of_items_nothing() -> None:
    rng = np.random.default_rng(3)
    ratings = rng.normal(size=(4, 40)) + rng.normal(size=40)
    before = agreement_with_others(ratings)
    moved = ratings.copy()
    moved[0] = 3 * moved[0] + 20
    assert agreement_with_others(moved)[0].pearson == pytest.approx(before[0].pearson)
    turned = agreement_with_others(ratings[:, rng.permutation(40)])
    assert [one.pearson for one in turned] == pytest.approx([one.pearson for one in before])


def test_the_interval_covers_the_truth_nineteen_times_in_twenty() -> None:
    rng = np.random.default_rng(7)
    truth, covered = 0.6, 0
    for _ in range(400):
        x = rng.normal(size=30)
        y = truth * x + math.sqrt(1 - truth**2) * rng.normal(size=30)
        interval = agreement_with_others([x, y])[0].interval
        covered += interval.low <= truth <= interval.high
    assert covered / 400 == pytest.approx(0.95, abs=0.03)
