"""What a test looks for: x greater than y, less, or either."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats

Alternative = Literal["two-sided", "greater", "less"]


def check_alternative(alternative: str) -> None:
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"alternative must be two-sided, greater or less, not {alternative!r}")


def complete_pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """x and y without the pairs in which either is NaN; raises ValueError when their lengths differ."""
    first, second = as_floats(x), as_floats(y)
    if first.shape != second.shape:
        raise ValueError(f"x and y must be paired, got {first.size} and {second.size} values")
    both = ~(np.isnan(first) | np.isnan(second))
    return first[both], second[both]
