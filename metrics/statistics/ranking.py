"""From who beats whom to clusters and ranks."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, IntArray


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


def _square(wins: ArrayLike) -> BoolArray:
    beats: BoolArray = np.asarray(wins, dtype=np.bool_)
    if beats.size == 0:
        return beats.reshape(0, 0)
    if beats.ndim != 2 or beats.shape[0] != beats.shape[1]:
        raise ValueError(f"wins must be a square matrix, got shape {beats.shape}")
    return beats
