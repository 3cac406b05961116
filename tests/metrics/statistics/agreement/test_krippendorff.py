import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.agreement.krippendorff import LEVELS, Level, krippendorff_alphas
from metrics.statistics.arrays import FloatArray
from tests.metrics.statistics.one_case import krippendorff_alpha
from tests.metrics.statistics.reference_values import OBSERVERS, OBSERVERS_ALPHA


def by_pairs(ratings: FloatArray, level: Level) -> float:
    """The definition, pair by pair."""
    units = [column[~np.isnan(column)] for column in ratings.T]
    units = [unit for unit in units if unit.size > 1]
    everything = np.concatenate(units)

    def apart(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        if level == "ratio":
            return float(((a - b) / (a + b)) ** 2) if a + b else 0.0
        low, high = min(a, b), max(a, b)
        between = np.count_nonzero((everything >= low) & (everything <= high))
        return float(between - (np.count_nonzero(everything == low) + np.count_nonzero(everything == high)) / 2) ** 2

    n = everything.size
    within = sum(apart(a, b) / (unit.size - 1) for unit in units for a in unit for b in unit)
    overall = sum(apart(a, b) for a in everything for b in everything if a != b)
    return 1 - float(within / n) / float(overall / (n * (n - 1)))


@pytest.mark.parametrize("level", LEVELS)
def test_the_example_of_the_paper(level: Level) -> None:
    foreign = OBSERVERS_ALPHA[level]
    assert krippendorff_alpha(OBSERVERS, level=level).value == pytest.approx(foreign.value, abs=foreign.tolerance)
    assert krippendorff_alpha(OBSERVERS, level=level).n == 40


@pytest.mark.parametrize("level", LEVELS)
@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_sums_give_what_pairs_give(level: Level, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 9, (4, 12)) * rng.choice([1.0, 0.37])
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    result = krippendorff_alpha(ratings, level=level)
    if result.reason == "":
        assert result.value == pytest.approx(by_pairs(ratings, level), abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@given(st.permutations(range(4)), st.permutations(range(12)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_annotators_and_items_changes_nothing(level: Level, rows: list[int], columns: list[int]) -> None:
    ratings = np.array(OBSERVERS)
    turned = ratings[rows][:, columns]
    before, after = krippendorff_alpha(ratings, level=level), krippendorff_alpha(turned, level=level)
    assert after.value == pytest.approx(before.value, abs=1e-12)


def test_an_interval_scale_may_shift_and_stretch_and_an_ordinal_one_may_bend() -> None:
    ratings = np.array(OBSERVERS)
    interval = krippendorff_alpha(ratings, level="interval").value
    assert krippendorff_alpha(ratings * 7 - 1e6, level="interval").value == pytest.approx(interval, abs=1e-9)
    ordinal = krippendorff_alpha(ratings, level="ordinal").value
    assert krippendorff_alpha(ratings**3, level="ordinal").value == pytest.approx(ordinal, abs=1e-12)
    ratio = krippendorff_alpha(ratings, level="ratio").value
    assert krippendorff_alpha(ratings * 1e-4, level="ratio").value == pytest.approx(ratio, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_shuffled_ratings_agree_by_chance(level: Level) -> None:
    ratings = np.random.default_rng(5).integers(1, 8, (3, 4000)).astype(float)
    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(0, abs=0.04)


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_agreement_is_one(level: Level) -> None:
    one = np.arange(50.0) % 7
    assert krippendorff_alpha([one, one], level=level).value == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_what_does_not_exist_says_why(level: Level) -> None:
    assert krippendorff_alpha([[1, 2, np.nan], [np.nan, np.nan, 3]], level=level).reason == "no_overlap"
    assert krippendorff_alphas([], [])[level].reason == "no_overlap"
    for same in (0.0, 0.1, 70.0):
        result = krippendorff_alpha(np.full((3, 4), same), level=level)
        assert result.reason == "no_variation"
        assert np.isnan(result.value)
    assert krippendorff_alpha([[-1, 2, 3], [1, 2, 3]], level="ratio").reason == "negative_ratings"
    with pytest.raises(ValueError, match="level"):
        krippendorff_alpha([[1, 2]], level="cardinal")  # type: ignore[arg-type]


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_hold_the_value_and_are_the_same_alone_and_together(level: Level) -> None:
    matrix = np.array(OBSERVERS)
    alone = krippendorff_alpha(matrix, level=level, resamples=200, rng=np.random.default_rng(1))
    assert alone.interval.low < alone.value < alone.interval.high
    values, items = matrix[~np.isnan(matrix)], np.nonzero(~np.isnan(matrix))[1]
    together = krippendorff_alphas(values, items, resamples=200, rng=np.random.default_rng(1))[level]
    assert together == alone


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Two annotators see the truth with noise of the same variance: alpha is one half."""
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(120):
        truth = rng.normal(size=80)
        ratings = truth + rng.normal(size=(2, 80))
        interval = krippendorff_alpha(ratings, level="interval", resamples=300, rng=rng).interval
        covered += interval.low <= 0.5 <= interval.high
    assert 0.88 <= covered / 120 <= 1.0


def test_a_million_continuous_values_need_no_table() -> None:
    """A hundredth of them here; the benchmark takes them all."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=2_000)
    ratings = truth + rng.normal(size=(5, 2_000))
    assert krippendorff_alpha(ratings, level="interval").value == pytest.approx(0.5, abs=0.03)
    assert krippendorff_alpha(ratings, level="ordinal").value == pytest.approx(0.48, abs=0.03)
