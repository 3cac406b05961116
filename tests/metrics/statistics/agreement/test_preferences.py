import numpy as np
import pytest

from metrics.statistics.agreement.preferences import preference_kappa


def test_intra_takes_ties_from_all_labels_of_the_segment() -> None:
    """Judge a repeats x|y on segment 1 and says something of x|z there; b repeats nothing."""
    result = preference_kappa(
        [1, 1, 1, 1, 2],
        ["x|y", "x|y", "x|z", "x|y", "x|y"],
        ["a", "a", "a", "b", "a"],
        [1, 1, 0, 1, 0],
        mode="intra",
    )
    assert (result.agreed, result.comparable, result.ties, result.total) == (1, 1, 1, 3)


def test_inter_counts_a_judges_own_repeats() -> None:
    result = preference_kappa([1, 1, 1], ["x|y"] * 3, ["a", "a", "b"], [1, 1, -1])
    assert (result.agreed, result.comparable) == (1, 3)


def test_what_does_not_exist_says_why() -> None:
    assert preference_kappa([], [], [], []).reason == "no_overlap"
    assert preference_kappa([1, 2], ["x|y"] * 2, ["a", "b"], [1, 1]).reason == "no_overlap"
    assert preference_kappa([1, 1], ["x|y"] * 2, ["a", "b"], [0, 0]).reason == "no_variation"
    assert preference_kappa([1, 2], ["x|y"] * 2, ["a", "b"], [1, 1], mode="intra").reason == "no_overlap"
    with pytest.raises(ValueError, match="labels"):
        preference_kappa([1], ["x|y"], ["a"], [2])
    with pytest.raises(ValueError, match="mode"):
        preference_kappa([1], ["x|y"], ["a"], [1], mode="extra")  # type: ignore[arg-type]


def test_guesses_agree_by_chance_and_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    segments, judges = np.repeat(np.arange(3_000), 3), np.tile(["a", "b", "c"], 3_000)
    labels = rng.choice([-1, 0, 1], 9_000)
    result = preference_kappa(segments, ["x|y"] * 9_000, judges, labels, resamples=200, rng=rng)
    assert result.value == pytest.approx(0, abs=0.03)
    assert result.interval.low < result.value < result.interval.high
    order = rng.permutation(9_000)
    again = preference_kappa(segments[order], ["x|y"] * 9_000, judges[order], labels[order])
    assert again.value == result.value
