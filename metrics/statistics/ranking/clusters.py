"""From who beats whom, or from resampled ranks, to clusters and rank ranges."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, IntArray
from metrics.statistics.resampling import check_level


def clusters_from_wins(wins: ArrayLike) -> IntArray:
    """The cluster of each system, 1 for the best: within a cluster the systems cannot be told apart as a block.

    Shape:
        `wins`: (n_systems, n_systems) boolean, rows and columns in rank order, best first; `wins[i, j]` is whether
        system i beats system j significantly. Returns (n_systems,).
    Unit and range:
        Cluster numbers 1 to n_systems, not falling.
    Missing data:
        A pair that could not be tested is no win.
    Degenerate input:
        No systems: an empty array. One system: cluster 1. A matrix that is not square raises ValueError.
    Method:
        Going down the ranks, a boundary stands after place k iff every system of the current cluster beats every
        system below k.
    Source:
        The WMT findings since Bojar et al. 2016, section on the clustering of direct assessment scores.

    Example:
        The first beats both others, the second does not beat the third.

        >>> clusters_from_wins([[0, 1, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [1, 2, 2]
    """
    beats = _square(wins)
    # Systems above an earlier boundary beat everybody below it anyway, so asking all above is asking the cluster.
    boundaries = [bool(beats[:place, place:].all()) for place in range(1, len(beats))]
    return np.cumsum([1, *boundaries])[: len(beats)].astype(np.int64, copy=False)


def rank_ranges_from_wins(wins: ArrayLike) -> IntArray:
    """The first and last rank each system can hold, given which systems beat which.

    Shape:
        `wins`: (n_systems, n_systems) boolean, `wins[i, j]` whether i beats j; any order. Returns (n_systems, 2).
    Unit and range:
        Ranks 1 to n_systems; the first is never behind the last as long as no pair beats each other.
    Missing data:
        A pair that could not be tested is no win, and widens both ranges.
    Degenerate input:
        No systems: an array of shape (0, 2). A matrix that is not square raises ValueError.
    Method:
        [losses + 1, n_systems - wins].
    Source:
        The rank ranges of the WMT findings since Kocmi et al. 2022, by the same significance tests as the clusters.

    Example:
        >>> rank_ranges_from_wins([[0, 1, 1], [0, 0, 0], [0, 0, 0]]).tolist()
        [[1, 1], [2, 3], [2, 3]]
    """
    beats = _square(wins)
    first = beats.sum(axis=0) + 1
    last = len(beats) - beats.sum(axis=1)
    return np.stack([first, last], axis=1).astype(np.int64, copy=False)


def rank_ranges(values: ArrayLike, *, level: float = 0.95) -> IntArray:
    """The ranks each system held in the middle `level` of the resamples.

    Shape:
        `values`: (resamples, n_systems), a resampled number of each system, higher is better (as from
        `expected_wins_draws` or `trueskill_draws`). Returns (n_systems, 2): first and last rank.
    Unit and range:
        Ranks from 1 to n_systems.
    Missing data:
        A NaN comes after everything else of its resample.
    Degenerate input:
        No resample: every system may hold any rank. A level outside (0, 1) raises ValueError.
    Method:
        Ranks within each resample, equal values in the order of the columns; of the sorted ranks of a system,
        ceil((1 - level) / 2 of the resamples) are dropped at each end.
    Source:
        Koehn 2012; the findings of WMT from Bojar et al. 2013 to 2016. Take a thousand resamples.

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

    Shape:
        `ranges`: (n_systems, 2), first and last rank (see `rank_ranges`), rows in rank order, best first. Returns
        (n_systems,).
    Unit and range:
        Cluster numbers from 1, not falling.
    Missing data:
        There is none.
    Degenerate input:
        No systems: an empty array.
    Method:
        A boundary stands where every last rank above is less than every first rank below.
    Source:
        The findings of WMT from Bojar et al. 2013 to 2016.

    Example:
        >>> clusters_from_ranges([[1, 2], [1, 2], [3, 4], [3, 4]]).tolist()
        [1, 1, 2, 2]
    """
    table = np.asarray(ranges, dtype=np.int64).reshape(-1, 2)
    worst_above = np.maximum.accumulate(table[:, 1])[:-1]
    best_below = np.minimum.accumulate(table[::-1, 0])[::-1][1:]
    boundaries = np.concatenate([[1], (worst_above < best_below).astype(np.int64)])
    return np.cumsum(boundaries)[: len(table)].astype(np.int64, copy=False)


def _square(wins: ArrayLike) -> BoolArray:
    beats: BoolArray = np.asarray(wins, dtype=np.bool_)
    if beats.size == 0:
        return beats.reshape(0, 0)
    if beats.ndim != 2 or beats.shape[0] != beats.shape[1]:
        raise ValueError(f"wins must be a square matrix, got shape {beats.shape}")
    return beats
