"""Scores of systems on segments, cut into the groups within which a metric is compared with people."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_floats

By = Literal["none", "item", "system"]


def rated_cells(*matrices: ArrayLike, by: By) -> tuple[list[FloatArray], IntArray]:
    """The cells in which nothing is NaN, as one column each, sorted by group; and where each group starts.

    Matrices are (n_systems, n_segments). `none` is one group, `item` a segment over systems, `system` the reverse.
    """
    if by not in ("none", "item", "system"):
        raise ValueError(f"by must be none, item or system, not {by!r}")
    arrays = [as_floats(matrix, dimensions=2) for matrix in matrices]
    if any(array.shape != arrays[0].shape for array in arrays):
        raise ValueError(f"scores must have one shape, got {', '.join(str(array.shape) for array in arrays)}")
    present = np.logical_and.reduce([~np.isnan(array) for array in arrays])
    if by == "item":
        arrays, present = [array.T for array in arrays], present.T
    columns = [array[present] for array in arrays]
    groups = np.nonzero(present)[0] if by != "none" else np.zeros(columns[0].size, dtype=np.int64)
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    return columns, starts.astype(np.int64, copy=False)


def pairs_within(starts: IntArray, size: int) -> tuple[IntArray, IntArray, IntArray]:
    """All pairs of cells of one group: first, second, and the number of the group; groups of one have none."""
    ends = np.append(starts, size)[1:]
    firsts, seconds, groups = [], [], []
    of_size = {group_size: np.triu_indices(group_size, k=1) for group_size in set((ends - starts).tolist())}
    for group, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        first, second = of_size[end - start]
        firsts.append(first + start)
        seconds.append(second + start)
        groups.append(np.full(first.size, group))
    if not firsts:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, empty
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(groups)
