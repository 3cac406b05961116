"""All pairs of ratings of one item together."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics.statistics.agreement.pairs import MOST_PAIRS, pooled_pairs
from tests.metrics.statistics.reference_values import OBSERVERS

MATRIX = np.array(OBSERVERS)
VALUES, ITEMS = MATRIX[~np.isnan(MATRIX)], np.nonzero(~np.isnan(MATRIX))[1]


def test_numbers_are_those_of_others_on_pairs_formed_one_by_one() -> None:
    pairs = [pair for column in MATRIX.T for pair in combinations(column[~np.isnan(column)].tolist(), 2)]
    one, other = np.array(pairs + [pair[::-1] for pair in pairs]).T
    result = pooled_pairs(VALUES, ITEMS)
    assert result.n == len(pairs)
    assert result.pearson == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-12)
    assert result.kendall_b == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)
    assert result.difference == pytest.approx(np.abs(one - other).mean())
    assert result.identical == pytest.approx(np.mean(one == other))


@settings(max_examples=30)
@given(st.permutations(range(VALUES.size)))
def test_who_rated_first_changes_nothing(order: list[int]) -> None:
    before, after = pooled_pairs(VALUES, ITEMS), pooled_pairs(VALUES[order], ITEMS[order])
    assert (after.n, after.identical, after.difference) == pytest.approx(
        (before.n, before.identical, before.difference)
    )
    assert (after.pearson, after.kendall_b) == pytest.approx((before.pearson, before.kendall_b))


def test_shuffled_ratings_are_alike_by_chance() -> None:
    rng = np.random.default_rng(1)
    result = pooled_pairs(rng.normal(size=20_000), np.repeat(np.arange(5_000), 4))
    assert result.pearson == pytest.approx(0, abs=0.02)
    assert result.kendall_b == pytest.approx(0, abs=0.02)


def test_what_does_not_exist_says_why() -> None:
    assert pooled_pairs([1, 2, np.nan], ["a", "b", "b"]).reason == "no_overlap"
    assert pooled_pairs([], []).reason == "no_overlap"
    many = int(np.sqrt(2 * MOST_PAIRS)) + 2
    assert pooled_pairs(np.zeros(many), np.zeros(many)).reason == "too_many"
    equal = pooled_pairs([3, 3], ["a", "a"])
    assert (equal.difference, equal.identical, np.isnan(equal.pearson)) == (0, 1, True)
