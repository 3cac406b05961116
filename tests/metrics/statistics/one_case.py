"""Of statistics that take many cases at once, the one case that other people's numbers are of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.agreement.krippendorff import Level, krippendorff_alphas
from metrics.statistics.agreement.outcome import Agreement
from metrics.statistics.arrays import FloatArray
from metrics.statistics.permutation import paired_permutation_all
from metrics.statistics.trueskill import DRAW_PROBABILITY, SIGMA, _Beliefs, _checked, _margin


def krippendorff_alpha(ratings: ArrayLike, *, level: Level, **options: Any) -> Agreement:
    """Of a matrix of annotators and items, NaN = not rated."""
    matrix = np.asarray(ratings, dtype=np.float64)
    rated = ~np.isnan(matrix)
    return krippendorff_alphas(matrix[rated], np.nonzero(rated)[1], levels=(level,), **options)[level]


@dataclass(frozen=True)
class Permutation:
    difference: float
    p: float
    extreme: int
    is_exact: bool
    n: int


def paired_permutation(x: ArrayLike, y: ArrayLike, **options: Any) -> Permutation:
    both = paired_permutation_all(np.stack([np.asarray(x), np.asarray(y)]), **options)
    of_pair = (float(both.difference[0, 1]), float(both.p[0, 1]), int(both.extreme[0, 1]))
    return Permutation(*of_pair, both.is_exact, int(both.n[0, 1]))


def trueskill_of_one_pass(
    first: ArrayLike, second: ArrayLike, outcomes: ArrayLike, *, n_systems: int
) -> tuple[FloatArray, FloatArray, float]:
    """What is believed after the comparisons in their order: mu and sigma of each system, and beta."""
    one, other, results = _checked(first, second, outcomes, n_systems)
    beta = SIGMA * results.size / 40
    beliefs = _Beliefs(n_systems, 1, SIGMA)
    for a, b, outcome in zip(one[:, None], other[:, None], results[:, None], strict=True):
        beliefs.update(a, b, outcome, beta=beta, margin=_margin(DRAW_PROBABILITY, beta))
    return beliefs.mu[:, 0], np.sqrt(beliefs.variance[0]), beta
