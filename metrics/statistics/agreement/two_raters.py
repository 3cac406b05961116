"""Two annotators, the same items, categories: Cohen's kappa."""

import numpy as np

from metrics.statistics.agreement.outcome import beyond_chance
from metrics.statistics.arrays import IntArray


def kappas_of_codes(a: IntArray, b: IntArray, n_categories: int) -> tuple[float, float, float]:
    """How far two annotators agree beyond what their own habits would give by chance: plain, linear and quadratic.

    Shape: `a` and `b`: (n_items,) codes of the full scale, whole numbers from 0 below `n_categories`.
    Unit and range: 1 at most, 0 for chance, negative for less.
    Missing data: There must be none.
    Degenerate input: NaN without an item, and where both use one and the same category only.
    Method: Cohen's kappa, (P_o - P_e) / (1 - P_e), P_e from either annotator's own shares of the categories. Weights of
        a pair i, j of k categories: 1 - |i - j| / (k - 1), or 1 - (i - j)^2 / (k - 1)^2. The scale has to be the full
        one: a category in between that was never used changes weighted values.
    Source: Cohen 1960; Cohen 1968 for weights.

    Example:
        >>> [round(kappa, 4) for kappa in kappas_of_codes(np.array([0, 1, 2, 4]), np.array([0, 2, 2, 3]), 5)]
        [0.3846, 0.6667, 0.8519]
    """
    cells = np.bincount(a * n_categories + b, minlength=n_categories**2)
    shares = cells.reshape(n_categories, n_categories) / max(1, a.size)
    by_chance = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    places = np.arange(n_categories, dtype=np.float64)
    apart = np.abs(places[:, None] - places[None, :]) / max(1, n_categories - 1)
    plain, linear, quadratic = (
        beyond_chance(float((shares * credit).sum()), float((by_chance * credit).sum()), a.size).value
        for credit in (np.eye(n_categories), 1 - apart, 1 - apart**2)
    )
    return plain, linear, quadratic
