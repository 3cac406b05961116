"""How closely one person follows the others, which is what a metric can be measured by."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, group_means, ratios
from metrics.statistics.correlation.coefficients import kendall, pearson
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval, times_drawn

FEWEST_CELLS, FEWEST_SYSTEMS = 10, 3
_TIE_DECIMALS = 9  # means differ only by rounding where people tie
_FLAT = 1e-12  # of the larger sum of squares: a spread below is rounding


@dataclass(frozen=True)
class PersonAgainstOthers:
    """Annotator number `annotator` on `cells` outputs that others judged, too: own values, then every metric's."""

    annotator: int
    cells: int
    pearson: float
    kendall_b: float
    metrics_pearson: FloatArray
    metrics_kendall_b: FloatArray


@dataclass(frozen=True)
class MetricAgainstCeiling:
    """A metric's means over annotators, the `ceiling` on the same cells, and the `difference` (metric minus person)."""

    pearson: float
    kendall_b: float
    ceiling: float
    interval: Interval
    difference: float
    difference_interval: Interval


@dataclass(frozen=True)
class Ceiling:
    """`pearson` and `kendall_b` of people; NaN for a `reason` (`too_few`)."""

    pearson: float
    kendall_b: float
    interval: Interval
    cells: int
    people: tuple[PersonAgainstOthers, ...]
    metrics: tuple[MetricAgainstCeiling, ...]
    reason: str = ""


