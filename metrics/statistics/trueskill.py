"""TrueSkill as WMT used it: a belief about each system's skill, moved by one comparison after another."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.resampling import times_drawn
from metrics.statistics.wins import counts_by_group

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
_ROOT_OF_TWO_PI = float(np.sqrt(2 * np.pi))
_LEAST_CHANCE = 2.222758749e-162  # below it a surprise is taken at its limit, as the reference does


def trueskill_draws(
    first: ArrayLike,
    second: ArrayLike,
    outcomes: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    n_systems: int,
    resamples: int = 1_000,
    sigma: float = SIGMA,
    draw_probability: float = DRAW_PROBABILITY,
    comparisons: int | None = None,
    rng: np.random.Generator,
) -> FloatArray:
    """Skills after many passes, each over comparisons drawn anew: their means are WMT's scores, their ranks its ranges.

    Shape: `first` and `second`: (n_pairs,) codes of systems from 0 below `n_systems`; `outcomes`: (n_pairs,) 1 where
        the first was preferred, -1 where the second, 0 for a tie; `groups`: (n_pairs,) labels of what is drawn together
        (the ranking task, or the segment), without them each comparison on its own. Returns (resamples, n_systems), the
        mu of each run.
    Unit and range: Skills around 0; every system begins at 0 with `sigma`. Values of different numbers of comparisons
        do not compare.
    Missing data: Leave such rows out.
    Degenerate input: No comparisons: zeros. Codes outside the range raise ValueError.
    Method: Each run has groups drawn with replacement, and makes as many comparisons as there are (or `comparisons`).
        Each time the least known system (largest sigma, the first of equals) meets an opponent drawn with weight
        e^-|difference of mu| among those it met in this run's draw, and one of their judgments is drawn. All runs go on
        side by side. The mean over runs is the score; ranks follow by `rank_ranges`, clusters by
        `clusters_from_ranges`. In a comparison there is no drift (tau 0); beta = sigma * comparisons / 40; the margin
        of a tie is Phi^-1((draw_probability + 1) / 2) * sqrt(2) * beta. With c^2 = 2 beta^2 + s_1^2 + s_2^2 and the
        corrections v and w of a normal cut off there: mu -+ s^2 / c * v, s^2 (1 - s^2 / c^2 * w).
    Source: Herbrich, Minka & Graepel 2006, "TrueSkill"; Sakaguchi, Post & Van Durme 2014, "Efficient elicitation of
        annotations for human evaluation of machine translation", for beta and the constants; Bojar et al. 2014 to 2016.

    Example:
        >>> draws = trueskill_draws([0] * 9, [1] * 9, [1] * 9, n_systems=2, resamples=4, rng=np.random.default_rng(1))
        >>> draws.shape, bool((draws[:, 0] > draws[:, 1]).all())
        ((4, 2), True)
    """
    one, other, signs = _checked(first, second, outcomes, n_systems)
    beliefs = _Beliefs(n_systems, resamples, sigma)
    if not signs.size:
        return beliefs.mu.T
    steps = comparisons or signs.size
    labels, group = np.unique(np.arange(signs.size) if groups is None else np.asarray(groups), return_inverse=True)
    cells = _cells(one, other, signs, n_systems)
    counts = counts_by_group(np.tile(group, 2), cells, labels.size, n_systems**2 * 3)
    drawn = np.concatenate([times @ counts for times in times_drawn(labels.size, resamples, rng)])
    won, not_lost, met = _chances(drawn.reshape(resamples, n_systems, n_systems, 3))
    beliefs.variance[~met.any(axis=2)] = 0.0  # a system that never met another is never chosen
    won, not_lost = won.ravel(), not_lost.ravel()
    met_by = np.ascontiguousarray(met.transpose(2, 1, 0)).reshape(n_systems, -1)  # (opponent, player and run)
    beta = sigma * steps / 40
    margin = _margin(draw_probability, beta)
    runs = np.arange(resamples)
    for _ in range(steps):
        player = beliefs.variance.argmax(axis=1)
        at = player * resamples + runs
        weights = np.exp(-np.abs(beliefs.mu - beliefs.mu.ravel().take(at)))
        weights *= met_by.take(at, axis=1)
        opponent = _drawn_by_weight(weights, rng.random(resamples))
        chance, pair = rng.random(resamples), (runs * n_systems + player) * n_systems + opponent
        outcome = (chance < won.take(pair)).astype(np.int8) + (chance < not_lost.take(pair)) - 1
        beliefs.update(player, opponent, outcome, beta=beta, margin=margin)
    return beliefs.mu.T


def _drawn_by_weight(weights: FloatArray, chance: FloatArray) -> IntArray:
    """The row drawn in each column; adds up in place."""
    for place in range(1, len(weights)):
        weights[place] += weights[place - 1]
    passed: IntArray = (weights <= chance * weights[-1]).sum(axis=0)
    return passed


def _checked(
    first: ArrayLike, second: ArrayLike, outcomes: ArrayLike, n_systems: int
) -> tuple[IntArray, IntArray, IntArray]:
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    signs = np.sign(np.asarray(outcomes, dtype=np.float64)).astype(np.int64)
    if not one.shape == other.shape == signs.shape:
        raise ValueError(f"first, second and outcomes must be paired, got {one.size}, {other.size} and {signs.size}")
    if one.size and (min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= n_systems):
        raise ValueError(f"systems must be coded from 0 below {n_systems}")
    return one, other, signs


def _cells(one: IntArray, other: IntArray, signs: IntArray, n_systems: int) -> IntArray:
    """Where each comparison is counted, seen from the first and then from the second: pair and outcome."""
    pairs = np.concatenate([one * n_systems + other, other * n_systems + one])
    cells: IntArray = pairs * 3 + np.concatenate([signs, -signs]) + 1
    return cells


def _chances(drawn: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Per run and pair (i, j), from counts of lost, tied and won: chances of winning, of not losing; if they met."""
    whole = drawn.sum(axis=3)
    met = (whole > 0) & ~np.eye(drawn.shape[1], dtype=np.bool_)
    whole = np.maximum(whole, 1)
    return drawn[..., 2] / whole, (drawn[..., 1] + drawn[..., 2]) / whole, met.astype(np.float64)


