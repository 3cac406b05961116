import math

import numpy as np
import pytest

from metrics.statistics.bootstrap import _resampled_means, bootstrap_interval
from tests.metrics.statistics import reference_values as foreign


def generator(seed: int = 12345) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_published_error_and_interval_of_the_mouse_data() -> None:
    means = _resampled_means(foreign.MICE, resamples=20_000, rng=generator())
    interval = bootstrap_interval(foreign.MICE, resamples=20_000, rng=generator())
    assert means.std() == pytest.approx(foreign.MICE_ERROR.value, abs=foreign.MICE_ERROR.tolerance)
    assert interval.low == pytest.approx(foreign.MICE_LOW.value, abs=foreign.MICE_LOW.tolerance)
    assert interval.high == pytest.approx(foreign.MICE_HIGH.value, abs=foreign.MICE_HIGH.tolerance)


def test_documents_are_drawn_whole_so_that_alike_segments_widen_the_interval() -> None:
    values = np.repeat(generator(1).normal(size=20), 10)
    groups = np.repeat(np.arange(20), 10)
    alone = bootstrap_interval(values, rng=generator())
    whole = bootstrap_interval(values, groups=groups, rng=generator())
    assert whole.high - whole.low > 2 * (alone.high - alone.low)
    per_document = bootstrap_interval(values[::10], rng=generator())
    assert (whole.low, whole.high) == pytest.approx((per_document.low, per_document.high))


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Thirty documents of four segments that hang together; the truth is 1."""
    rng, covered = generator(4), 0
    for _ in range(400):
        values = 1 + np.repeat(rng.normal(size=30), 4) + rng.normal(size=120)
        interval = bootstrap_interval(values, groups=np.repeat(np.arange(30), 4), resamples=300, rng=rng)
        covered += interval.low <= 1 <= interval.high
    assert 0.90 <= covered / 400 <= 0.98


def test_a_longer_document_weighs_by_its_segments() -> None:
    means = _resampled_means([0.0, 0.0, 0.0, 4.0], groups=["a", "a", "a", "b"], resamples=200, rng=generator())
    assert set(means.round(9).tolist()) == {0.0, 1.0, 4.0}


def test_strata_are_drawn_apart_and_count_alike() -> None:
    values, domains = [0.0, 2.0, 10.0, 10.0, 10.0], ["news", "news", "talk", "talk", "talk"]
    means = _resampled_means(values, strata=domains, resamples=200, rng=generator())
    assert set(means.round(9).tolist()) == {5.0, 5.5, 6.0}


def test_missing_values_draw_nothing() -> None:
    gaps = bootstrap_interval([1.0, math.nan, 4.0, 7.0], groups=["a", "n", "b", "c"], rng=generator())
    assert gaps == bootstrap_interval([1.0, 4.0, 7.0], groups=["a", "b", "c"], rng=generator())


def test_shift_and_scale_carry_over_to_the_ends() -> None:
    values = generator(2).normal(size=30)
    plain = bootstrap_interval(values, rng=generator())
    moved = bootstrap_interval(10 * values + 70, rng=generator())
    assert (moved.low, moved.high) == pytest.approx((10 * plain.low + 70, 10 * plain.high + 70))


@pytest.mark.parametrize("values", [[], [5.0], [math.nan, math.nan]])
def test_one_document_or_none_says_nothing(values: list[float]) -> None:
    interval = bootstrap_interval(values, rng=generator())
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


def test_level_and_resamples_are_checked() -> None:
    with pytest.raises(ValueError, match="level"):
        bootstrap_interval([1.0, 2.0], level=95, rng=generator())
    with pytest.raises(ValueError, match="resample"):
        bootstrap_interval([1.0, 2.0], resamples=0, rng=generator())
