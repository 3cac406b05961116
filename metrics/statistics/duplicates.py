"""How far annotators are apart on the same outputs, in points of the scale."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, group_means, joint_codes, last_of_each


@dataclass(frozen=True)
class DuplicateError:
    """`value` is NaN where no output was scored by two annotators; `pairs` counts outputs times pairs of annotators."""

    value: float
    pairs: int


def duplicate_mae(
    values: ArrayLike, annotators: ArrayLike, outputs: ArrayLike, *, of_each: Literal["mean", "last"] = "mean"
) -> DuplicateError:
    """The mean absolute difference between two annotators' scores of one output.

    Shape: all (n_scores,): the score, labels of its annotator and its output; the scores of an annotator in the
        order in which they were given.
    Unit and range: That of the scores, from 0.
    Missing data: A NaN score is left out.
    Degenerate input: No output with two annotators: NaN, 0 pairs. Arrays of different lengths raise ValueError.
    Method: Of several scores of one annotator for one output their mean, or with `last` the last one; then the mean
        of |x - y| over every two annotators of each output. An output of many annotators weighs more than one of two.
    Source: The table of campaigns of WMT 2026.

    Example:
        Ann and Bob differ by 10 on the first output; Cem scored it 20 above Ann and 10 above Bob.

        >>> duplicate_mae([50, 60, 70, 90], ["ann", "bob", "cem", "ann"], [1, 1, 1, 2])
        DuplicateError(value=13.333333333333334, pairs=3)
    """
    scores = as_floats(values)
    (_, annotator), (_, output) = (as_codes(labels, scores.size) for labels in (annotators, outputs))
    present = ~np.isnan(scores)
    scores, annotator, output = scores[present], annotator[present], output[present]
    if of_each == "last":
        rows = last_of_each(output, annotator)
        scores, annotator, output = scores[rows], annotator[rows], output[rows]
    _, first, cell = np.unique(joint_codes(output, annotator), return_index=True, return_inverse=True)
    return _mean_distance(group_means(scores, cell, first.size), output[first])


def _mean_distance(scores: FloatArray, output: IntArray) -> DuplicateError:
    """Between every two scores of the same output; outputs are sorted."""
    total, pairs = 0.0, 0
    step, size = 1, scores.size
    while step < size:  # neighbours, then next neighbours, until no output has that many scores
        same = output[step:] == output[:-step]
        if not same.any():
            break
        total += float(np.abs(scores[step:] - scores[:-step])[same].sum())
        pairs += int(np.count_nonzero(same))
        step += 1
    return DuplicateError(total / pairs if pairs else float("nan"), pairs)
