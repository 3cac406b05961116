"""How often a system is preferred to the others."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray
from metrics.statistics.ranking.square import counts_by_group, square_counts
from metrics.statistics.resampling import times_drawn


def expected_wins(wins: ArrayLike) -> FloatArray:
    """How often each system is preferred to an opponent drawn at random, ties set aside.

    Shape:
        `wins`: (n_systems, n_systems) counts, `wins[i, j]` how often i was preferred to j. Returns (n_systems,).
    Unit and range:
        A share from 0 to 1.
    Missing data:
        An opponent never met (or only tied with) adds nothing, and still counts among the n - 1 opponents, as WMT
        does it: such a system comes out too low.
    Degenerate input:
        One system, or one that never won nor lost: NaN. What is not square, or no counts, raises ValueError.
    Method:
        The mean over the n - 1 others of w_ij / (w_ij + w_ji).
    Source:
        Koehn 2012, "Simulating human judgment in machine translation evaluation campaigns"; Bojar et al. 2013.

    Example:
        >>> expected_wins([[0, 3, 1], [1, 0, 2], [1, 2, 0]]).round(4).tolist()
        [0.625, 0.375, 0.5]
    """
    shares: FloatArray = _shares(square_counts(wins, "wins")[None])[0]
    return shares


def expected_wins_draws(
    first: ArrayLike,
    second: ArrayLike,
    outcomes: ArrayLike,
    groups: ArrayLike,
    *,
    n_systems: int,
    resamples: int = 1_000,
    rng: np.random.Generator,
) -> FloatArray:
    """`expected_wins` of resamples of whole ranking tasks (or segments), from which `rank_ranges` are read.

    Shape:
        `first` and `second`: (n_pairs,) codes of systems from 0 below `n_systems`; `outcomes`: (n_pairs,) 1 where the
        first was preferred, -1 where the second, 0 for a tie; `groups`: (n_pairs,) labels of what is drawn together.
        Returns (resamples, n_systems).
    Unit and range:
        Shares from 0 to 1.
    Missing data:
        Leave such rows out.
    Degenerate input:
        NaN where a draw left a system without a win or loss; no pairs: no rows.
    Method:
        Groups are drawn with replacement, as many as there are; pairs within a ranking are not independent.
    Source:
        Koehn 2012; Bojar et al. 2013, section 3.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> expected_wins_draws([0, 0], [1, 1], [1, 1], ["a", "b"], n_systems=2, resamples=3, rng=rng).tolist()
        [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    said = np.asarray(outcomes)
    labels, group = np.unique(np.asarray(groups), return_inverse=True)
    cell = np.where(said > 0, one * n_systems + other, other * n_systems + one)[said != 0]
    counts = counts_by_group(group[said != 0], cell, labels.size, n_systems**2)
    draws = [
        _shares((times @ counts).reshape(-1, n_systems, n_systems))
        for times in times_drawn(labels.size, resamples, rng)
    ]
    return np.concatenate(draws) if draws else np.empty((0, n_systems))


def _shares(wins: FloatArray) -> FloatArray:
    """(rows, n_systems) from (rows, n_systems, n_systems)."""
    met = wins + wins.transpose(0, 2, 1)
    shares = np.divide(wins, met, out=np.zeros_like(wins), where=met > 0).sum(axis=2)
    opponents = max(1, wins.shape[1] - 1)
    expected: FloatArray = np.where(met.sum(axis=2) > 0, shares / opponents, np.nan)
    return expected
