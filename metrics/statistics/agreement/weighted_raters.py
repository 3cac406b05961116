"""Many annotators on a scale whose points lie more or less apart: coefficients that weigh how far, cells missing."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.agreement.outcome import Agreement, beyond_chance, nothing_to_compare
from metrics.statistics.agreement.two_raters import Weights, credits_of
from metrics.statistics.arrays import FloatArray, as_floats


def conger_kappa(ratings: ArrayLike, *, n_categories: int, weights: Weights = None) -> Agreement:
    """How far many annotators agree beyond what their own habits would give by chance: Cohen's kappa of more than two.

    Shape:
        `ratings`: (n_annotators, n_items), each rating's place on a scale of `n_categories`, from 0; NaN = not rated.
    Unit and range:
        1 at most, 0 for chance. `observed` and `expected` are (weighted) shares agreed, `n` items rated twice or more.
    Missing data:
        An item with one rating counts towards that annotator's habits, not towards agreement.
    Degenerate input:
        Nothing rated twice: NaN, reason `no_overlap`. One and the same category only: NaN, reason `no_variation`. A
        rating off the scale, or unknown weights, raise ValueError.
    Method:
        P_o: the mean over items of the weighted share of pairs agreed. P_e: the weighted sum of p_k p_l - s_kl / r with
        p the mean over r annotators of their shares of the categories and s_kl the covariance (over r - 1) of those
        shares. Of two annotators on the same items it is Cohen's kappa.
    Source:
        Conger 1980, "Integration and generalization of kappas for multiple raters"; Gwet 2014, "Handbook of
        inter-rater reliability", for weights and missing ratings.

    Example:
        >>> round(conger_kappa([[0, 0, 1, 1, 0], [0, 1, 1, 1, 0]], n_categories=2).value, 4)
        0.6154
    """
    codes = _on_the_scale(ratings, n_categories)
    credit = credits_of(n_categories, weights)
    counts = np.stack([(codes == category).sum(axis=0) for category in range(n_categories)], axis=1).astype(np.float64)
    observed, n = _observed(counts, credit)
    habits = np.stack([(codes == category).sum(axis=1) for category in range(n_categories)], axis=1).astype(np.float64)
    habits = habits[habits.sum(axis=1) > 0]
    if not n:
        return nothing_to_compare()
    shares = habits / habits.sum(axis=1, keepdims=True)
    mean, r = shares.mean(axis=0), len(shares)
    covariance = (shares - mean).T @ (shares - mean) / max(1, r - 1)
    expected = float((credit * (np.outer(mean, mean) - covariance / r)).sum())
    return beyond_chance(observed, min(expected, 1.0), n)


def gwet_ac2(counts: ArrayLike, *, weights: Weights = "quadratic") -> Agreement:
    """`gwet_ac1` on a scale whose points lie more or less apart.

    Shape:
        `counts`: (n_items, n_categories); the columns are the full scale, in order.
    Unit and range:
        As `gwet_ac1`.
    Missing data:
        As `gwet_ac1`.
    Degenerate input:
        As `gwet_ac1`; unknown weights raise ValueError.
    Method:
        As `gwet_ac1`, each pair of ratings counting by its weight; P_e = T sum(s (1 - s)) / (q (q - 1)) with T the sum
        of all weights. Without weights it is AC1.
    Source:
        Gwet 2014, "Handbook of inter-rater reliability", chapter 4.

    Example:
        >>> round(gwet_ac2([[3, 0, 0], [2, 1, 0], [0, 0, 3], [0, 1, 2]]).value, 4)
        0.7778
    """
    table = as_floats(counts, dimensions=2)
    table = table[table.sum(axis=1) > 0]
    q = table.shape[1]
    credit = credits_of(q, weights)
    observed, n = _observed(table, credit)
    if not n:
        return nothing_to_compare()
    if q < 2:
        return Agreement(float("nan"), 1.0, 1.0, n, reason="no_variation")
    shares = (table / table.sum(axis=1, keepdims=True)).mean(axis=0)
    expected = float(credit.sum() * (shares * (1 - shares)).sum() / (q * (q - 1)))
    return beyond_chance(observed, expected, n)


def randolph_kappa(counts: ArrayLike, *, weights: Weights = None) -> Agreement:
    """How far annotators agree beyond picking categories blindly, whatever was usual among them.

    Shape:
        `counts`: (n_items, n_categories); the columns are the full scale, which decides what chance gives.
    Unit and range:
        1 at most, 0 for blind picking.
    Missing data:
        Items with fewer than two ratings are left out.
    Degenerate input:
        No item with two ratings: NaN, reason `no_overlap`. A scale of one category: NaN, reason `no_variation`.
    Method:
        (P_o - P_e) / (1 - P_e) with P_o as `fleiss_kappa` and P_e = 1 / q; with weights the mean of all q^2 of them.
    Source:
        Randolph 2005, "Free-marginal multirater kappa"; Brennan & Prediger 1981 of two annotators.

    Example:
        >>> round(randolph_kappa([[3, 0], [2, 1], [0, 3], [0, 3]]).value, 4)
        0.6667
    """
    table = as_floats(counts, dimensions=2)
    credit = credits_of(table.shape[1], weights)
    observed, n = _observed(table, credit)
    return beyond_chance(observed, float(credit.mean()) if credit.size else 1.0, n)


def _on_the_scale(ratings: ArrayLike, n_categories: int) -> FloatArray:
    codes = as_floats(ratings, dimensions=2)
    given = codes[~np.isnan(codes)]
    if given.size and (given.min() < 0 or given.max() >= n_categories or (given != np.round(given)).any()):
        raise ValueError(f"ratings must be whole numbers from 0 below {n_categories}")
    return codes


def _observed(counts: FloatArray, credit: FloatArray) -> tuple[float, int]:
    """The mean over items with two ratings of the weighted share of their pairs, and how many such items there are."""
    sizes = counts.sum(axis=1)
    counts, sizes = counts[sizes > 1], sizes[sizes > 1]
    if not sizes.size:
        return float("nan"), 0
    agreed = (counts * (counts @ credit - 1)).sum(axis=1)
    return float((agreed / (sizes * (sizes - 1))).mean()), sizes.size
