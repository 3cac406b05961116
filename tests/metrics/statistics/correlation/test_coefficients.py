from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.correlation.coefficients import Correlation, _inversions, kendall, pearson, spearman
from tests.metrics.statistics.reference_values import (
    POINTS_CORRELATION,
    POINTS_X,
    POINTS_Y,
    TIED_POINTS_CORRELATION,
    TIED_POINTS_X,
    TIED_POINTS_Y,
)

FUNCTIONS: dict[str, Callable[..., Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "b": kendall,
    "c": lambda x, y: kendall(x, y, variant="c"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_coefficients_are_those_of_others(name: str) -> None:
    foreign = POINTS_CORRELATION[name]
    assert FUNCTIONS[name](POINTS_X, POINTS_Y).value == pytest.approx(foreign.value, abs=foreign.tolerance)
    foreign = TIED_POINTS_CORRELATION[name]
    assert FUNCTIONS[name](TIED_POINTS_X, TIED_POINTS_Y).value == pytest.approx(foreign.value, abs=foreign.tolerance)


@given(st.integers(2, 60), st.integers(1, 30), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_kendall_counts_every_pair(n: int, kinds: int, seed: int) -> None:
    x, y = np.random.default_rng(seed).integers(0, kinds, (2, n))
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :])
    of_x, of_y = np.count_nonzero(x[:, None] != x[None, :]), np.count_nonzero(y[:, None] != y[None, :])
    result = kendall(x, y)
    if of_x and of_y:
        assert result.value == pytest.approx(signs.sum() / np.sqrt(float(of_x) * of_y), abs=1e-12)
    else:
        assert result.reason == "constant"


@given(st.integers(1, 300), st.integers(1, 400), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_every_pair_in_the_wrong_order_is_an_inversion(n: int, kinds: int, seed: int) -> None:
    codes = np.random.default_rng(seed).integers(0, kinds, n)
    assert _inversions(codes) == np.count_nonzero(np.triu(codes[:, None] > codes[None, :]))


def test_many_values_are_counted_while_sorting_and_few_by_a_table() -> None:
    """Both ways give the same: a thousand values without ties, and their ranks in a small table."""
    rng = np.random.default_rng(4)
    x, y = rng.random(1_000), rng.random(1_000)
    order = np.argsort(np.argsort(y))
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(order[:, None] - order[None, :])
    assert kendall(x, y).value == pytest.approx(signs.sum() / (1_000 * 999), abs=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_does_not_exist_says_why(name: str) -> None:
    function = FUNCTIONS[name]
    assert function([1], [2]).reason == "too_few"
    assert function([1, 2, np.nan], [np.nan, 2, 3]).reason == "too_few"
    assert function([1, 1, 1], [1, 2, 3]).reason == "constant"
    assert np.isnan(float(function([0.1, 0.1, 0.1], [1, 2, 3])))
    with pytest.raises(ValueError, match="paired"):
        function([1, 2], [1])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_shift_and_stretch_change_nothing(name: str) -> None:
    x, y = np.array(POINTS_X), np.array(POINTS_Y)
    assert FUNCTIONS[name](x * 3 - 7, y).value == pytest.approx(FUNCTIONS[name](x, y).value, abs=1e-12)
    assert FUNCTIONS[name](-x, y).value == pytest.approx(-FUNCTIONS[name](x, y).value, abs=1e-12)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="variant"):
        kendall([1, 2], [1, 2], variant="a")  # type: ignore[arg-type]
