"""How evenly annotators are spread over systems: what their severities alone would make two systems differ by."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, as_codes

LARGEST_RATIO = 0.3


@dataclass(frozen=True)
class Imbalance:
    """Of every two systems, in the order of `systems` (sorted): shift and ratio (n_systems, n_systems).

    `shift` is the standard deviation of what the severities of annotators add to a difference of plain means; `ratio`
    is that by the difference's own error, NaN where there is none.
    """

    systems: NDArray[Any]
    shift: FloatArray
    ratio: FloatArray

    @property
    def is_uneven(self) -> bool:
        """Whether for any two systems plain means are about who judged them more than they should be."""
        return bool((self.ratio > LARGEST_RATIO).any())

    @property
    def worst(self) -> tuple[int, int] | None:
        """The pair with the largest ratio; None where no pair has any."""
        if np.isnan(self.ratio).all():
            return None
        first, second = np.unravel_index(int(np.nanargmax(self.ratio)), self.ratio.shape)
        return int(first), int(second)


def annotator_imbalance(
    systems: ArrayLike, annotators: ArrayLike, *, deviation: float, errors: ArrayLike | None = None
) -> Imbalance:
    """How far apart annotators' severities alone would put two systems, because not the same people judged them.

    Shape: `systems` and `annotators`: (n_scores,) labels, one a score; `deviation`: of annotators' severities (the
        square root of the variance `annotator` of a mixed model); `errors`: (n_systems, n_systems), the standard error
        of each difference, systems sorted.
    Unit and range: `shift` in the unit of `deviation` and `errors`, from 0 to deviation * sqrt(2); a ratio from 0.
    Missing data: Leave out scores that do not count.
    Degenerate input: No scores: no systems. One annotator, or a deviation of 0 or NaN (no such term): all 0. Errors of
        0 or NaN, or none at all: ratio NaN. A negative deviation, or columns of different lengths, raise ValueError.
    Method: deviation * sqrt(sum over r of (w_rA - w_rB)^2), w_rA being the share of annotator r in the scores of system
        A. Above 0.3 of the error, differences of plain means should not decide.
    Source: The variance of a weighted sum of independent severities; the bound was measured by simulation (decision
        0043).

    Example:
        Ana judged only x, Bo only y: the difference of two severities, 10 * sqrt(2).

        >>> uneven = annotator_imbalance(["x", "x", "y"], ["ana", "ana", "bo"], deviation=10)
        >>> uneven.shift.round(2).tolist()
        [[0.0, 14.14], [14.14, 0.0]]
    """
    if deviation < 0:
        raise ValueError(f"a deviation is not below 0, got {deviation}")
    people = np.asarray(annotators)
    names, system = as_codes(systems, people.size)
    distinct, annotator = as_codes(people, people.size)
    shape = (names.size, distinct.size)
    counts = np.bincount(system * distinct.size + annotator, minlength=names.size * distinct.size).reshape(shape)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    gaps = shares[:, None, :] - shares[None, :, :]
    shift: FloatArray = np.sqrt((gaps**2).sum(axis=2)) * (0.0 if np.isnan(deviation) else deviation)
    error = np.full(shift.shape, np.nan) if errors is None else np.asarray(errors, dtype=np.float64)
    if error.shape != shift.shape:
        raise ValueError(f"errors must be those of every two of {names.size} systems, got {error.shape}")
    has_error: BoolArray = error > 0
    ratio: FloatArray = np.divide(shift, error, out=np.full(shift.shape, np.nan), where=has_error)
    return Imbalance(names, shift, ratio)
