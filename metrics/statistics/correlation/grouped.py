"""A coefficient within each segment or system, and the mean over those in which it exists."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.correlation.cells import By, rated_cells


@dataclass(frozen=True)
class GroupedCorrelation:
    """`value` is the mean over `groups` in which the coefficient exists; `skipped` are the others.

    NaN, with a `reason`, where it exists in none: `too_few` (no group has two cells) or `constant`.
    """

    value: float
    groups: int
    skipped: int
    reason: str = field(default="", repr=False)


def grouped(
    function: Callable[..., object], human: ArrayLike, metric: ArrayLike, *, by: By, constant: float | None = None
) -> GroupedCorrelation:
    """How a metric goes with people within segments, within systems, or over all cells at once.

    Shape: `human` and `metric`: (n_systems, n_segments); `function` takes two columns and returns a number, or a result
        with one (`pearson`, `kendall`).
    Unit and range: Those of the function.
    Missing data: A cell in which either is NaN is left out of both.
    Degenerate input: Groups in which the coefficient does not exist are skipped, and counted, so that the number of
        groups differs by metric; or they count as `constant`, where one is given (0 in another WMT tradition). No
        group: NaN.
    Method: none: one vector of all cells; item: over systems within each segment; system: over segments within each
        system; then the unweighted mean.
    Source: Deutsch, Dror & Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling
        methods"; the metrics tasks of WMT since Freitag et al. 2022.

    Example:
        The second segment has equal human scores: it is skipped.

        >>> from metrics.statistics.correlation import pearson
        >>> human, metric = [[1, 5, 1], [2, 5, 2], [3, 5, 3]], [[1, 1, 3], [2, 2, 2], [3, 3, 1]]
        >>> grouped(pearson, human, metric, by="item")
        GroupedCorrelation(value=0.0, groups=2, skipped=1)
    """
    (human_cells, metric_cells), starts = rated_cells(human, metric, by=by)
    ends = np.append(starts, human_cells.size)[1:]
    values = np.array(
        [
            float(function(human_cells[start:end], metric_cells[start:end]))  # type: ignore[arg-type]
            for start, end in zip(starts, ends, strict=True)
        ],
        dtype=np.float64,
    )
    if constant is not None:
        values = np.where(np.isnan(values), constant, values)
    defined = values[~np.isnan(values)]
    if not defined.size:
        reason = "constant" if (ends - starts > 1).any() else "too_few"
        return GroupedCorrelation(float("nan"), 0, values.size, reason)
    return GroupedCorrelation(float(defined.mean()), defined.size, values.size - defined.size)
