import math

import numpy as np
import pytest
from scipy.stats import rankdata

from metrics.statistics import quality
from metrics.statistics.quality import control_item_test, repeat_consistency, share_outdone
from tests.metrics.statistics import reference_values as foreign


def test_the_control_test_is_the_one_sided_paired_t_test() -> None:
    test = control_item_test(foreign.FIRST_DRUG, foreign.SECOND_DRUG)
    assert test.p == pytest.approx(foreign.SLEEP_P_LESS.value, rel=foreign.SLEEP_P_LESS.tolerance)
    assert test.is_passed
    assert test.n == 10


def test_scoring_damaged_items_higher_does_not_pass() -> None:
    test = control_item_test(foreign.SECOND_DRUG, foreign.FIRST_DRUG)
    assert test.is_sufficient
    assert not test.is_passed


def test_signed_rank_looks_the_same_way() -> None:
    test = control_item_test(foreign.AFTER, foreign.BEFORE, test="signed-rank")
    assert test.p == pytest.approx(foreign.DEPRESSION_P.value, abs=foreign.DEPRESSION_P.tolerance)
    assert test.is_passed


def test_the_limit_is_included(monkeypatch: pytest.MonkeyPatch) -> None:
    """No small table has the p 0.05 exactly, so the limit is moved to the p of five pairs."""
    monkeypatch.setattr(quality, "LEVEL", 1 / 32)
    exactly = control_item_test([0, 0, 0, 0, 0], [1, 2, 3, 4, 5], test="signed-rank")
    assert exactly.p == 1 / 32
    assert exactly.is_passed


@pytest.mark.parametrize("pairs", [0, 1, 4])
def test_too_few_pairs_are_insufficient_and_not_bad(pairs: int) -> None:
    test = control_item_test([10] * pairs, [60, 70, 80, 90][:pairs], test="signed-rank")
    assert not test.is_sufficient
    assert not test.is_passed
    assert test.n == pairs


def test_five_differing_pairs_are_sufficient() -> None:
    assert control_item_test([10] * 5, [60, 70, 80, 90, 99], test="signed-rank").is_sufficient


def test_equal_differences_have_no_p_by_t() -> None:
    test = control_item_test([10, 20, 30], [60, 70, 80])
    assert math.isnan(test.p)
    assert (test.is_sufficient, test.is_passed) == (False, False)
    assert test.difference == -50


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(ValueError, match="guess"):
        control_item_test([1], [2], test="guess")  # type: ignore[arg-type]


def test_repeats_are_compared_by_mean_absolute_difference() -> None:
    consistency = repeat_consistency([50, 60, 70, math.nan], [40, 60, 90, 10])
    assert (consistency.difference, consistency.n) == (10, 3)
    assert consistency.pearson == pytest.approx(0.9934, abs=1e-4)


def test_repeats_of_one_value_have_no_correlation() -> None:
    level, once, never = (repeat_consistency(*pairs) for pairs in (([50, 50], [50, 60]), ([50], [60]), ([], [])))
    assert (level.difference, level.reason) == (5, "constant")
    assert (once.difference, once.reason) == (10, "too_few")
    assert never.reason == "no_repeats"
    assert math.isnan(never.difference)
    assert all(math.isnan(each.pearson) for each in (level, once, never))


@pytest.mark.parametrize(
    ("degraded", "originals", "reason"),
    [([], [], "no_controls"), ([10], [50], "too_few"), ([10, 20], [50, 60], "equal_differences"), ([1, 2], [9, 9], "")],
)
def test_a_control_test_says_why_it_has_no_p(degraded: list[float], originals: list[float], reason: str) -> None:
    test = control_item_test(degraded, originals)
    assert test.reason == reason
    assert math.isnan(test.p) == bool(reason)


def test_shares_outdone_are_mean_ranks_without_their_ends() -> None:
    values = [3.0, 1.0, 2.0, 2.0]
    assert share_outdone(values, ["x"] * 4).tolist() == pytest.approx((rankdata(values) - 1) / 3)


def test_each_screen_is_by_itself_and_the_order_of_rows_changes_nothing() -> None:
    values, screens = np.array([-1.0, -2, -1, -1, -3, -5]), np.array([7, 7, 2, 2, 2, 9])
    shares = share_outdone(values, screens)
    assert shares[:5].tolist() == [1, 0, 0.75, 0.75, 0]
    assert math.isnan(shares[5])
    mixed = np.random.default_rng(1).permutation(6)
    assert np.array_equal(share_outdone(values[mixed], screens[mixed]), shares[mixed], equal_nan=True)


def test_who_was_not_put_in_order_is_none_of_the_others() -> None:
    shares = share_outdone([-1, math.nan, -2], ["x", "x", "x"])
    assert (shares[0], shares[2]) == (1, 0)
    assert math.isnan(shares[1])
    assert share_outdone([], []).size == 0
