"""How evenly annotators are spread over systems: what their severities alone would make two systems differ by."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes
from metrics.statistics.significance import holm

LARGEST_RATIO, ALPHA = 0.3, 0.05
_LEAST_FLIPS = 999
_ENOUGH = 20  # flips as uneven as what was observed: after the least number of flips no more are drawn for the pair
_CELLS = 4_000_000


@dataclass(frozen=True)
class Imbalance:
    """Of every two systems, in the order of `systems` (sorted): shift and ratio (n_systems, n_systems).

    `shift` is the standard deviation of what the severities of annotators add to a difference of plain means; `ratio`
    is that by the difference's own error, NaN where there is none. `p` is how often an exchange of the two labels by
    whole documents spreads annotators as unevenly, corrected for the number of pairs; NaN without documents.
    """

    systems: NDArray[Any]
    shift: FloatArray
    ratio: FloatArray
    p: FloatArray

    @property
    def is_uneven(self) -> bool:
        """Whether for any two systems plain means are about who judged them, more than chance would make them."""
        return bool(((self.ratio > LARGEST_RATIO) & ~(self.p >= ALPHA)).any())

    @property
    def worst(self) -> tuple[int, int] | None:
        """The pair with the largest ratio, of those beyond chance if there are any; None where no pair has a ratio."""
        if np.isnan(self.ratio).all():
            return None
        ratio = np.where(self.p >= ALPHA, -1 / (1 + self.ratio), self.ratio)
        first, second = np.unravel_index(int(np.nanargmax(ratio)), ratio.shape)
        return int(first), int(second)


@dataclass(frozen=True)
class Unevenness:
    """Of the two systems for which it is largest: what severities alone add to their difference (`shift`, a standard
    deviation), and that by the difference's `error` (`ratio`, which should not be above `bound`); in the unit of the
    answers. `deviation` is that of annotators' severities; `p` how often chance spreads them as unevenly.
    """

    first: str
    second: str
    deviation: float
    shift: float
    error: float
    ratio: float
    bound: float = LARGEST_RATIO
    p: float | None = None

    @property
    def is_uneven(self) -> bool:
        """More than the error allows, and than chance gives."""
        return self.ratio > self.bound and (self.p is None or self.p < ALPHA)


def annotator_imbalance(
    systems: ArrayLike,
    annotators: ArrayLike,
    *,
    deviation: float,
    errors: ArrayLike | None = None,
    documents: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
) -> Imbalance:
    """How far apart annotators' severities alone would put two systems, because not the same people judged them.

    Shape: `systems` and `annotators`: (n_scores,) labels, one a score; `deviation`: of annotators' severities (the
        square root of the variance `annotator` of a mixed model); `errors`: (n_systems, n_systems), the standard error
        of each difference, systems sorted; `documents`: (n_scores,) labels of what is judged together, with `rng`.
    Unit and range: `shift` in the unit of `deviation` and `errors`, from 0 to deviation * sqrt(2); a ratio from 0.
    Missing data: Leave out scores that do not count.
    Degenerate input: No scores: no systems. One annotator, or a deviation of 0 or NaN (no such term): all 0. Errors of
        0 or NaN, or none at all: ratio NaN. A negative deviation, or columns of different lengths, raise ValueError.
    Method: deviation * sqrt(sum over r of (w_rA - w_rB)^2), w_rA being the share of annotator r in the scores of system
        A. Above 0.3 of the error, and beyond what exchanges of the two labels by whole documents give (a permutation
        test of that sum, p corrected by Holm), differences of plain means should not decide.
    Source: The variance of a weighted sum of independent severities; the bound was measured by simulation (decision
        0043). Draws end early for pairs that are not rare: Besag & Clifford 1991, "Sequential Monte Carlo p-values".

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
    of_documents = None if documents is None else as_codes(documents, people.size)[1]
    return Imbalance(names, shift, ratio, _by_chance(system, annotator, of_documents, rng))


def _by_chance(
    system: IntArray, annotator: IntArray, document: IntArray | None, rng: np.random.Generator | None
) -> FloatArray:
    """p of every two systems; the signs of documents are shared by all pairs."""
    n_systems = int(system.max(initial=-1)) + 1
    p = np.full((n_systems, n_systems), np.nan)
    if document is None or rng is None or n_systems < 2:
        return p
    shape = (int(document.max()) + 1, int(annotator.max()) + 1)
    weights = 1 / np.bincount(system)[system]
    shares = [
        scipy.sparse.csr_array((weights[rows], (document[rows], annotator[rows])), shape=shape)
        for rows in (np.flatnonzero(system == one) for one in range(n_systems))
    ]
    first, second = np.triu_indices(n_systems, k=1)
    flips = max(_LEAST_FLIPS, math.ceil(4 * first.size / ALPHA))
    observed = _apart(shares, np.ones((1, shape[0])), first, second)[0]
    reached = observed * (1 - 1e-12) - 1e-15
    drawn, above = np.zeros((2, first.size), dtype=np.int64)
    open_pairs = np.arange(first.size)
    at_once = max(1, _CELLS // (n_systems * shape[1]))
    for start in range(0, flips, at_once):
        signs = rng.choice([-1.0, 1.0], (min(at_once, flips - start), shape[0]))
        apart = _apart(shares, signs, first[open_pairs], second[open_pairs])
        above[open_pairs] += np.count_nonzero(apart >= reached[open_pairs], axis=0)
        drawn[open_pairs] += len(signs)
        if start + at_once >= _LEAST_FLIPS:
            open_pairs = open_pairs[above[open_pairs] < _ENOUGH]
        if not open_pairs.size:
            break
    p[first, second] = p[second, first] = holm((above + 1) / (drawn + 1))
    return p


def _apart(shares: Sequence[Any], signs: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """(flips, pairs): the sum over annotators of (w_rA - w_rB)^2, where -1 exchanges the two labels of a document."""
    used, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    spread = np.stack([signs @ shares[one] for one in used.tolist()], axis=1)
    one, other = place[: first.size], place[first.size :]
    if first.size <= used.size:
        return ((spread[:, one] - spread[:, other]) ** 2).sum(axis=2)  # type: ignore[no-any-return]
    products = spread @ np.swapaxes(spread, 1, 2)
    squares = np.diagonal(products, axis1=1, axis2=2)
    apart: FloatArray = squares[:, one] + squares[:, other] - 2 * products[:, one, other]
    return apart
