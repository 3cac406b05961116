from django.utils.translation import override

import pytest

from frontend.templatetags.numbers import decimals, p_value, signed


@pytest.mark.parametrize(
    ("value", "places", "shown"), [(85.78, 1, "85.8"), (34.6, 0, "35"), (-0.456, 2, "−0.46"), (None, 1, "–")]
)
def test_decimals_are_rounded_not_cut_off(value: float | None, places: int, shown: str) -> None:
    assert decimals(value, places) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.309, "+0.31"), (-0.309, "−0.31"), (-0.001, "0.00"), (0.0, "0.00"), (None, "–")]
)
def test_a_signed_number_has_its_sign_but_for_nought(value: float | None, shown: str) -> None:
    assert signed(value, 2) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.744, "0.744"), (0.0009, "< 0.001"), (0.0, "< 0.001"), (0.001, "0.001"), (None, "–")]
)
def test_a_p_value_is_never_shown_as_zero(value: float | None, shown: str) -> None:
    assert p_value(value) == shown


def test_a_sign_stays_before_its_number_in_a_line_from_right_to_left() -> None:
    with override("ar"):
        assert decimals(-0.4, 1) == "\u200e−0,4"
        assert signed(0.4, 1) == "\u200e+0,4"
        assert decimals(0.4, 1) == "0,4"
