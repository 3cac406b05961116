import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.statistics.agreement.kappas import fleiss_kappa, gwet_ac1, kappas_of_codes
from tests.metrics.statistics.reference_values import (
    FOURTEEN_FLEISS,
    FOURTEEN_RATERS,
    LABELS_KAPPA,
    LABELS_PI,
    OBSERVERS,
    OBSERVERS_AC1,
    ONE_LABELS,
    OTHER_LABELS,
)

RNG = np.random.default_rng
ONE, OTHER = np.array(ONE_LABELS), np.array(OTHER_LABELS)


def test_kappas_are_those_of_others() -> None:
    result = kappas_of_codes(ONE, OTHER, 5)
    for value, weights in zip(result, (None, "linear", "quadratic"), strict=True):
        foreign = LABELS_KAPPA[weights]
        assert value == pytest.approx(foreign.value, abs=foreign.tolerance)


def test_a_gap_in_the_scale_changes_weighted_kappa_alone() -> None:
    with_gap = kappas_of_codes(np.array([0, 1, 4, 4, 1, 0]), np.array([0, 4, 4, 1, 1, 1]), 5)
    without = kappas_of_codes(np.array([0, 1, 2, 2, 1, 0]), np.array([0, 2, 2, 1, 1, 1]), 3)
    assert with_gap[0] == pytest.approx(without[0])
    assert with_gap[1] != pytest.approx(without[1], abs=0.01)


def test_pi_fleiss_and_ac1_are_those_of_others() -> None:
    """Fleiss' kappa of two annotators is Scott's pi."""
    counts = np.zeros((40, 5))
    for place, pair in enumerate(zip(ONE_LABELS, OTHER_LABELS, strict=True)):
        for label in pair:
            counts[place, label] += 1
    assert fleiss_kappa(counts).value == pytest.approx(LABELS_PI.value, abs=LABELS_PI.tolerance)
    fleiss = fleiss_kappa(FOURTEEN_RATERS)
    assert fleiss.value == pytest.approx(FOURTEEN_FLEISS.value, abs=FOURTEEN_FLEISS.tolerance)
    counts = np.array([[np.sum(np.array(OBSERVERS)[:, unit] == value) for value in range(1, 6)] for unit in range(12)])
    assert gwet_ac1(counts).value == pytest.approx(OBSERVERS_AC1.value, abs=OBSERVERS_AC1.tolerance)


@given(st.permutations(range(40)))
def test_neither_the_order_of_items_nor_that_of_annotators_changes_anything(order: list[int]) -> None:
    before = kappas_of_codes(ONE, OTHER, 5)
    assert kappas_of_codes(ONE[order], OTHER[order], 5) == pytest.approx(before, abs=1e-12)
    assert kappas_of_codes(OTHER, ONE, 5) == pytest.approx(before, abs=1e-12)


def test_what_does_not_exist_says_why() -> None:
    for same in (np.zeros(0, dtype=np.int64), np.array([3, 3])):
        assert np.isnan(kappas_of_codes(same, same, 5)).all()
    assert fleiss_kappa([[1, 0], [0, 1]]).reason == "no_overlap"
    assert fleiss_kappa([[3, 0], [3, 0]]).reason == "no_variation"
    assert gwet_ac1([[1, 0], [0, 1]]).reason == "no_overlap"
    assert gwet_ac1([[3], [3]]).reason == "no_variation"
    assert gwet_ac1([[3, 0], [3, 0]]).value == 1


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="krippendorff_alphas"):
        fleiss_kappa([[2, 0], [2, 1]])
    with pytest.raises(ValueError, match="random generator"):
        gwet_ac1([[2, 0], [1, 1]], resamples=10)


def test_intervals_hold_the_value() -> None:
    counts = np.array(FOURTEEN_RATERS)
    ac1 = gwet_ac1(counts, resamples=300, rng=RNG(1))
    assert ac1.interval.low < ac1.value < ac1.interval.high
    fleiss = fleiss_kappa(np.repeat(counts, 5, axis=0), resamples=300, rng=RNG(1))
    assert fleiss.interval.low < fleiss.value < fleiss.interval.high


def test_shuffled_labels_agree_by_chance() -> None:
    one, other = RNG(3).integers(0, 4, (2, 20_000))
    assert kappas_of_codes(one, other, 4) == pytest.approx((0, 0, 0), abs=0.03)


def test_the_interval_of_many_alike_items_is_that_of_a_plain_bootstrap() -> None:
    """Items with the same counts are drawn as one class; the reference draws them one by one."""
    rng = RNG(4)
    counts = rng.multinomial(3, [0.7, 0.2, 0.1], size=400)
    draws = [gwet_ac1(counts[rng.integers(0, 400, 400)]).value for _ in range(600)]
    low, high = np.quantile(draws, [0.025, 0.975])
    result = gwet_ac1(counts, resamples=4000, rng=RNG(5)).interval
    assert (result.low, result.high) == pytest.approx((low, high), abs=0.008)
