"""Taking an annotator's own mean and spread out of their scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes, as_floats, group_sums, ratios


@dataclass(frozen=True)
class ZScores:
    """`values` has one entry a row; the others one entry an annotator, in the order of `annotators` (sorted)."""

    values: FloatArray
    annotators: NDArray[Any]
    means: FloatArray
    deviations: FloatArray
    counts: IntArray


def z_scores(scores: ArrayLike, annotators: ArrayLike, *, reference: ArrayLike | None = None) -> ZScores:
    """Each score as its distance from that annotator's mean, in that annotator's standard deviations.

    Shape: `scores` and `annotators`: (n_rows,); `annotators`: any sortable labels or codes; `reference`: (n_rows,)
        boolean, the rows that give mean and deviation (default all). A row outside the reference gets a z as well.
    Unit and range: Scores in any unit; z has none and no bounds. Deviations are sample deviations, ddof = 1.
    Missing data: A NaN score has a NaN z and counts neither towards the mean nor towards `counts`.
    Degenerate input: An annotator with fewer than two reference rows, or whose reference scores are all equal, has no
        z: NaN in `values`, never 0. The deviation is then NaN or exactly 0.0, which shows the reason.
    Method: z = (x - mean_r) / sd_r over the reference rows of annotator r.
    Source: Graham, Baldwin, Moffat & Zobel 2013, "Continuous measurement scales in human evaluation of machine
        translation". The WMT crowd pipeline takes all of an annotator's rows as reference, control items included.

    Example:
        >>> z = z_scores([1.0, 2.0, 3.0, 50.0, 70.0], ["ana", "ana", "ana", "bo", "bo"])
        >>> z.means.tolist(), z.deviations.round(4).tolist(), z.counts.tolist()
        ([2.0, 60.0], [1.0, 14.1421], [3, 2])
        >>> z.values.round(4).tolist()
        [-1.0, 0.0, 1.0, -0.7071, 0.7071]
    """
    values = as_floats(scores)
    distinct, codes = as_codes(annotators, values.size)
    counted = _counted(values, reference)
    n_annotators = distinct.size
    counts = np.bincount(codes[counted], minlength=n_annotators).astype(np.int64, copy=False)
    sums = group_sums(values[counted], codes[counted], n_annotators)
    means = ratios(sums, counts)
    squares = group_sums((values[counted] - means[codes[counted]]) ** 2, codes[counted], n_annotators)
    variances = ratios(squares, counts - 1)
    variances[_all_equal(values[counted], codes[counted], n_annotators) & (counts > 1)] = 0.0
    deviations = np.sqrt(variances)
    usable = np.where(deviations > 0, deviations, np.nan)
    return ZScores((values - means[codes]) / usable[codes], distinct, means, deviations, counts)


def _counted(values: FloatArray, reference: ArrayLike | None) -> BoolArray:
    present: BoolArray = ~np.isnan(values)
    if reference is None:
        return present
    chosen = np.asarray(reference, dtype=np.bool_)
    if chosen.shape != values.shape:
        raise ValueError(f"reference must have one entry a score, got {chosen.shape} for {values.shape}")
    return present & chosen


def _all_equal(values: FloatArray, codes: IntArray, n_groups: int) -> BoolArray:
    """By the extremes: a mean of equal numbers may miss them by a rounding error and fake a deviation."""
    low = np.full(n_groups, np.inf)
    high = np.full(n_groups, -np.inf)
    np.minimum.at(low, codes, values)
    np.maximum.at(high, codes, values)
    equal: BoolArray = low == high
    return equal
