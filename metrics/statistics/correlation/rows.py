"""The coefficients of many short rows at once: segments over systems, or resampled systems."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, as_floats

_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class RowCoefficients:
    """One value a row, NaN where the coefficient does not exist; `cells` are the complete ones of each row."""

    pearson: FloatArray
    spearman: FloatArray
    kendall_b: FloatArray
    kendall_c: FloatArray
    accuracy: FloatArray
    cells: FloatArray

    @property
    def reason(self) -> str:
        """Why a coefficient that exists in no row does not."""
        return "constant" if (self.cells > 1).any() else "too_few"


def coefficients_of_rows(human: ArrayLike, metric: ArrayLike, *, labels: ArrayLike | None = None) -> RowCoefficients:
    """Pearson, Spearman, Kendall and the share of pairs ordered alike, row by row.

    Shape: `human` and `metric`: (n_rows, n_columns), rows short (systems); `labels`: (n_rows, n_columns), of which
        pairs with equal ones are no pair for `accuracy`, as when a system was drawn twice.
    Unit and range: Higher is better in both; coefficients from -1 to 1, `accuracy` a share from 0 to 1.
    Missing data: A cell in which either is NaN is left out of its row.
    Degenerate input: A row with fewer than two cells, or constant on either side: NaN; `accuracy` exists for constants.
    Method: As `pearson`, `spearman`, `kendall` and `pairwise_accuracy` on each row, from the comparisons of all its
        pairs.
    Source: As there.

    Example:
        >>> found = coefficients_of_rows([[1, 2, 3, 4], [5, 5, 5, 5]], [[1, 3, 2, 5], [1, 2, 3, 4]])
        >>> found.pearson.round(4).tolist(), found.kendall_b.round(4).tolist(), found.accuracy.round(4).tolist()
        ([0.8315, nan], [0.6667, nan], [0.8333, 0.0])
    """
    people, scores = as_floats(human, dimensions=2), as_floats(metric, dimensions=2)
    if people.shape != scores.shape:
        raise ValueError(f"human and metric must have one shape, got {people.shape} and {scores.shape}")
    names = np.broadcast_to(np.arange(people.shape[1]), people.shape) if labels is None else np.asarray(labels)
    step = max(1, _CELLS_AT_ONCE // max(1, people.shape[1] ** 2))
    parts = [
        _of_some(people[at : at + step], scores[at : at + step], names[at : at + step])
        for at in range(0, max(1, len(people)), step)
    ]
    return RowCoefficients(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _of_some(people: FloatArray, scores: FloatArray, labels: NDArray[Any]) -> Iterator[FloatArray]:
    present = ~(np.isnan(people) | np.isnan(scores))
    n = present.sum(axis=1).astype(np.float64)
    people, scores = np.where(present, people, 0.0), np.where(present, scores, 0.0)
    both = present[:, :, None] & present[:, None, :]
    by_people, by_scores = _signs(people, both), _signs(scores, both)
    yield _pearson(people, scores, present, n)
    yield _pearson(_midranks(by_people, present), _midranks(by_scores, present), present, n)
    yield from _kendall(by_people, by_scores, both, n)
    compared = both & (labels[:, :, None] != labels[:, None, :])
    pairs = compared.sum(axis=(1, 2))
    agree = ((by_people == by_scores) & compared).sum(axis=(1, 2))
    yield _divided(agree, pairs, pairs > 0)
    yield n


def _signs(values: FloatArray, both: BoolArray) -> FloatArray:
    signs: FloatArray = np.sign(values[:, :, None] - values[:, None, :]) * both
    return signs


def _midranks(signs: FloatArray, present: BoolArray) -> FloatArray:
    """Half a step for each cell above or below: a rank but for a constant, which no correlation sees."""
    ranks: FloatArray = signs.sum(axis=2) * present
    return ranks


def _pearson(first: FloatArray, second: FloatArray, present: BoolArray, n: FloatArray) -> FloatArray:
    usable = (n > 1) & _varies(first, present) & _varies(second, present)
    share = np.maximum(n, 1.0)[:, None]
    one = np.where(present, first - first.sum(axis=1, keepdims=True) / share, 0.0)
    other = np.where(present, second - second.sum(axis=1, keepdims=True) / share, 0.0)
    spread = np.sqrt((one**2).sum(axis=1)) * np.sqrt((other**2).sum(axis=1))
    return np.clip(_divided((one * other).sum(axis=1), spread, usable & (spread > 0)), -1.0, 1.0)


def _varies(values: FloatArray, present: BoolArray) -> BoolArray:
    varies: BoolArray = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf) > np.where(
        present, values, np.inf
    ).min(axis=1, initial=np.inf)
    return varies


def _kendall(by_people: FloatArray, by_scores: FloatArray, both: BoolArray, n: FloatArray) -> Iterator[FloatArray]:
    surplus = (by_people * by_scores).sum(axis=(1, 2)) / 2
    untied = [np.abs(signs).sum(axis=(1, 2)) / 2 for signs in (by_people, by_scores)]
    usable = (untied[0] > 0) & (untied[1] > 0)
    yield _divided(surplus, np.sqrt(untied[0] * untied[1]), usable)
    fewest = np.minimum(_distinct(by_people, both), _distinct(by_scores, both))
    yield _divided(2 * surplus * fewest, n**2 * (fewest - 1), usable)


def _distinct(signs: FloatArray, both: BoolArray) -> FloatArray:
    """How many different values a row has: cells that equal none before them."""
    equal = (signs == 0) & both
    seen_before = np.tril(equal, k=-1).any(axis=2)
    counts: FloatArray = (np.diagonal(both, axis1=1, axis2=2) & ~seen_before).sum(axis=1).astype(np.float64)
    return counts


def _divided(numerators: FloatArray, denominators: FloatArray, usable: BoolArray) -> FloatArray:
    quotients: FloatArray = np.full(len(numerators), np.nan)
    np.divide(numerators, denominators, out=quotients, where=usable)
    return quotients
