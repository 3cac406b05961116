"""Where a correlation would lie with other segments, other systems, or both."""

from typing import Any

import numpy as np
import pytest

from metrics.statistics.correlation.coefficients import kendall, pearson
from metrics.statistics.correlation.grouped import correlation_interval, grouped
from metrics.statistics.correlation.pairwise import By, kendall_like
from tests.metrics.statistics.reference_values import (
    CLEAR_HUMAN,
    CLEAR_METRIC,
    CLEAR_PAIRS,
    POINTS_HIGH,
    POINTS_LOW,
    POINTS_X,
    POINTS_Y,
)

RNG = np.random.default_rng
RESAMPLED = ("segments", "systems", "both")


def two(shape: tuple[int, int] = (8, 30), seed: int = 1) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = RNG(seed)
    human = rng.normal(size=shape) + np.arange(shape[0])[:, None] / 3
    return human, human + rng.normal(size=shape)


def test_system_scores_have_the_interval_of_others() -> None:
    result = correlation_interval(pearson, POINTS_X, POINTS_Y, resampled="systems", resamples=5_000, rng=RNG(1))
    assert result.value == pearson(POINTS_X, POINTS_Y).value
    assert result.interval.low == pytest.approx(POINTS_LOW.value, abs=POINTS_LOW.tolerance)
    assert result.interval.high == pytest.approx(POINTS_HIGH.value, abs=POINTS_HIGH.tolerance)


@pytest.mark.parametrize("by", ["none", "item", "system"])
@pytest.mark.parametrize("resampled", RESAMPLED)
def test_the_interval_of_every_way_of_drawing_contains_the_value(resampled: Any, by: By) -> None:
    result = correlation_interval(kendall, *two((6, 20)), by=by, resampled=resampled, resamples=100, rng=RNG(2))
    assert result.value == grouped(kendall, *two((6, 20)), by=by).value
    # over whole rows drawn twice within a segment, ties make tau lower than it is: the upper end alone need not hold it
    assert result.interval.low < result.value
    assert result.interval.low < result.interval.high


@pytest.mark.parametrize(("by", "resampled"), [("item", "segments"), ("system", "systems")])
def test_draws_are_of_whole_segments_or_whole_systems(by: By, resampled: Any) -> None:
    human, metric = two()
    human[2, :5] = np.nan
    human[:, 7] = 3.0
    generator, drawn = RNG(3), []
    for _ in range(100):
        size = human.shape[1] if by == "item" else human.shape[0]
        places = generator.integers(0, size, size=size)
        parts = (human[:, places], metric[:, places]) if by == "item" else (human[places], metric[places])
        drawn.append(grouped(pearson, *parts, by=by).value)
    result = correlation_interval(pearson, human, metric, by=by, resampled=resampled, resamples=100, rng=RNG(3))
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high), abs=1e-12)


def test_documents_are_drawn_whole() -> None:
    human, metric = two((3, 60))
    alike = [np.repeat(each[:, :6], 10, axis=1) for each in (human, metric)]
    documents = np.repeat(np.arange(6), 10)
    options: dict[str, Any] = {"resampled": "segments", "resamples": 300}
    alone = correlation_interval(pearson, *alike, rng=RNG(1), **options).interval
    whole = correlation_interval(pearson, *alike, groups=documents, rng=RNG(1), **options).interval
    assert whole.high - whole.low > 1.5 * (alone.high - alone.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng, covered = RNG(6), 0
    for _ in range(150):
        truth = rng.normal(size=50)
        metric = truth + rng.normal(size=50)
        interval = correlation_interval(pearson, truth, metric, resampled="systems", resamples=200, rng=rng).interval
        covered += interval.low <= np.sqrt(0.5) <= interval.high
    assert 0.87 <= covered / 150 <= 0.99


def test_draws_without_a_value_are_drawn_again() -> None:
    result = correlation_interval(pearson, [1, 2, 4], [1, 3, 4], resampled="systems", resamples=200, rng=RNG(1))
    assert result.redrawn > 0
    assert result.reason == ""
    assert result.interval.high == pytest.approx(1)


def test_what_does_not_exist_says_why() -> None:
    human, metric = two((2, 1))
    assert correlation_interval(pearson, human, human * 0, rng=RNG(1)).reason == "undefined"
    one = correlation_interval(pearson, human, metric, resampled="segments", rng=RNG(1))
    assert (one.reason, np.isnan(one.interval.low), np.isnan(one.value)) == ("too_few", True, False)
    lonely = np.zeros((20, 1))
    lonely[0] = 1

    def only_whole(x: Any, _y: Any) -> float:
        return 1.0 if sorted(set(np.asarray(x).tolist())) == list(range(20)) else float("nan")

    column = np.arange(20.0)
    assert correlation_interval(only_whole, column, column, resampled="systems", rng=RNG(1)).reason == "degenerate"


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="resampled"):
        correlation_interval(pearson, [1, 2], [1, 2], resampled="rows", rng=RNG(1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="resample"):
        correlation_interval(pearson, [1, 2], [1, 2], resamples=0, rng=RNG(1))


def test_clear_pairs_are_counted_as_the_reference_counts_them() -> None:
    result = kendall_like(CLEAR_HUMAN, CLEAR_METRIC)
    assert result.value == pytest.approx(CLEAR_PAIRS.value, abs=CLEAR_PAIRS.tolerance)
    assert (result.concordant, result.discordant) == (129, 77)


def test_the_order_of_systems_and_segments_changes_no_clear_pair() -> None:
    rows, columns = RNG(1).permutation(6), RNG(2).permutation(30)
    human, metric = np.array(CLEAR_HUMAN), np.array(CLEAR_METRIC)
    turned = kendall_like(human[rows][:, columns], metric[rows][:, columns])
    assert turned == kendall_like(human, metric)


def test_without_clear_pairs_there_is_no_value() -> None:
    result = kendall_like([[1, 2], [3, 4]], [[1, 2], [3, 4]])
    assert (result.reason, np.isnan(result.value)) == ("no_clear_pairs", True)
    with pytest.raises(ValueError, match="threshold"):
        kendall_like([[1]], [[1]], threshold=0)
