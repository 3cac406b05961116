import math

import numpy as np
import pytest

from metrics.statistics.significance import holm, stouffer
from tests.metrics.statistics import reference_values as foreign


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
