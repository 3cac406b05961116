"""A coefficient within each segment or system, the mean over those in which it exists, and its interval."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes
from metrics.statistics.correlation.pairwise import By, rated_cells
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval

Resampled = Literal["segments", "systems", "both"]
_DRAWS_FOR_EACH = 10  # a draw without a value is repeated; after so many per requested draw there is no interval


@dataclass(frozen=True)
class GroupedCorrelation:
    """`value` is the mean over `groups` in which the coefficient exists.

    NaN, with a `reason`, where it exists in none: `too_few` (no group has two cells) or `constant`.
    """

    value: float
    groups: int
    reason: str = field(default="", repr=False)


def grouped(function: Callable[..., object], human: ArrayLike, metric: ArrayLike, *, by: By) -> GroupedCorrelation:
    """How a metric goes with people within segments, within systems, or over all cells at once.

    Shape: `human` and `metric`: (n_systems, n_segments); `function` takes two columns and returns a number, or a result
        with one (`pearson`, `kendall`).
    Unit and range: Those of the function.
    Missing data: A cell in which either is NaN is left out of both.
    Degenerate input: Groups in which the coefficient does not exist are skipped, so that the number of groups differs
        by metric. No group: NaN.
    Method: none: one vector of all cells; item: over systems within each segment; system: over segments within each
        system; then the unweighted mean.
    Source: Deutsch, Dror & Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling
        methods"; the metrics tasks of WMT since Freitag et al. 2022.

    Example:
        The second segment has equal human scores: it is skipped.

        >>> from metrics.statistics.correlation.coefficients import pearson
        >>> human, metric = [[1, 5, 1], [2, 5, 2], [3, 5, 3]], [[1, 1, 3], [2, 2, 2], [3, 3, 1]]
        >>> grouped(pearson, human, metric, by="item")
        GroupedCorrelation(value=0.0, groups=2)
    """
    (people, scores), starts = rated_cells(human, metric, by=by)
    ends = np.append(starts, people.size)[1:]
    values = [
        float(function(people[start:end], scores[start:end]))  # type: ignore[arg-type]
        for start, end in zip(starts, ends, strict=True)
    ]
    defined = np.array([value for value in values if not math.isnan(value)])
    if not defined.size:
        return GroupedCorrelation(float("nan"), 0, "constant" if (ends - starts > 1).any() else "too_few")
    return GroupedCorrelation(float(defined.mean()), defined.size)


@dataclass(frozen=True)
class CorrelationInterval:
    """`value` on all data and its `interval`; `redrawn` draws had no value. NaN, with a `reason`, where there is none.

    Reasons: `undefined` (no value on all data), `too_few` (fewer than two units to draw), `degenerate` (hardly any
    draw has a value).
    """

    value: float
    interval: Interval
    resamples: int
    redrawn: int
    reason: str = ""


def correlation_interval(
    function: Callable[..., object],
    human: ArrayLike,
    metric: ArrayLike,
    *,
    by: By = "none",
    resampled: Resampled = "both",
    groups: ArrayLike | None = None,
    resamples: int = 1_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> CorrelationInterval:
    """The interval in which a correlation of metric and people would lie with other segments, systems, or both.

    Shape: `human` and `metric`: (n_systems, n_segments), or (n_systems,) of system scores, of which only systems can be
        drawn; `function` and `by` as `grouped`. `groups`: (n_segments,) labels of segments drawn together (documents).
    Unit and range: Those of the function.
    Missing data: A cell in which either is NaN is left out of both.
    Degenerate input: No value on all data: NaN, reason `undefined`. Fewer than two units to draw: `too_few`. Where
        fewer than one draw in ten has a value: `degenerate`. Less than one resample, a level outside (0, 1) and unknown
        names raise ValueError.
    Method: Rows, columns or both are drawn with replacement, as many as there are, and `grouped` is taken of the drawn
        matrix; a draw without a value (two systems drawn, both the same one) is drawn again; percentiles.
    Source: Deutsch, Dror & Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling
        methods": BOOT-SYSTEMS, BOOT-INPUTS, and BOOT-BOTH, which they recommend, because it alone speaks of other
        systems and other texts.

    Example:
        >>> from metrics.statistics.correlation.coefficients import pearson
        >>> rng = np.random.default_rng(1)
        >>> human = rng.normal(size=(6, 40)) + np.arange(6)[:, None]
        >>> metric = human + rng.normal(size=(6, 40))
        >>> result = correlation_interval(pearson, human, metric, resamples=200, rng=rng)
        >>> result.interval.low < result.value < result.interval.high
        True
    """
    scores, others = (np.asarray(each, dtype=np.float64) for each in (human, metric))
    if scores.ndim == others.ndim == 1:
        scores, others = scores[:, None], others[:, None]
    if resampled not in ("segments", "systems", "both"):
        raise ValueError(f"resampled must be segments, systems or both, not {resampled!r}")
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    value = grouped(function, scores, others, by=by).value
    columns = np.arange(scores.shape[1]) if groups is None else as_codes(groups, scores.shape[1])[1]
    rows = len(scores) if resampled != "segments" else 2
    units = np.unique(columns).size if resampled != "systems" else 2
    nan = float("nan")
    if np.isnan(value):
        return CorrelationInterval(nan, NO_INTERVAL, resamples, 0, "undefined")
    if min(rows, units) < 2:
        return CorrelationInterval(value, NO_INTERVAL, resamples, 0, "too_few")
    values: list[float] = []
    redrawn = 0
    while len(values) < resamples and redrawn <= _DRAWS_FOR_EACH * resamples:
        drawn = _drawn(scores, others, resampled, columns, rng)
        drawn_value = grouped(function, *drawn, by=by).value
        if np.isnan(drawn_value):
            redrawn += 1
        else:
            values.append(drawn_value)
    if len(values) < resamples:
        return CorrelationInterval(value, NO_INTERVAL, resamples, redrawn, "degenerate")
    return CorrelationInterval(value, percentile_interval(np.array(values), level), resamples, redrawn)


def _drawn(
    human: FloatArray, metric: FloatArray, resampled: Resampled, columns: IntArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Both matrices with the same rows or columns drawn; `columns` are the codes of what is drawn together."""
    if resampled != "segments":
        systems = rng.integers(0, len(human), size=len(human))
        human, metric = human[systems], metric[systems]
    if resampled != "systems":
        order, n_units = np.argsort(columns, kind="stable"), int(columns.max(initial=-1)) + 1
        edges = np.searchsorted(columns[order], np.arange(n_units + 1))
        units = rng.integers(0, n_units, size=n_units)
        places = np.concatenate([order[edges[unit] : edges[unit + 1]] for unit in units])
        human, metric = human[:, places], metric[:, places]
    return human, metric
