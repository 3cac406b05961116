import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.statistics.agreement import cohen_kappa, fleiss_kappa, gwet_ac1, percent_agreement, scott_pi
from metrics.statistics.agreement.two_raters import Weights
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

SCHEMES: tuple[Weights, ...] = (None, "linear", "quadratic")
RNG = np.random.default_rng


@pytest.mark.parametrize("weights", SCHEMES)
def test_kappa_is_that_of_others(weights: Weights) -> None:
    foreign = LABELS_KAPPA[weights]
    found = cohen_kappa(ONE_LABELS, OTHER_LABELS, categories=range(5), weights=weights)
    assert found.value == pytest.approx(foreign.value, abs=foreign.tolerance)
    assert found.n == 40


def test_a_gap_in_the_scale_changes_weighted_kappa_alone() -> None:
    one, other = [1, 2, 5, 5, 2, 1], [1, 5, 5, 2, 2, 2]
    assert cohen_kappa(one, other).value == cohen_kappa(one, other, categories=range(1, 6)).value
    seen = cohen_kappa(one, other, weights="linear").value
    assert seen != pytest.approx(cohen_kappa(one, other, categories=range(1, 6), weights="linear").value, abs=0.01)


def test_pi_fleiss_and_ac1_are_those_of_others() -> None:
    assert scott_pi(ONE_LABELS, OTHER_LABELS).value == pytest.approx(LABELS_PI.value, abs=LABELS_PI.tolerance)
    fleiss = fleiss_kappa(FOURTEEN_RATERS)
    assert fleiss.value == pytest.approx(FOURTEEN_FLEISS.value, abs=FOURTEEN_FLEISS.tolerance)
    counts = [[np.sum(np.array(OBSERVERS)[:, unit] == value) for value in range(1, 6)] for unit in range(12)]
    assert gwet_ac1(counts).value == pytest.approx(OBSERVERS_AC1.value, abs=OBSERVERS_AC1.tolerance)


def test_fleiss_of_two_is_scotts_pi() -> None:
    counts = np.zeros((40, 5))
    for place, pair in enumerate(zip(ONE_LABELS, OTHER_LABELS, strict=True)):
        for label in pair:
            counts[place, label] += 1
    assert fleiss_kappa(counts).value == pytest.approx(scott_pi(ONE_LABELS, OTHER_LABELS).value, abs=1e-12)


@given(st.permutations(range(40)))
def test_the_order_of_items_changes_nothing(order: list[int]) -> None:
    one, other = [ONE_LABELS[place] for place in order], [OTHER_LABELS[place] for place in order]
    for weights in SCHEMES:
        before = cohen_kappa(ONE_LABELS, OTHER_LABELS, weights=weights).value
        assert cohen_kappa(one, other, weights=weights).value == pytest.approx(before, abs=1e-12)
        assert cohen_kappa(other, one, weights=weights).value == pytest.approx(before, abs=1e-12)


def test_words_and_missing_labels() -> None:
    one: list[object] = ["good", "bad", None, "good", "bad"]
    other: list[object] = ["good", "bad", "bad", float("nan"), "good"]
    found = cohen_kappa(one, other)
    assert found.n == 3
    assert found.observed == pytest.approx(2 / 3)


def test_what_does_not_exist_says_why() -> None:
    for function in (cohen_kappa, scott_pi):
        assert function([], []).reason == "no_overlap"
        assert function([3, 3], [3, 3]).reason == "no_variation"
        assert np.isnan(function([3, 3], [3, 3]).value)
    assert fleiss_kappa([[1, 0], [0, 1]]).reason == "no_overlap"
    assert fleiss_kappa([[3, 0], [3, 0]]).reason == "no_variation"
    assert gwet_ac1([[1, 0], [0, 1]]).reason == "no_overlap"
    assert gwet_ac1([[3], [3]]).reason == "no_variation"
    assert gwet_ac1([[3, 0], [3, 0]]).value == 1
    assert percent_agreement([[1, np.nan], [np.nan, 1]]).reason == "no_overlap"


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        cohen_kappa([1], [1, 2])
    with pytest.raises(ValueError, match="not among the categories: 9"):
        cohen_kappa([1, 9], [1, 2], categories=[1, 2])
    with pytest.raises(ValueError, match="weights"):
        cohen_kappa([1, 2], [1, 2], weights="cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="krippendorff_alpha"):
        fleiss_kappa([[2, 0], [2, 1]])
    with pytest.raises(ValueError, match="random generator"):
        cohen_kappa([1, 2, 1], [1, 2, 2], resamples=10)


def test_intervals_hold_the_value() -> None:
    counts = np.array(FOURTEEN_RATERS)
    for found in (
        cohen_kappa(ONE_LABELS, OTHER_LABELS, weights="linear", resamples=300, rng=RNG(1)),
        scott_pi(ONE_LABELS, OTHER_LABELS, resamples=300, rng=RNG(1)),
        gwet_ac1(counts, resamples=300, rng=RNG(1)),
        percent_agreement(OBSERVERS, resamples=300, rng=RNG(1)),
    ):
        assert found.interval.low < found.value < found.interval.high
    fleiss = fleiss_kappa(np.repeat(counts, 5, axis=0), resamples=300, rng=RNG(1))
    assert fleiss.interval.low < fleiss.value < fleiss.interval.high


def test_shuffled_labels_agree_by_chance() -> None:
    one, other = RNG(3).integers(0, 4, (2, 20_000))
    for weights in SCHEMES:
        assert cohen_kappa(one, other, weights=weights).value == pytest.approx(0, abs=0.03)


def test_the_interval_of_many_alike_items_is_that_of_a_plain_bootstrap() -> None:
    """Items with the same counts are drawn as one class; the reference draws them one by one."""
    rng = RNG(4)
    counts = rng.multinomial(3, [0.7, 0.2, 0.1], size=400)
    draws = [gwet_ac1(counts[rng.integers(0, 400, 400)]).value for _ in range(600)]
    low, high = np.quantile(draws, [0.025, 0.975])
    found = gwet_ac1(counts, resamples=4000, rng=RNG(5)).interval
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.008)
