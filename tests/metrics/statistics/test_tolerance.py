"""How many penalty points are allowed: the curves that others calibrated, and the limits of one real campaign."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.statistics.tolerance import linear_limits, logarithmic_curve, logarithmic_limits, within_limits
from tests.metrics.real_campaigns import expected_of


@pytest.mark.parametrize("place", range(3))
def test_a_curve_is_the_one_that_was_calibrated_elsewhere(place: int) -> None:
    expected = expected_of("statistics2")["scorecard"]["calibrations"][place]
    curve = logarithmic_curve(*map(tuple, expected["points"]))
    assert (curve.a, curve.b) == pytest.approx((expected["a"], expected["b"]), rel=1e-7)
    words = [float(count) for count in expected["tolerance_at"]]
    assert logarithmic_limits(words, curve=curve) == pytest.approx(list(expected["tolerance_at"].values()), rel=1e-7)


def test_the_systems_of_a_real_campaign_pass_as_counted() -> None:
    systems = expected_of("statistics2")["scorecard"]["mqm-ted-ende"]["systems"].values()
    points, words = (np.array([one[name] for one in systems], dtype=np.float64) for name in ("points", "words"))
    linear = linear_limits(words, per_thousand=100)
    bent = logarithmic_limits(words, curve=logarithmic_curve((1000, 100), (10_000, 700)))
    assert linear == pytest.approx([one["linear_limit"] for one in systems])
    assert bent == pytest.approx([one["logarithmic_limit"] for one in systems])
    assert within_limits(points, linear).tolist() == [one["pass_linear"] for one in systems]
    assert within_limits(points, bent).tolist() == [one["pass_logarithmic"] for one in systems]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((250, 3), (1000, 3)),
        ((250, 3), (1000, 2)),
        ((250, 3), (1000, 12)),
        ((250, 3), (1000, 13)),
        ((1000, 8), (250, 3)),
        ((0, 3), (1000, 8)),
        ((250, 0), (1000, 8)),
    ],
)
def test_points_that_no_curve_goes_through_are_refused(first: tuple[float, float], second: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="E2 / E1"):
        logarithmic_curve(first, second)


def test_nearly_the_same_points_allowed_still_give_a_curve() -> None:
    curve = logarithmic_curve((250, 3), (1000, 3.003))
    assert logarithmic_limits([250, 1000], curve=curve) == pytest.approx([3, 3.003])


def test_points_on_nearly_one_line_give_nearly_that_line() -> None:
    curve = logarithmic_curve((250, 3), (1000, 12 - 1e-9))
    assert logarithmic_limits([100, 500], curve=curve) == pytest.approx([1.2, 6], rel=1e-6)


def test_no_word_allows_no_point_and_unknown_words_no_limit() -> None:
    curve = logarithmic_curve((250, 3), (1000, 8))
    assert logarithmic_limits([0, np.nan], curve=curve).tolist() == pytest.approx([0, np.nan], nan_ok=True)
    assert linear_limits([0, np.nan], per_thousand=5).tolist() == pytest.approx([0, np.nan], nan_ok=True)
    assert np.isnan(within_limits([1, np.nan], [np.nan, 1])).all()


def test_a_sum_of_tenths_at_the_limit_passes() -> None:
    assert within_limits([0.1 + 0.1 + 0.1], [0.3]).tolist() == [1.0]


@given(x1=st.floats(1, 1e5), times=st.floats(1.01, 100), e1=st.floats(0.01, 1e3), share=st.floats(0.02, 0.98))
def test_a_curve_goes_through_both_points_and_bends(x1: float, times: float, e1: float, share: float) -> None:
    ratio = 1 + share * (times - 1)
    curve = logarithmic_curve((x1, e1), (x1 * times, e1 * ratio))
    half = np.sqrt(times)
    at = logarithmic_limits([x1, x1 * half, x1 * times], curve=curve)
    assert at[[0, 2]] == pytest.approx([e1, e1 * ratio], rel=1e-6)
    assert at[1] / at[0] >= at[2] / at[1] * (1 - 1e-9), "longer texts are allowed less and less for each word"
