import numpy as np
import pytest

from metrics.statistics.power import detectable_difference, required_judgments, simulate_power
from tests.metrics.statistics.reference_values import NORMAL_SAMPLE_SIZES

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
    found = simulate_power(pilot, np.arange(4_000), difference=0.2, n_groups=393, rng=RNG(2))
    assert found.power == pytest.approx(0.8, abs=0.06)


def test_no_difference_is_found_as_often_as_alpha_says() -> None:
    rng = RNG(3)
    pilot = rng.normal(size=(300, 4)) + rng.normal(size=(300, 1))
    found = simulate_power(pilot.ravel(), np.repeat(np.arange(300), 4), difference=0.0, n_groups=60, rng=rng)
    assert found.power == pytest.approx(0.05, abs=0.025)


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