def human_ceiling(
    values: ArrayLike,
    annotators: ArrayLike,
    cells: ArrayLike,
    segments: ArrayLike,
    metrics: Sequence[ArrayLike] = (),
    *,
    systems: ArrayLike | None = None,
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> Ceiling:
    """How well does one person follow the mean of the others, and does a metric follow it better on the same outputs?

    Shape: All (n_ratings,), one entry a rating: its value, who gave it (codes from 0), which output it is of, and of
        which segment; of `metrics` one such column each, the metric's score of the rated output. One rating an
        annotator and output. With `systems`, of which system it is: then systems' means are compared.
    Unit and range: Values and scores in any unit, higher is better; coefficients from -1 to 1.
    Missing data: Leave out ratings without a value. NaN in a metric: the output has no score, and counts neither for
        the metric nor for the person it is compared with.
    Degenerate input: Fewer than 10 outputs that somebody shares with others: NaN, reason `too_few`. An annotator with
        fewer than 10 of these, or whose values or targets are all equal, has no coefficient and no part in the means;
        of systems' means, neither has who judged fewer than 3 systems.
    Method: For each annotator r, y is the mean of the others' values on r's outputs. Pearson's r and Kendall's tau-b of
        r's values with y, and of each metric's scores with the same y, or of the means of each by system over r's
        outputs; means over annotators, weighted by the number of outputs. Interval: segments drawn with replacement,
        percentiles.
    Source: Leave-one-out agreement as an upper bound: Snow et al. 2008, "Cheap and fast - but is it
        good?", section 4.

    Example:
        >>> values = np.tile([1, 2, 4, 3, 5, 9, 7, 8, 6, 10], 2)
        >>> result = human_ceiling(values, np.repeat([0, 1], 10), [*range(10)] * 2, [*range(10)] * 2, [-values])
        >>> round(result.pearson, 4), round(result.metrics[0].difference, 4)
        (1.0, -2.0)
    """
    of, who = np.asarray(values, dtype=np.float64), np.asarray(annotators, dtype=np.int64)
    _outputs, output = as_codes(cells, of.size)
    _segments, segment = as_codes(segments, of.size)
    scores = [np.asarray(each, dtype=np.float64) for each in metrics]
    sums, counts = (np.bincount(output, weights=each, minlength=1) for each in (of, np.ones(of.size)))
    shared = counts[output] > 1
    others = np.round(ratios(sums[output] - of, counts[output] - 1), _TIE_DECIMALS)
    rows = [np.flatnonzero(shared & (who == code)) for code in np.unique(who[shared]).tolist()]
    system = None if systems is None else as_codes(systems, of.size)[1]
    people = tuple(_person(int(who[own[0]]), own, of, others, scores, system) for own in rows)
    n_cells = int(np.unique(output[shared]).size)
    used = [own for own in rows if own.size >= FEWEST_CELLS]
    if n_cells < FEWEST_CELLS or not used:
        nan = float("nan")
        nothing = MetricAgainstCeiling(nan, nan, nan, NO_INTERVAL, nan, NO_INTERVAL)
        return Ceiling(nan, nan, NO_INTERVAL, n_cells, people, (nothing,) * len(scores), "too_few")
    columns = [of, *scores, *(np.where(np.isnan(each), np.nan, of) for each in scores)]
    n_segments = int(segment.max()) + 1
    chunks: list[FloatArray] = [np.ones((1, n_segments))]
    drawn = times_drawn(n_segments, resamples, rng) if resamples and rng is not None else iter(())
    coefficients = np.concatenate(
        [_means_of_draws(times, (segment, system), used, others, columns) for times in chain(chunks, drawn)], axis=1
    )
    made = [
        _metric(coefficients[1 + place], coefficients[1 + len(scores) + place], people, place, confidence)
        for place in range(len(scores))
    ]
    tau = _weighted([(each.cells, each.kendall_b) for each in people])
    interval = percentile_interval(coefficients[0, 1:], confidence)
    return Ceiling(float(coefficients[0, 0]), tau, interval, n_cells, people, tuple(made))


def _person(
    code: int,
    own: IntArray,
    values: FloatArray,
    others: FloatArray,
    scores: Sequence[FloatArray],
    system: IntArray | None,
) -> PersonAgainstOthers:
    nan = np.full(len(scores), np.nan)
    if own.size < FEWEST_CELLS:
        return PersonAgainstOthers(code, own.size, float("nan"), float("nan"), nan, nan)
    (of_person, targets), *of_metrics = (_compared(each, own, others, system) for each in (values, *scores))
    return PersonAgainstOthers(
        annotator=code,
        cells=own.size,
        pearson=pearson(of_person, targets).value,
        kendall_b=kendall(of_person, targets).value,
        metrics_pearson=np.array([pearson(*pair).value for pair in of_metrics]),
        metrics_kendall_b=np.array([kendall(*pair).value for pair in of_metrics]),
    )


def _compared(
    values: FloatArray, own: IntArray, others: FloatArray, system: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Values and targets of these outputs, or their means by system where the values are known."""
    if system is None:
        return values[own], others[own]
    known = own[~np.isnan(values[own])]
    places, n = system[known], int(system.max()) + 1
    x, y = (np.round(group_means(each[known], places, n), _TIE_DECIMALS) for each in (values, others))
    present = ~np.isnan(x)
    if np.count_nonzero(present) < FEWEST_SYSTEMS:
        return np.full(2, np.nan), np.full(2, np.nan)
    return x[present], y[present]


def _metric(
    of_metric: FloatArray, ceiling: FloatArray, people: Sequence[PersonAgainstOthers], place: int, confidence: float
) -> MetricAgainstCeiling:
    """Of its coefficients, and those of a person on the same outputs: of all data first, then of the draws."""
    difference = of_metric - ceiling
    return MetricAgainstCeiling(
        pearson=float(of_metric[0]),
        kendall_b=_weighted([(each.cells, float(each.metrics_kendall_b[place])) for each in people]),
        ceiling=float(ceiling[0]),
        interval=percentile_interval(of_metric[1:], confidence),
        difference=float(difference[0]),
        difference_interval=percentile_interval(difference[1:], confidence),
    )


def _weighted(parts: Sequence[tuple[int, float]]) -> float:
    known = [(weight, value) for weight, value in parts if not np.isnan(value)]
    total = sum(weight for weight, _value in known)
    return sum(weight * value for weight, value in known) / total if total else float("nan")


def _means_of_draws(
    times: FloatArray,
    places: tuple[IntArray, IntArray | None],
    rows: Sequence[IntArray],
    others: FloatArray,
    columns: Sequence[FloatArray],
) -> FloatArray:
    """(columns, draws): the mean over annotators of Pearson's r with the others, weighted by outputs, from sums.

    `times` (draws, n_segments) says how often each segment counts; `places` are segment and, of means, system.
    """
    segment, system = places
    means = np.empty((len(columns), len(times)))
    for place, values in enumerate(columns):
        known = [own[~np.isnan(values[own])] for own in rows]
        parts = [
            _of_person(times, segment, own, values, others)
            if system is None
            else _of_systems(times, (segment, system), own, values, others)
            for own in known
        ]
        weights = np.array([np.where(np.isnan(value), 0.0, count) for count, value in parts])
        products = np.array([np.where(np.isnan(value), 0.0, count * value) for count, value in parts])
        means[place] = ratios(products.sum(axis=0), weights.sum(axis=0))
    return means


def _of_systems(
    times: FloatArray, places: tuple[IntArray, IntArray], own: IntArray, values: FloatArray, others: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The same of systems' means: r over the systems that a draw has outputs of."""
    if own.size < FEWEST_CELLS:
        return np.zeros(len(times)), np.full(len(times), np.nan)
    segment, system = (place[own] for place in places)
    times, segment = _of_these(times, segment)
    n_systems = int(system.max()) + 1
    shape = (times.shape[1], n_systems)
    n, x, y = (
        times @ np.bincount(segment * n_systems + system, weights=each, minlength=shape[0] * n_systems).reshape(shape)
        for each in (np.ones(own.size), values[own], others[own])
    )
    present = n > 0
    known = present.sum(axis=1)
    counts = np.maximum(known, 1)[:, None]
    means = [np.where(present, ratios(each, n), 0.0) for each in (x, y)]
    x, y = (np.where(present, each - each.sum(axis=1, keepdims=True) / counts, 0.0) for each in means)
    spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    is_flat = (spread <= _FLAT) | (known < FEWEST_SYSTEMS)
    return n.sum(axis=1), np.where(is_flat, np.nan, ratios((x * y).sum(axis=1), np.where(is_flat, 1.0, spread)))


def _of_person(
    times: FloatArray, segment: IntArray, own: IntArray, values: FloatArray, others: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The number of outputs and r in each draw; r is NaN where there are too few, or one side is constant."""
    if own.size < FEWEST_CELLS:
        return np.zeros(len(times)), np.full(len(times), np.nan)
    x, y = (each - each.mean() for each in (values[own], others[own]))
    times, segment = _of_these(times, segment[own])
    n, sx, sy, xx, yy, xy = (
        times @ np.bincount(segment, weights=each, minlength=times.shape[1])
        for each in (np.ones(own.size), x, y, x * x, y * y, x * y)
    )
    count = np.maximum(n, 1.0)
    spread = np.sqrt(np.maximum(xx - sx**2 / count, 0.0) * np.maximum(yy - sy**2 / count, 0.0))
    is_flat = spread <= _FLAT * max(float(x @ x), float(y @ y), 1e-300)
    return n, np.where(is_flat, np.nan, ratios(xy - sx * sy / count, np.where(is_flat, 1.0, spread)))


def _of_these(times: FloatArray, segment: IntArray) -> tuple[FloatArray, IntArray]:
    """The segments that a person judged alone, often a hundredth of all, and the rows' places among them."""
    used, place = np.unique(segment, return_inverse=True)
    return times[:, used], place
