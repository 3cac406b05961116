"""Which system is preferred to which: shares of wins, and ranks and clusters from who beats whom or from resamples."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray
from metrics.statistics.resampling import check_level, times_drawn


def expected_wins(wins: ArrayLike) -> FloatArray:
    """How often each system is preferred to an opponent drawn at random, ties set aside.

    Shape: `wins`: (n_systems, n_systems) counts, `wins[i, j]` how often i was preferred to j. Returns (n_systems,).
    Unit and range: A share from 0 to 1.
    Missing data: An opponent never met (or only tied with) adds nothing, and still counts among the n - 1 opponents, as
        WMT does it: such a system comes out too low.
    Degenerate input: One system, or one that never won nor lost: NaN. What is not square, or no counts, raises
        ValueError.
    Method: The mean over the n - 1 others of w_ij / (w_ij + w_ji).
    Source: Koehn 2012, "Simulating human judgment in machine translation evaluation campaigns"; Bojar et al. 2013.

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

    Shape: `first` and `second`: (n_pairs,) codes of systems from 0 below `n_systems`; `outcomes`: (n_pairs,) 1 where
        the first was preferred, -1 where the second, 0 for a tie; `groups`: (n_pairs,) labels of what is drawn
        together. Returns (resamples, n_systems).
    Unit and range: Shares from 0 to 1.
    Missing data: Leave such rows out.
    Degenerate input: NaN where a draw left a system without a win or loss; no pairs: no rows.
    Method: Groups are drawn with replacement, as many as there are; pairs within a ranking are not independent.
    Source: Koehn 2012; Bojar et al. 2013, section 3.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> expected_wins_draws([0, 0], [1, 1], [1, 1], ["a", "b"], n_systems=2, resamples=3, rng=rng).tolist()
        [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    signs = np.asarray(outcomes)
    labels, group = np.unique(np.asarray(groups), return_inverse=True)
    cell = np.where(signs > 0, one * n_systems + other, other * n_systems + one)[signs != 0]
    counts = counts_by_group(group[signs != 0], cell, labels.size, n_systems**2)
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
    return np.where(met.sum(axis=2) > 0, shares / opponents, np.nan)


def clusters_from_wins(wins: ArrayLike) -> IntArray:
    """The cluster of each system, 1 for the best: the systems of a cluster do not differ as a block.

    Shape: `wins`: (n_systems, n_systems) boolean, rows and columns in rank order, best first; `wins[i, j]` is whether
        system i beats system j significantly. Returns (n_systems,).
    Unit and range: Cluster numbers 1 to n_systems, not falling.
    Missing data: A pair that could not be tested is not a win.
    Degenerate input: No systems: an empty array. One system: cluster 1. A matrix that is not square raises ValueError.
    Method: Going down the ranks, a boundary is after place k iff every system of the current cluster beats every
        system below k.
    Source: The WMT findings since Bojar et al. 2016, section on the clustering of direct assessment scores.

    Example:
        The first beats both others, the second does not beat the third.

        >>> clusters_from_wins([[0, 1, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [1, 2, 2]
    """
    beats = square_counts(wins, "wins") > 0
    # Systems above an earlier boundary beat everybody below it anyway, so asking all above is asking the cluster.
    boundaries = [bool(beats[:place, place:].all()) for place in range(1, len(beats))]
    return np.cumsum([1, *boundaries])[: len(beats)].astype(np.int64, copy=False)


def rank_ranges_from_wins(wins: ArrayLike) -> IntArray:
    """The first and last rank each system can have, from which systems beat which.

    Shape: `wins`: (n_systems, n_systems) boolean, `wins[i, j]` whether i beats j; any order. Returns (n_systems, 2).
    Unit and range: Ranks 1 to n_systems; the first is never behind the last as long as no pair beats each other.
    Missing data: A pair that could not be tested is not a win, and widens both ranges.
    Degenerate input: No systems: an array of shape (0, 2). A matrix that is not square raises ValueError.
    Method: [losses + 1, n_systems - wins].
    Source: The rank ranges of the WMT findings since Kocmi et al. 2022, by the same significance tests as the clusters.

    Example:
        >>> rank_ranges_from_wins([[0, 1, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [[1, 1], [2, 3], [2, 3]]
    """
    beats = square_counts(wins, "wins") > 0
    first = beats.sum(axis=0) + 1
    last = len(beats) - beats.sum(axis=1)
    return np.stack([first, last], axis=1).astype(np.int64, copy=False)


def rank_ranges_by_neighbours(wins: ArrayLike) -> IntArray:
    """The first and last rank of each system, walking up and down the order until somebody is better.

    Shape: `wins`: (n_systems, n_systems) boolean, rows and columns in rank order, best first; `wins[i, j]` is whether
        system i beats system j. Returns (n_systems, 2).
    Unit and range: Ranks 1 to n_systems; a system's own place is in its range.
    Missing data: A pair that could not be tested is not a win.
    Degenerate input: No systems: an array of shape (0, 2). A matrix that is not square raises ValueError.
    Method: From the system's place up while the system just above is not better than it; down while it is not better
        than the one just below. The walk ends at the first win, whatever comes behind it.
    Source: The scripts of the organisers of WMT 2025 and 2026, which print n - 1 for our n.

    Example:
        The first beats the third alone: neither neighbour is beaten, so the third's walk ends at the second.

        >>> rank_ranges_by_neighbours([[0, 0, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [[1, 2], [1, 3], [2, 3]]
    """
    beats = square_counts(wins, "wins") > 0
    ranges = np.empty((len(beats), 2), dtype=np.int64)
    for place in range(len(beats)):
        above, below = np.flatnonzero(beats[:place, place]), np.flatnonzero(beats[place, place + 1 :])
        ranges[place] = (above[-1] + 2 if above.size else 1, place + 1 + below[0] if below.size else len(beats))
    return ranges


def neighbour_lines(wins: ArrayLike) -> BoolArray:
    """Whether a line is below each system: it beats the next one.

    Shape: `wins`: as for `clusters_from_wins`. Returns (n_systems,), the last always False.
    Unit and range: True or False.
    Missing data: A pair that could not be tested is not a win.
    Degenerate input: No systems: an empty array. A matrix that is not square raises ValueError.
    Method: wins[k, k + 1].
    Source: The dashed lines in the tables of WMT 2026.

    Example:
        >>> neighbour_lines([[0, 1, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [True, False, False]
    """
    beats = square_counts(wins, "wins") > 0
    lines = np.zeros(len(beats), dtype=np.bool_)
    lines[:-1] = np.diagonal(beats, offset=1)
    return lines


def rank_ranges(values: ArrayLike, *, level: float = 0.95) -> IntArray:
    """The ranks each system held in the middle `level` of the resamples.

    Shape: `values`: (resamples, n_systems), a resampled number of each system, higher is better (as from
        `expected_wins_draws` or `trueskill_draws`). Returns (n_systems, 2): first and last rank.
    Unit and range: Ranks from 1 to n_systems.
    Missing data: A NaN comes after everything else of its resample.
    Degenerate input: No resample: every system may have any rank. A level outside (0, 1) raises ValueError.
    Method: Ranks within each resample, equal values in the order of the columns; of the sorted ranks of a system,
        ceil((1 - level) / 2 of the resamples) are dropped at each end.
    Source: Koehn 2012; the findings of WMT from Bojar et al. 2013 to 2016. Take a thousand resamples.

    Example:
        >>> rank_ranges([[3, 2, 1]] * 60 + [[2, 3, 1]] * 40).tolist()
        [[1, 2], [1, 2], [3, 3]]
    """
    check_level(level)
    matrix = np.asarray(values, dtype=np.float64)
    resamples, n_systems = matrix.shape
    if not resamples:
        return np.tile(np.array([[1, n_systems]], dtype=np.int64), (n_systems, 1))
    order = np.argsort(-matrix, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, n_systems + 1)[None, :], axis=1)
    ranks = np.sort(ranks, axis=0)
    dropped = min(int(np.ceil((1 - level) / 2 * resamples - 1e-9)), (resamples - 1) // 2)
    return np.stack([ranks[dropped], ranks[resamples - 1 - dropped]], axis=1).astype(np.int64, copy=False)


def clusters_from_ranges(ranges: ArrayLike) -> IntArray:
    """The cluster of each system, 1 for the best, where the ranks of one cluster do not reach into the next.

    Shape: `ranges`: (n_systems, 2), first and last rank (see `rank_ranges`), rows in rank order, best first. Returns
        (n_systems,).
    Unit and range: Cluster numbers from 1, not falling.
    Missing data: There is none.
    Degenerate input: No systems: an empty array.
    Method: A boundary is where every last rank above is less than every first rank below.
    Source: The findings of WMT from Bojar et al. 2013 to 2016.

    Example:
        >>> clusters_from_ranges([[1, 2], [1, 2], [3, 4], [3, 4]]).tolist()
        [1, 1, 2, 2]
    """
    table = np.asarray(ranges, dtype=np.int64).reshape(-1, 2)
    worst_above = np.maximum.accumulate(table[:, 1])[:-1]
    best_below = np.minimum.accumulate(table[::-1, 0])[::-1][1:]
    boundaries = np.concatenate([[1], (worst_above < best_below).astype(np.int64)])
    return np.cumsum(boundaries)[: len(table)].astype(np.int64, copy=False)


def square_counts(counts: ArrayLike, name: str) -> FloatArray:
    """Counts with an empty diagonal; raises ValueError for what is not square or not counts."""
    matrix = np.asarray(counts, dtype=np.float64)
    if matrix.size == 0:
        return matrix.reshape(0, 0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(f"{name} must be counts, none missing and none negative")
    matrix = matrix.copy()
    np.fill_diagonal(matrix, 0.0)
    return matrix


def counts_by_group(group: IntArray, cell: IntArray, n_groups: int, n_cells: int) -> "scipy.sparse.csr_array":
    """How often each cell is in each group: sparse, (n_groups, n_cells)."""
    return scipy.sparse.csr_array((np.ones(cell.size), (group, cell)), shape=(n_groups, n_cells))
