"""All pairs of metrics by one set of swaps, and the groups without significant differences."""

import numpy as np
import pytest

from metrics.statistics.correlation import comparing as module
from metrics.statistics.correlation.comparing import compare_accuracies, significance_groups
from metrics.statistics.correlation.pairwise import ordered_alike, outcome_pairs, pairwise_accuracy_with_ties


def scores(seed: int = 5) -> tuple[np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 6, size=(5, 60)).astype(float)
    return human, [human + rng.normal(size=human.shape) * noise for noise in (0.5, 1.5, 1.7)]


def swapped_alone(human: np.ndarray, metrics: list[np.ndarray], resamples: int) -> tuple[float, float]:
    """The difference of two metrics and its p, one swap of all outcomes after another."""
    pairs = [outcome_pairs(human, metric, by="item") for metric in metrics]
    accuracies = [pairwise_accuracy_with_ties(human, metric) for metric in metrics]
    first, second = (
        ordered_alike(pair.human, pair.metric, accuracy.epsilon).astype(float)
        for pair, accuracy in zip(pairs, accuracies, strict=True)
    )
    gain = (first - second) * pairs[0].weights
    rng = np.random.default_rng(2)
    swaps = [(gain * rng.choice([-1, 1], gain.size)).sum() for _trial in range(resamples)]
    extreme = sum(bool(swap >= gain.sum() - 1e-12) for swap in swaps)
    return accuracies[0].value - accuracies[1].value, (extreme + 1) / (resamples + 1)


def test_the_differences_and_p_are_those_of_two_metrics_alone() -> None:
    human, metrics = scores()
    result = compare_accuracies(human, metrics, resamples=2_000, rng=np.random.default_rng(1))
    for first, second in ((0, 1), (1, 2), (2, 0)):
        difference, p = swapped_alone(human, [metrics[first], metrics[second]], 2_000)
        assert result.difference[first, second] == pytest.approx(difference)
        assert result.p[first, second] == pytest.approx(p, abs=0.03)


def test_a_missing_score_leaves_its_pairs_out_of_both() -> None:
    human, metrics = scores()
    metrics[1][2, :30] = np.nan
    result = compare_accuracies(human, metrics, resamples=50, rng=np.random.default_rng(1))
    masked = metrics[0].copy()
    masked[2, :30] = np.nan
    alone = compare_accuracies(human, [masked, metrics[1]], resamples=50, rng=np.random.default_rng(1))
    assert result.difference[0, 1] == pytest.approx(alone.difference[0, 1], abs=0.02)


def test_swapping_in_parts_draws_the_same_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    human, metrics = scores()
    whole = compare_accuracies(human, metrics, resamples=200, rng=np.random.default_rng(1))
    monkeypatch.setattr(module, "_GAINS_AT_ONCE", 1)
    parts = compare_accuracies(human, metrics, resamples=200, rng=np.random.default_rng(1))
    np.testing.assert_allclose(parts.p, whole.p, atol=0.12)
    np.testing.assert_allclose(parts.difference, whole.difference)


def test_metrics_without_a_common_pair_are_not_compared() -> None:
    human = np.arange(8.0).reshape(2, 4)
    one, other = human.copy(), human.copy()
    one[:, :2], other[:, 2:] = np.nan, np.nan
    result = compare_accuracies(human, [one, other], resamples=10, rng=np.random.default_rng(1))
    assert np.isnan(result.p).all()
    assert np.isnan(result.difference).all()


def test_less_than_one_resample_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        compare_accuracies([[1.0]], [], resamples=0, rng=np.random.default_rng(1))


def test_a_metric_that_any_of_the_group_beats_begins_the_next() -> None:
    nan = np.nan
    p = [[nan, 0.3, 0.01, 0.001], [0.7, nan, 0.2, 0.3], [0.99, 0.8, nan, 0.06], [1, 0.7, 0.94, nan]]
    assert significance_groups(p) == [1, 1, 2, 2]
    assert significance_groups(p, alpha=0.3) == [1, 1, 2, 3]
    assert significance_groups(np.zeros((0, 0))) == []
