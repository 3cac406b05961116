import math

import pytest

from metrics.statistics.significance import paired_t
from tests.metrics.statistics import reference_values as foreign


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
