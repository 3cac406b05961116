"""Agreement on a weighted scale, of any number of annotators, cells missing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.agreement import cohen_kappa, conger_kappa, gwet_ac1, gwet_ac2, preference_kappa, randolph_kappa
from metrics.statistics.agreement.two_raters import Weights
from tests.metrics.statistics.reference_values import (
    OBSERVERS,
    OBSERVERS_AC2,
    OBSERVERS_CONGER,
    OBSERVERS_RANDOLPH,
    ONE_LABELS,
    OTHER_LABELS,
)

SCHEMES: tuple[Weights, ...] = (None, "linear", "quadratic")
of_observers = np.array(OBSERVERS) - 1
COUNTS = np.stack([(of_observers == category).sum(axis=0) for category in range(5)], axis=1)


@pytest.mark.parametrize("weights", SCHEMES)
def test_coefficients_are_those_of_others(weights: Weights) -> None:
    for found, foreign in (
        (gwet_ac2(COUNTS, weights=weights), OBSERVERS_AC2[weights]),
        (conger_kappa(of_observers, n_categories=5, weights=weights), OBSERVERS_CONGER[weights]),
        (randolph_kappa(COUNTS, weights=weights), OBSERVERS_RANDOLPH[weights]),
    ):
        assert found.value == pytest.approx(foreign.value, abs=foreign.tolerance)
        assert found.n == 11


@pytest.mark.parametrize("weights", SCHEMES)
def test_conger_of_two_is_cohen(weights: Weights) -> None:
    cohen = cohen_kappa(ONE_LABELS, OTHER_LABELS, categories=range(5), weights=weights)
    conger = conger_kappa([ONE_LABELS, OTHER_LABELS], n_categories=5, weights=weights)
    assert conger.value == pytest.approx(cohen.value, abs=1e-12)


def test_without_weights_ac2_is_ac1() -> None:
    assert gwet_ac2(COUNTS, weights=None).value == pytest.approx(gwet_ac1(COUNTS).value, abs=1e-12)


@settings(max_examples=30)
@given(st.permutations(range(4)), st.permutations(range(12)))
def test_the_order_of_annotators_and_items_changes_nothing(rows: list[int], columns: list[int]) -> None:
    turned = of_observers[rows][:, columns]
    before = conger_kappa(of_observers, n_categories=5, weights="linear").value
    assert conger_kappa(turned, n_categories=5, weights="linear").value == pytest.approx(before, abs=1e-12)
    for function in (gwet_ac2, randolph_kappa):
        assert function(COUNTS[columns]).value == pytest.approx(function(COUNTS).value, abs=1e-12)


def test_shuffled_ratings_agree_by_chance() -> None:
    codes = np.random.default_rng(1).integers(0, 4, (5, 4_000)).astype(float)
    counts = np.stack([(codes == category).sum(axis=0) for category in range(4)], axis=1)
    assert conger_kappa(codes, n_categories=4, weights="quadratic").value == pytest.approx(0, abs=0.02)
    assert gwet_ac2(counts).value == pytest.approx(0, abs=0.02)
    assert randolph_kappa(counts).value == pytest.approx(0, abs=0.02)


def test_what_does_not_exist_says_why() -> None:
    once = np.array([[0.0, np.nan], [np.nan, 1.0]])
    counts = [[1, 0], [0, 1]]
    assert conger_kappa(once, n_categories=2).reason == "no_overlap"
    assert gwet_ac2(counts).reason == "no_overlap"
    assert randolph_kappa(counts).reason == "no_overlap"
    assert conger_kappa(np.zeros((2, 3)), n_categories=2).reason == "no_variation"
    assert gwet_ac2([[2], [2]]).reason == "no_variation"
    assert randolph_kappa([[2], [2]]).reason == "no_variation"


def test_what_is_not_on_the_scale_is_refused() -> None:
    for wrong in ([[5.0, 0.0]], [[-1.0, 0.0]], [[0.5, 0.0]]):
        with pytest.raises(ValueError, match="whole numbers"):
            conger_kappa(wrong, n_categories=5)
    with pytest.raises(ValueError, match="weights"):
        gwet_ac2([[1, 1]], weights="cubic")  # type: ignore[arg-type]


def test_chance_of_one_third_is_that_of_old_findings() -> None:
    columns = [1, 1, 1, 2, 2, 2], ["x|y"] * 6, ["a", "b", "c"] * 2, [1, 1, 1, 0, 0, -1]
    found = preference_kappa(*columns, chance="third")
    assert (found.observed, found.expected) == pytest.approx((4 / 6, 1 / 3))
    assert found.value == pytest.approx(0.5)
    with pytest.raises(ValueError, match="chance"):
        preference_kappa(*columns, chance="half")  # type: ignore[arg-type]
