import numpy as np
import pytest

from metrics.statistics.power import (
    design_effect,
    detectable_difference,
    detectable_in,
    intraclass_correlation,
    required_judgments,
    simulate_power,
)
from tests.metrics.statistics.reference_values import NORMAL_SAMPLE_SIZES, PAIRS_ICC, PAIRS_OF_SEGMENTS, T_POWER

RNG = np.random.default_rng


def test_numbers_are_those_of_others_rounded_up() -> None:
    for difference, foreign in NORMAL_SAMPLE_SIZES.items():
        assert required_judgments(difference).judgments == int(np.ceil(foreign.value))
        assert detectable_difference(int(np.ceil(foreign.value))) == pytest.approx(difference, rel=2e-3)


def test_pairing_saves_and_clusters_cost() -> None:
    plain = required_judgments(0.2).judgments
    assert required_judgments(0.2, paired_correlation=0.5).judgments == pytest.approx(plain / 2, abs=1)
    clustered = required_judgments(0.2, per_segment=3, agreement=0.4)
    assert clustered.design_effect == pytest.approx(1.8)
    assert clustered.judgments == pytest.approx(plain * 1.8, abs=1)
    assert clustered.segments == -(-clustered.judgments // 3)


@pytest.mark.parametrize(
    "wrong", [{"difference": 0}, {"difference": 0.1, "power": 1}, {"difference": 0.1, "paired_correlation": 1}]
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="outside its range"):
        required_judgments(**wrong)  # type: ignore[arg-type]


def test_no_judgments_find_nothing() -> None:
    assert detectable_difference(0) == float("inf")
    with pytest.raises(ValueError, match="outside its range"):
        detectable_difference(-1)


def test_simulation_and_formula_agree_on_independent_differences() -> None:
    """Differences of deviation sqrt(2): 393 documents of one segment find 0.2 four times of five."""
    pilot = RNG(1).normal(scale=np.sqrt(2), size=4_000)
    result = simulate_power(pilot, np.arange(4_000), difference=0.2, n_groups=393, rng=RNG(2))
    assert result.power == pytest.approx(0.8, abs=0.06)


def test_simulated_power_is_that_of_the_t_test() -> None:
    pilot = RNG(11).normal(size=20_000)
    result = simulate_power(pilot, np.arange(20_000), difference=0.5, n_groups=30, simulations=4_000, rng=RNG(12))
    assert result.power == pytest.approx(T_POWER.value, abs=T_POWER.tolerance)


def test_no_difference_is_found_as_often_as_alpha_says() -> None:
    rng = RNG(3)
    pilot = rng.normal(size=(300, 4)) + rng.normal(size=(300, 1))
    result = simulate_power(pilot.ravel(), np.repeat(np.arange(300), 4), difference=0.0, n_groups=60, rng=rng)
    assert result.power == pytest.approx(0.05, abs=0.025)


def test_documents_that_hang_together_need_more() -> None:
    rng = RNG(4)
    loose = rng.normal(size=(200, 5))
    tight = np.repeat(rng.normal(size=(200, 1)), 5, axis=1)
    groups = np.repeat(np.arange(200), 5)
    power = [
        simulate_power(pilot.ravel(), groups, difference=0.2, n_groups=50, rng=rng).power for pilot in (loose, tight)
    ]
    assert power[0] > power[1] + 0.3


def test_what_does_not_exist_says_why() -> None:
    assert simulate_power([1, 2], ["a", "a"], difference=1, n_groups=9, rng=RNG(1)).reason == "few_documents"
    assert simulate_power([], [], difference=1, n_groups=9, rng=RNG(1)).reason == "few_documents"
    assert simulate_power([1, 2], ["a", "b"], difference=1, n_groups=1, rng=RNG(1)).reason == "few_documents"
    assert simulate_power([1, 1], ["a", "b"], difference=1, n_groups=5, rng=RNG(1)).power == 1
    assert simulate_power([1, 1], ["a", "b"], difference=0, n_groups=5, rng=RNG(1)).power == 0


def test_what_n_buys_is_what_n_is_needed_for() -> None:
    effect = design_effect(per_segment=2, agreement=0.3, per_document=8, document_correlation=0.15)
    assert effect == pytest.approx(1.3 * 2.05)
    needed = required_judgments(
        0.25, per_segment=2, agreement=0.3, per_document=8, document_correlation=0.15, paired_correlation=0.4
    )
    result = detectable_difference(needed.judgments, design_effect=effect, paired_correlation=0.4)
    assert result == pytest.approx(0.25, rel=1e-3)
    for wrong in ({"per_segment": 0}, {"agreement": -0.1}, {"document_correlation": 2}):
        with pytest.raises(ValueError, match="outside its range"):
            design_effect(**wrong)


def test_likeness_within_groups_is_that_of_others() -> None:
    assert intraclass_correlation(*PAIRS_OF_SEGMENTS) == pytest.approx(PAIRS_ICC.value, abs=PAIRS_ICC.tolerance)


def test_likeness_of_documents_is_found_again() -> None:
    rng = RNG(9)
    values = (rng.normal(size=(2_000, 1)) + 2 * rng.normal(size=(2_000, 5))).ravel()
    assert intraclass_correlation(values, np.repeat(np.arange(2_000), 5)) == pytest.approx(0.2, abs=0.03)
    assert intraclass_correlation(rng.permutation(values), np.repeat(np.arange(2_000), 5)) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize(
    ("values", "groups"), [([1, 2], ["a", "a"]), ([1, 2], ["a", "b"]), ([3, 3, 3, 3], list("aabb")), ([], [])]
)
def test_without_groups_or_variation_there_is_no_likeness(values: list[float], groups: list[str]) -> None:
    assert np.isnan(intraclass_correlation(values, groups))


def test_clusters_of_the_pilot_cost_what_the_design_effect_says() -> None:
    """Simulated power at the number of documents the formula asks for is the power asked for."""
    rng = RNG(10)
    pilot = (rng.normal(scale=0.5, size=(1_500, 1)) + rng.normal(scale=np.sqrt(1.75), size=(1_500, 6))).ravel()
    documents = np.repeat(np.arange(1_500), 6)
    alike = intraclass_correlation(pilot, documents)
    needed = required_judgments(0.2, per_document=6, document_correlation=alike)
    result = simulate_power(pilot, documents, difference=0.2, n_groups=-(-needed.judgments // 6), rng=rng)
    assert result.power == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize("per_document", [1, 4])
def test_a_detectable_difference_is_found_with_the_power_it_promises(per_document: int) -> None:
    """By simulation with whole documents, on differences that documents share in part."""
    rng = RNG(3)
    documents = np.repeat(np.arange(60), per_document)
    differences = rng.normal(size=documents.size) + rng.normal(size=60)[documents]
    difference = detectable_in(differences, documents)
    simulated = simulate_power(differences, documents, difference=difference, n_groups=60, rng=rng)
    assert simulated.power == pytest.approx(0.8, abs=0.05)
    assert detectable_in([*differences, np.nan], [*documents, 99]) == difference


def test_differences_of_one_document_show_nothing() -> None:
    assert np.isnan(detectable_in([1.0, 2.0], ["a", "a"]))
    assert detectable_in([1.0, 1.0], ["a", "b"]) == 0.0
    with pytest.raises(ValueError, match="outside its range"):
        detectable_in([1.0, 2.0], ["a", "b"], power=1)
