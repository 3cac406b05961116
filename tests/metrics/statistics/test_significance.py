import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.significance import Alternative, holm, paired_t, rank_sum, signed_rank, stouffer
from tests.metrics.statistics import reference_values as foreign

ALTERNATIVES: tuple[Alternative, ...] = ("greater", "less", "two-sided")
samples = st.lists(st.integers(-5, 5), min_size=1, max_size=15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_rank_sum_gives_the_published_numbers(alternative: Alternative) -> None:
    test = rank_sum(foreign.AT_TERM, foreign.EARLY, alternative=alternative)
    expected = foreign.PERMEABILITY_P[alternative]
    assert test.statistic == foreign.PERMEABILITY_U.value
    assert test.p == pytest.approx(expected.value, rel=expected.tolerance)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_rank_sum_corrects_for_ties(alternative: Alternative) -> None:
    test = rank_sum(foreign.TIED_X, foreign.TIED_Y, alternative=alternative)
    expected = foreign.TIED_P[alternative]
    assert test.statistic == foreign.TIED_U.value
    assert test.p == pytest.approx(expected.value, rel=expected.tolerance)


@given(samples, samples)
@settings(max_examples=50, deadline=None)
def test_rank_sum_counts_the_pairs_x_wins(x: list[int], y: list[int]) -> None:
    wins = sum((a > b) + (a == b) / 2 for a in x for b in y)
    assert rank_sum(x, y).statistic == wins


@given(samples, samples)
@settings(max_examples=50, deadline=None)
def test_rank_sum_with_the_samples_exchanged_looks_the_other_way(x: list[int], y: list[int]) -> None:
    forth, back = rank_sum(x, y, alternative="greater"), rank_sum(y, x, alternative="less")
    assert forth.p == pytest.approx(back.p, nan_ok=True)


def test_rank_sum_drops_missing_values() -> None:
    with_gaps = rank_sum([*foreign.AT_TERM, math.nan], [math.nan, *foreign.EARLY])
    assert with_gaps == rank_sum(foreign.AT_TERM, foreign.EARLY)


@pytest.mark.parametrize(("x", "y"), [([], [1.0]), ([math.nan], [1.0]), ([2.0, 2.0], [2.0])])
def test_rank_sum_has_no_p_where_nothing_can_be_ranked(x: list[float], y: list[float]) -> None:
    assert math.isnan(rank_sum(x, y).p)


def test_signed_rank_gives_the_published_numbers() -> None:
    test = signed_rank(foreign.BEFORE, foreign.AFTER, alternative="greater")
    assert test.statistic == foreign.DEPRESSION_V.value
    assert test.p == pytest.approx(foreign.DEPRESSION_P.value, abs=foreign.DEPRESSION_P.tolerance)
    assert test.is_exact


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_signed_rank_of_many_pairs_is_the_normal_approximation(alternative: Alternative) -> None:
    expected = foreign.MANY_P[alternative]
    test = signed_rank(foreign.MANY_DIFFERENCES, np.zeros(60), alternative=alternative)
    assert not test.is_exact
    assert test.n == 57
    assert test.p == pytest.approx(expected.value, abs=expected.tolerance)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
@settings(max_examples=50, deadline=None)
def test_signed_rank_is_exact_with_ties_too(differences: list[int]) -> None:
    """Against counting all sign patterns one by one."""
    nonzero = np.array([difference for difference in differences if difference])
    test = signed_rank(differences, np.zeros(len(differences)), alternative="greater")
    if not nonzero.size:
        assert math.isnan(test.p)
        return
    sizes = np.abs(nonzero)
    ranks = np.array([(sizes < size).sum() + ((sizes == size).sum() + 1) / 2 for size in sizes])
    patterns = (np.arange(2**sizes.size)[:, None] >> np.arange(sizes.size)) & 1
    assert test.p == pytest.approx(np.mean(patterns @ ranks >= ranks[nonzero > 0].sum()))


@pytest.mark.parametrize(("n", "can_pass"), [(4, False), (5, True)])
def test_signed_rank_needs_five_differing_pairs_to_reach_five_per_cent(n: int, *, can_pass: bool) -> None:
    assert (signed_rank(range(1, n + 1), [0] * n, alternative="greater").p < 0.05) is can_pass


def test_an_unknown_alternative_is_refused() -> None:
    with pytest.raises(ValueError, match="sideways"):
        rank_sum([1], [2], alternative="sideways")  # type: ignore[arg-type]


def test_pairs_must_be_pairs() -> None:
    with pytest.raises(ValueError, match="2 and 3"):
        signed_rank([1, 2], [1, 2, 3])


def test_the_published_t_and_p_of_the_sleep_data() -> None:
    test = paired_t(foreign.FIRST_DRUG, foreign.SECOND_DRUG)
    assert test.statistic == pytest.approx(foreign.SLEEP_T.value, abs=foreign.SLEEP_T.tolerance)
    assert test.p == pytest.approx(foreign.SLEEP_P.value, abs=foreign.SLEEP_P.tolerance)
    assert test.difference == pytest.approx(-1.58)


def test_one_side_of_it() -> None:
    expected = foreign.SLEEP_P_LESS
    less = paired_t(foreign.FIRST_DRUG, foreign.SECOND_DRUG, alternative="less")
    greater = paired_t(foreign.FIRST_DRUG, foreign.SECOND_DRUG, alternative="greater")
    assert less.p == pytest.approx(expected.value, rel=expected.tolerance)
    assert less.p + greater.p == pytest.approx(1)


def test_an_incomplete_pair_is_left_out() -> None:
    gaps = paired_t([*foreign.FIRST_DRUG, math.nan, 3.0], [*foreign.SECOND_DRUG, 5.0, math.nan])
    assert gaps == paired_t(foreign.FIRST_DRUG, foreign.SECOND_DRUG)


@pytest.mark.parametrize(("x", "y"), [([], []), ([1.0], [2.0]), ([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])])
def test_without_spread_there_is_no_p(x: list[float], y: list[float]) -> None:
    assert math.isnan(paired_t(x, y).p)


def test_holm_by_hand() -> None:
    """0.01 * 5, 0.02 * 4, 0.03 * 3, then 0.04 * 2 and 0.05 * 1 lifted to the one before."""
    assert holm([0.03, 0.01, 0.05, 0.02, 0.04]).tolist() == pytest.approx([0.09, 0.05, 0.09, 0.08, 0.09])


def test_holm_is_that_of_others() -> None:
    for value, published in zip(holm(foreign.FIFTEEN_P), foreign.FIFTEEN_HOLM, strict=True):
        assert value == pytest.approx(published.value, abs=published.tolerance)


def test_holm_never_lowers_a_p_nor_passes_one() -> None:
    p = np.random.default_rng(1).uniform(size=30)
    corrected = holm(p)
    assert (corrected >= p).all()
    assert (corrected <= 1).all()
    assert (np.diff(corrected[np.argsort(p)]) >= 0).all()


def test_a_pair_that_could_not_be_tested_is_no_test() -> None:
    corrected = holm([0.01, math.nan, 0.04])
    assert corrected[[0, 2]].tolist() == pytest.approx([0.02, 0.04])
    assert math.isnan(corrected[1])
    assert holm([]).size == 0


def test_stouffer_gives_the_published_number() -> None:
    expected = foreign.FOUR_P_COMBINED
    assert stouffer(foreign.FOUR_P).p == pytest.approx(expected.value, rel=expected.tolerance)


def test_with_signs_opposite_effects_cancel_and_equal_ones_add_up() -> None:
    assert stouffer([0.01, 0.01], signs=[1, -1]).p == pytest.approx(1)
    agreeing = stouffer([0.04, 0.04], signs=[-1, -1])
    assert agreeing.p < 0.04
    assert agreeing.statistic < 0
    assert stouffer([0.04], signs=[1]).p == pytest.approx(0.04)


def test_parts_without_p_are_left_out_and_contradictory_certainty_is_no_p() -> None:
    assert stouffer([0.04, math.nan]).n == 1
    assert math.isnan(stouffer([]).p)
    assert math.isnan(stouffer([0.0, 1.0]).p)
    assert stouffer([0.0, 0.5]).p == 0


def test_a_p_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([1.2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        stouffer([-0.1])
