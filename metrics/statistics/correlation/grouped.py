"""A coefficient within each segment or system, the mean over those in which it exists, and its interval."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats
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
    values, sizes = _of_groups(function, human, metric, by)
    defined = values[~np.isnan(values)]
    if not defined.size:
        return GroupedCorrelation(float("nan"), 0, "constant" if (sizes > 1).any() else "too_few")
    return GroupedCorrelation(float(defined.mean()), defined.size)


def _of_groups(
    function: Callable[..., object], human: ArrayLike, metric: ArrayLike, by: By
) -> tuple[FloatArray, IntArray]:
    """The coefficient of each group, and the number of its cells."""
    (people, scores), starts = rated_cells(human, metric, by=by)
    ends = np.append(starts, people.size)[1:]
    values = [
        float(function(people[start:end], scores[start:end]))  # type: ignore[arg-type]
        for start, end in zip(starts, ends, strict=True)
    ]
    return np.array(values, dtype=np.float64), ends - starts


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
        matrix; a draw without a value (two systems drawn, both the same one) is drawn again; percentiles. Where what is
        drawn is what groups are made of (segments with `by` item, systems with `by` system), the groups' values are
        computed once.
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
    scores, others = _matrices(human, metric)
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
    draw = _drawer(function, scores, others, by, resampled, columns, rng)
    values: list[float] = []
    redrawn = 0
    while len(values) < resamples and redrawn <= _DRAWS_FOR_EACH * resamples:
        drawn = draw()
        if np.isnan(drawn):
            redrawn += 1
        else:
            values.append(drawn)
    if len(values) < resamples:
        return CorrelationInterval(value, NO_INTERVAL, resamples, redrawn, "degenerate")
    return CorrelationInterval(value, percentile_interval(np.array(values), level), resamples, redrawn)


def _matrices(human: ArrayLike, metric: ArrayLike) -> tuple[FloatArray, FloatArray]:
    scores, others = np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64)
    if scores.ndim == 1:
        scores, others = scores[:, None], others[:, None] if others.ndim == 1 else others
    return as_floats(scores, dimensions=2), as_floats(others, dimensions=2)


def _drawer(
    function: Callable[..., object],
    human: FloatArray,
    metric: FloatArray,
    by: By,
    resampled: Resampled,
    columns: IntArray,
    rng: np.random.Generator,
) -> Callable[[], float]:
    """A function that draws once and gives the value of the draw."""
    if (by, resampled) in (("item", "segments"), ("system", "systems")):
        return _of_known_groups(function, human, metric, by, columns, rng)
    order = np.argsort(columns, kind="stable")
    edges = np.searchsorted(columns[order], np.arange(columns.max(initial=-1) + 2))

    def draw() -> float:
        one, other = human, metric
        if resampled != "segments":
            systems = rng.integers(0, len(one), size=len(one))
            one, other = one[systems], other[systems]
        if resampled != "systems":
            units = rng.integers(0, edges.size - 1, size=edges.size - 1)
            places = np.concatenate([order[edges[unit] : edges[unit + 1]] for unit in units])
            one, other = one[:, places], other[:, places]
        return grouped(function, one, other, by=by).value

    return draw


def _of_known_groups(
    function: Callable[..., object],
    human: FloatArray,
    metric: FloatArray,
    by: By,
    columns: IntArray,
    rng: np.random.Generator,
) -> Callable[[], float]:
    values, _sizes = _of_groups(function, human, metric, by)
    present = ~(np.isnan(human) | np.isnan(metric))
    lines = np.flatnonzero(present.any(axis=0 if by == "item" else 1))
    known = ~np.isnan(values)
    units = columns[lines] if by == "item" else lines
    n_units = int(columns.max(initial=-1)) + 1 if by == "item" else len(human)
    sums = np.bincount(units[known], weights=values[known], minlength=n_units)
    sizes = np.bincount(units[known], minlength=n_units)

    def draw() -> float:
        drawn = rng.integers(0, n_units, size=n_units)
        total = sizes[drawn].sum()
        return float(sums[drawn].sum() / total) if total else float("nan")

    return draw
