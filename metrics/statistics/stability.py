"""How stable a ranking is: what fewer documents would have said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, group_sums
from metrics.statistics.calibration import wilson_interval
from metrics.statistics.resampling import Interval

FEWEST_DOCUMENTS = 6
SHARES = (0.25, 0.5, 0.75)
# Values (n_systems, n_units) and the documents of the units: the cluster of each system.
ClustersOf = Callable[[FloatArray, IntArray], IntArray]


@dataclass(frozen=True)
class Stability:
    """With a `share` of the documents, `documents` in each of `draws`: how often the order is that of all documents.

    `pairs` is the share of pairs in that order, `clusters` how often the clusters are the same; NaN without them.
    """

    share: float
    documents: int
    draws: int
    order: float
    order_interval: Interval
    pairs: float
    clusters: float
    clusters_interval: Interval


def stability_curve(
    values: ArrayLike,
    *,
    documents: ArrayLike,
    shares: Sequence[float] = SHARES,
    draws: int = 200,
    clusters_of: ClustersOf | None = None,
    rng: np.random.Generator,
) -> tuple[Stability, ...]:
    """How often a part of the documents puts the systems in the same order, and into the same clusters, as all do.

    Shape: `values`: (n_systems, n_units), NaN = not judged; `documents`: (n_units,) labels; `shares`: parts between 0
        and 1; `clusters_of(values, documents)` gives the cluster of each system, from 1.
    Unit and range: Any interval unit, higher is better; shares from 0 to 1.
    Missing data: A mean is that of the units a system has; a system without any in a draw comes last, and its order is
        not the same.
    Degenerate input: Fewer than two systems with a value, or fewer than six documents: no entries. Systems with equal
        means count as in order. No draws, or a share outside its range, raises ValueError.
    Method: `draws` times, that part of the documents (rounded, at least one) is drawn without replacement; means of
        all draws come from one matrix product of draws and documents' sums.
    Source: Subsampling, Politis, Romano & Wolf 1999, "Subsampling", chapter 1; a curve over parts of the data as in
        Sakaguchi, Post & Van Durme 2014, "Efficient elicitation of annotations for human evaluation of MT".

    Example:
        The first system is better by far in each document.

        >>> values = [[9, 8, 9, 7, 9, 8], [1, 2, 1, 3, 2, 2]]
        >>> curve = stability_curve(values, documents=range(6), draws=20, rng=np.random.default_rng(1))
        >>> [(one.share, one.documents, one.order) for one in curve]
        [(0.25, 2, 1.0), (0.5, 3, 1.0), (0.75, 4, 1.0)]
    """
    if draws < 1 or not all(0 < share < 1 for share in shares):
        raise ValueError(f"draws must be at least 1 and shares between 0 and 1, got {draws} and {list(shares)}")
    matrix = as_floats(values, dimensions=2)
    labels, codes = as_codes(documents, matrix.shape[1])
    matrix = matrix[~np.isnan(matrix).all(axis=1)]
    if len(matrix) < 2 or labels.size < FEWEST_DOCUMENTS:
        return ()
    sums, counts = _by_document(matrix, codes, labels.size)
    whole = sums.sum(axis=0) / counts.sum(axis=0)
    curve = []
    for share in shares:
        n_drawn = min(labels.size - 1, max(1, round(share * labels.size)))
        drawn = np.argsort(rng.random((draws, labels.size)), axis=1)[:, :n_drawn]
        is_drawn = np.zeros((draws, labels.size))
        np.put_along_axis(is_drawn, drawn, 1.0, axis=1)
        in_order, pairs = _in_order(is_drawn @ sums, is_drawn @ counts, whole)
        same = 0 if clusters_of is None else _same_clusters(matrix, codes, is_drawn, clusters_of)
        no_clusters = Interval(float("nan"), float("nan"), "no_clusters")
        curve.append(
            Stability(
                share=share,
                documents=n_drawn,
                draws=draws,
                order=in_order / draws,
                order_interval=wilson_interval(in_order, draws),
                pairs=pairs,
                clusters=same / draws if clusters_of else float("nan"),
                clusters_interval=wilson_interval(same, draws) if clusters_of else no_clusters,
            )
        )
    return tuple(curve)


def _by_document(matrix: FloatArray, codes: IntArray, n_documents: int) -> tuple[FloatArray, FloatArray]:
    """(n_documents, n_systems) sums of values, and how many there are."""
    n_systems = len(matrix)
    cells = (codes[None, :] * n_systems + np.arange(n_systems)[:, None]).ravel()
    present = ~np.isnan(matrix)
    sums = group_sums(np.where(present, matrix, 0.0).ravel(), cells, n_documents * n_systems)
    counts = group_sums(present.ravel().astype(np.float64), cells, n_documents * n_systems)
    return sums.reshape(n_documents, n_systems), counts.reshape(n_documents, n_systems)


def _in_order(sums: FloatArray, counts: FloatArray, whole: FloatArray) -> tuple[int, float]:
    """Of (draws, n_systems): how many draws have the whole order, and the share of pairs in it."""
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    first, second = np.triu_indices(whole.size, k=1)
    signs = np.sign(np.round(whole[first] - whole[second], 9))
    drawn = np.sign(np.round(means[:, first] - means[:, second], 9))
    agrees = (drawn == signs) | (signs == 0) | (drawn == 0)  # a NaN is neither
    return int(np.count_nonzero(agrees.all(axis=1))), float(agrees.mean())


def _same_clusters(matrix: FloatArray, codes: IntArray, is_drawn: FloatArray, clusters_of: ClustersOf) -> int:
    clusters, same = clusters_of(matrix, codes), 0
    for row in is_drawn:
        places = row[codes] > 0
        same += bool(np.array_equal(clusters_of(matrix[:, places], codes[places]), clusters))
    return same
