"""Many short rows at once: the same numbers as one by one."""

import numpy as np
import pytest

from metrics.statistics.correlation.coefficients import coefficients_of_rows, kendall, pearson, spearman
from metrics.statistics.correlation.pairwise import pairwise_accuracy

ONE_BY_ONE = {
    "pearson": lambda one, other: pearson(one, other).value,
    "spearman": lambda one, other: spearman(one, other).value,
    "kendall_b": lambda one, other: kendall(one, other).value,
    "kendall_c": lambda one, other: kendall(one, other, variant="c").value,
    "accuracy": lambda one, other: pairwise_accuracy(one, other).value,
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_each_row_has_the_value_it_has_alone(name: str) -> None:
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 5, size=(80, 7)).astype(float), rng.normal(size=(80, 7)).round(1)
    human[rng.random(human.shape) < 0.3] = np.nan
    metric[rng.random(human.shape) < 0.1] = np.nan
    result = getattr(coefficients_of_rows(human, metric), name)
    alone = [ONE_BY_ONE[name](one, other) for one, other in zip(human, metric, strict=True)]
    np.testing.assert_allclose(result, alone, atol=1e-12)


def test_a_row_without_two_cells_or_without_differences_has_no_coefficient() -> None:
    nan = np.nan
    human = np.array([[1, nan, nan], [4, 4, 4], [nan, nan, nan]])
    result = coefficients_of_rows(human, np.array([[1, 2, 3]] * 3))
    assert np.isnan(result.pearson).all()
    assert np.isnan(result.kendall_b).all()
    assert result.accuracy.tolist()[1] == 0
    assert result.cells.tolist() == [1, 3, 0]


def test_a_system_drawn_twice_agrees_with_nobody_for_free() -> None:
    human, metric = [[1, 1, 2]], [[5, 5, 4]]
    assert coefficients_of_rows(human, metric).accuracy[0] == pytest.approx(1 / 3)
    assert coefficients_of_rows(human, metric, labels=[[0, 0, 1]]).accuracy[0] == 0


def test_shapes_must_be_one() -> None:
    with pytest.raises(ValueError, match="one shape"):
        coefficients_of_rows([[1, 2]], [[1, 2, 3]])