def _margin(draw_probability: float, beta: float) -> float:
    return float(scipy.special.ndtri((draw_probability + 1) / 2) * np.sqrt(2) * beta)


class _Beliefs:
    """Of every system in every run: `mu` as (systems, runs), `variance` as (runs, systems), as each is gone through."""

    def __init__(self, n_systems: int, n_runs: int, sigma: float) -> None:
        self.mu = np.zeros((n_systems, n_runs))
        self.variance = np.full((n_runs, n_systems), sigma**2)
        self._runs = np.arange(n_runs)

    def update(self, one: IntArray, other: IntArray, outcome: IntArray, *, beta: float, margin: float) -> None:
        """One comparison in each run, in place."""
        mu, variance = self.mu.ravel(), self.variance.ravel()
        n_systems, n_runs = self.mu.shape
        mu_one, mu_other = one * n_runs + self._runs, other * n_runs + self._runs
        at_one, at_other = self._runs * n_systems + one, self._runs * n_systems + other
        variance_one, variance_other = variance.take(at_one), variance.take(at_other)
        square = 2 * beta**2 + variance_one + variance_other
        scale = np.sqrt(square)
        toward = np.where(outcome < 0, -1.0, 1.0)  # a tie is looked at from the first
        apart = toward * (mu.take(mu_one) - mu.take(mu_other)) / scale
        v, w = _corrections(apart, margin / scale, outcome == 0)
        step = toward * v / scale
        mu[mu_one] += variance_one * step
        mu[mu_other] -= variance_other * step
        shrink = w / square
        variance[at_one] = variance_one * (1 - variance_one * shrink)
        variance[at_other] = variance_other * (1 - variance_other * shrink)


def _corrections(apart: FloatArray, margin: FloatArray, tied: BoolArray) -> tuple[FloatArray, FloatArray]:
    """How far mean and spread of a normal move, cut off beyond the margin (a win) or within it (a tie)."""
    v, w = np.empty_like(apart), np.empty_like(apart)
    for rows, corrected in ((np.flatnonzero(~tied), _of_wins), (np.flatnonzero(tied), _of_ties)):
        if rows.size:
            v[rows], w[rows] = corrected(apart[rows], margin[rows])
    return v, w


def _of_wins(apart: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    x = apart - margin
    chance = scipy.special.ndtr(x)
    v = np.where(chance > _LEAST_CHANCE, _density(x) / np.maximum(chance, _LEAST_CHANCE), -x)
    return v, np.minimum(np.maximum(v * (v + x), 0.0), 1.0)


def _of_ties(apart: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    size = np.abs(apart)
    upper, lower = margin - size, -margin - size
    within = np.maximum(scipy.special.ndtr(upper) - scipy.special.ndtr(lower), _LEAST_CHANCE)
    high, low = _density(upper), _density(lower)
    v = (low - high) / within
    w = v**2 + (upper * high - lower * low) / within
    return np.sign(apart) * v, np.minimum(np.maximum(w, 0.0), 1.0)


def _density(x: FloatArray) -> FloatArray:
    return np.exp(x * x * -0.5) / _ROOT_OF_TWO_PI
