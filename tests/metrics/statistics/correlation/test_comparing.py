from typing import Any

import numpy as np
import pytest

from metrics.statistics.correlation.coefficients import kendall, pearson, spearman
from metrics.statistics.correlation.comparing import _pearson_swapped, permutation_test, williams_test
from metrics.statistics.correlation.grouped import grouped
from metrics.statistics.correlation.pairwise import (
    By,
    pairwise_accuracy,
    pairwise_accuracy_with_ties,
    soft_pairwise_accuracy,
)

RNG = np.random.default_rng
GROUPINGS: tuple[By, ...] = ("none", "item", "system")


def three(shape: tuple[int, ...], seed: int = 1) -> list[np.ndarray[Any, Any]]:
    """People, a metric close to them and one that is not."""
    rng = RNG(seed)
    people = rng.integers(0, 8, shape).astype(float)
    return [people, people + rng.normal(size=shape), people + 6 * rng.normal(size=shape)]


def test_swaps_at_once_are_swaps_one_by_one() -> None:
    people, first, second = [(column - column.mean()) / column.std() for column in three((12,))]
    masks = RNG(2).integers(0, 2, (5, 12))
    one_by_one = [pearson(people, np.where(mask, second, first)).value for mask in masks]
    assert _pearson_swapped(people, first, second, masks.astype(float)) == pytest.approx(one_by_one, abs=1e-12)


def test_a_clear_difference_is_found_and_none_is_not() -> None:
    people, close, far = three((40,))
    result = permutation_test(people, close, far, resamples=99, rng=RNG(1))
    assert result.difference > 0
    assert result.p <= 0.05
    back = permutation_test(people, far, close, resamples=99, rng=RNG(1))
    assert back.difference == pytest.approx(-result.difference)
    assert back.p > 0.9
    same = permutation_test(people, close, close, resamples=99, rng=RNG(1))
    assert (same.difference, same.p) == (0, 1)


def test_missing_scores_are_left_out_of_all_three() -> None:
    columns = three((30,))
    known = [column[3:].copy() for column in columns]
    for place, column in enumerate(columns):
        column[place] = np.nan
    assert permutation_test(*columns, resamples=50, rng=RNG(1)) == permutation_test(*known, resamples=50, rng=RNG(1))
    people, close, _far = three((5, 30))
    people[:, 3], close[0, 4] = np.nan, np.nan
    assert grouped(pearson, people, close, by="item").groups == 29


def test_what_does_not_exist_says_why() -> None:
    same, some = np.ones((3, 4)), RNG(1).normal(size=(3, 4))
    assert permutation_test(some[0], same[0], some[0], rng=RNG(1)).reason == "constant"
    assert permutation_test(np.full(4, np.nan), some[0], some[0], rng=RNG(1)).reason == "too_few"
    assert williams_test([1, 2, 3], [1, 2, 3], [2, 1, 3]).reason == "too_few"
    assert williams_test([1, 2, 3, 4], [1, 1, 1, 1], [2, 1, 3, 4]).reason == "constant"
    assert williams_test([1, 2, 3, 5], [1, 2, 2, 4], [1, 2, 2, 4]).reason == "identical"
    assert grouped(kendall, [[1], [1]], [[1], [2]], by="item").groups == 0
    assert pairwise_accuracy([1], [1]).n == 0
    assert soft_pairwise_accuracy([[1.0, np.nan]], [[1.0, 2.0]], rng=RNG(1)).n == 0
    assert pairwise_accuracy_with_ties([[1.0, np.nan]], [[1.0, 2.0]]).groups == 0
    with pytest.raises(ValueError, match="by must be"):
        grouped(pearson, same, some, by="column")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one shape"):
        grouped(pearson, same, [[1.0]], by="none")
    with pytest.raises(ValueError, match="resample"):
        permutation_test(some[0], some[0], some[0], resamples=0, rng=RNG(1))


def test_pairs_of_several_languages_are_pooled() -> None:
    human, metric = [1, 2, 1, 2, 3], [1, 2, 2, 1, 3]
    result = pairwise_accuracy(human, metric, groups=["de", "de", "fr", "fr", "fr"])
    assert (result.value, result.n) == (0.75, 4)
    assert pairwise_accuracy([1, 1], [5, 5]).value == 1


def test_a_threshold_is_the_best_there_is() -> None:
    """Against trying every difference."""
    for seed in range(8):
        people, _, far = three((5, 7), seed)
        far = np.round(far, 1)
        result = pairwise_accuracy_with_ties(people, far)
        thresholds = [0.0, *np.abs(far[:, None, :] - far[None, :, :]).ravel()]
        best = max(pairwise_accuracy_with_ties(people, far, epsilon=float(one)).value for one in thresholds)
        assert result.value == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_shuffled_scores_go_with_nothing(function: Any) -> None:
    people, metric = RNG(3).normal(size=(2, 6, 500))
    for by in GROUPINGS:
        assert grouped(function, people, metric, by=by).value == pytest.approx(0, abs=0.06)
