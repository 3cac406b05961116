"""How often a rule differs where nothing can: the rate, its interval, and what is exchanged."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import scipy

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.calibration import documents_permuted, placebo_rate, wilson_interval
from metrics.statistics.permutation import p_of_flips, paired_permutation_all
from tests.metrics.statistics.one_case import paired_permutation


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def noise(documents: int = 30, each: int = 3, *, shared: float = 0.0) -> tuple[FloatArray, IntArray]:
    """Two systems, whose segments of a document share some of their noise."""
    codes = np.repeat(np.arange(documents), each)
    return rng().normal(size=(2, codes.size)) + shared * rng().normal(size=(2, documents))[:, codes], codes


def t_test(x: FloatArray, y: FloatArray, _documents: IntArray, _rng: np.random.Generator) -> bool:
    return bool(scipy.stats.ttest_rel(x, y).pvalue < 0.05)


@pytest.mark.parametrize(("count", "trials"), [(0, 20), (1, 30), (54, 1000), (30, 30)])
def test_wilsons_interval_is_that_of_scipy(count: int, trials: int) -> None:
    theirs = scipy.stats.binomtest(count, trials).proportion_ci(method="wilson")
    ours = wilson_interval(count, trials)
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=1e-12)


def test_no_trials_have_no_interval_and_impossible_counts_are_refused() -> None:
    assert wilson_interval(0, 0).reason == "too_few_items"
    with pytest.raises(ValueError, match="3 of 2"):
        wilson_interval(3, 2)


def test_a_rule_that_takes_segments_for_independent_cries_wolf_where_documents_are_alike() -> None:
    values, codes = noise(shared=2.0)
    result = placebo_rate(values, documents=codes, rule=t_test, swaps=400, rng=rng())
    assert result.rate > 0.15
    assert result.interval.low < result.rate < result.interval.high
    assert result.trials == 400
    alone = placebo_rate(noise()[0], documents=codes, rule=t_test, swaps=400, rng=rng())
    assert alone.interval.low < 0.06


def test_all_trials_may_be_answered_at_once() -> None:
    values, codes = noise(shared=1.0)

    def at_once(x: FloatArray, y: FloatArray, documents: IntArray, own: np.random.Generator) -> list[bool]:
        return [t_test(one, other, documents, own) for one, other in zip(x, y, strict=True)]

    one_by_one = placebo_rate(values, documents=codes, rule=t_test, swaps=50, rng=rng())
    assert placebo_rate(values, documents=codes, rule=at_once, swaps=50, rng=rng(), at_once=True) == one_by_one
    with pytest.raises(ValueError, match="once for each of 50 trials"):
        placebo_rate(values, documents=codes, rule=lambda *_: [True], swaps=50, rng=rng(), at_once=True)


def test_a_shift_of_one_system_changes_nothing() -> None:
    values, codes = noise(shared=1.0)
    first = placebo_rate(values, documents=codes, rule=t_test, swaps=100, rng=rng())
    shifted = placebo_rate(values + np.array([[40.0], [0.0]]), documents=codes, rule=t_test, swaps=100, rng=rng())
    assert shifted == first


def test_gaps_go_along_with_the_labels() -> None:
    values, codes = noise(8)
    values[0, :3] = np.nan
    gaps = []

    def look(x: FloatArray, y: FloatArray, *_: Any) -> bool:
        gaps.append((bool(np.isnan(x[:3]).all()), bool(np.isnan(y[:3]).all())))
        assert not np.isnan(x[3:]).any()
        return False

    placebo_rate(values, documents=codes, rule=look, swaps=30, rng=rng())
    assert set(gaps) == {(True, False), (False, True)}


def test_fewer_than_six_documents_say_nothing() -> None:
    values, codes = noise(5)
    result = placebo_rate(values, documents=codes, rule=t_test, swaps=10, rng=rng())
    assert np.isnan(result.rate)
    assert (result.trials, result.reason) == (0, "few_documents")
    values, codes = noise(6)
    values[0, codes == 5] = np.nan
    assert placebo_rate(values, documents=codes, rule=t_test, swaps=10, rng=rng()).reason == "few_documents"


@pytest.mark.parametrize(("values", "swaps"), [(np.zeros((3, 4)), 10), (np.zeros((2, 4)), 0)])
def test_what_is_no_pair_and_no_swap_is_refused(values: FloatArray, swaps: int) -> None:
    with pytest.raises(ValueError, match=r"two systems|one swap"):
        placebo_rate(values, documents=range(4), rule=t_test, swaps=swaps, rng=rng())


def test_a_permuted_campaign_has_the_same_values_in_every_document() -> None:
    values = rng().normal(size=(4, 12))
    values[0, :2] = np.nan
    codes = np.repeat(np.arange(4), 3)
    permuted = documents_permuted(values, codes, rng())
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    for document in range(4):
        rows = [sets_of(matrix[:, codes == document]) for matrix in (permuted, centred)]
        assert rows[0] == rows[1]


def sets_of(rows: Iterable[FloatArray]) -> list[list[float]]:
    return sorted([float(cell) for cell in np.nan_to_num(row, nan=9.0).round(12)] for row in rows)


@pytest.mark.parametrize("documents", [7, 80])
def test_p_of_sums_is_that_of_the_test(documents: int) -> None:
    values, codes = noise(documents, 2)
    whole = paired_permutation(*values, groups=codes, resamples=500, rng=rng())
    sums: FloatArray = np.bincount(codes, weights=values[0] - values[1])[:, None].astype(np.float64)
    assert p_of_flips(sums, resamples=500, rng=rng())[0] == whole.p
    every = paired_permutation_all(values, groups=codes, resamples=500, rng=rng())
    is_same: BoolArray = every.p[0, 1] == whole.p
    assert is_same
