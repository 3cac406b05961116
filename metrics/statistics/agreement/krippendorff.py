"""Krippendorff's alpha at four levels, from sums per unit: any number of annotators, any cells missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.agreement.outcome import Agreement, need_rng, nothing_to_compare
from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, ratios
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval, times_drawn

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = get_args(Level)

# The trapezium rule with this step over log t gives the integral of the ratio level to rounding error (see `_Ratio`).
_STEP = 0.25
_BELOW, _ABOVE = 20.0, 4.0


def krippendorff_alphas(
    values: ArrayLike,
    items: ArrayLike,
    *,
    levels: Sequence[Level] = LEVELS,
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> dict[Level, Agreement]:
    """How far annotators agree beyond chance, for any incomplete ratings, at the level of measurement of the scale.

    Shape: `values`: (n_ratings,); `items`: (n_ratings,) labels of what was rated: one rating an annotator and item, and
        no matrix of annotators. `resamples` and `rng` ask for intervals; the levels share the draws.
    Unit and range: Categories as numbers (nominal), ranks of any spacing (ordinal), any unit (interval), or a unit with
        a true zero and nothing below it (ratio). Alpha is 1 at most, 0 for chance, and may be negative. `observed` and
        `expected` are mean disagreements, in squared units for interval; `n` counts pairable ratings.
    Missing data: A NaN rating is dropped, then every item with fewer than two: it leaves both disagreements.
    Degenerate input: Nothing rated twice: NaN, reason `no_overlap`. All ratings equal: NaN, reason `no_variation`. A
        negative rating at the ratio level: NaN, reason `negative_ratings`. An unknown level raises ValueError.
    Method: 1 - D_o / D_e. D_o sums over items the disagreement of all ordered pairs of an item's m ratings, weighted by
        1 / (m - 1), over n; D_e is that of all pairs of pairable ratings, over n(n - 1). Disagreement of a and b: 0 or
        1 (nominal); (a - b)^2 (interval); ((a - b) / (a + b))^2, 0 where both are 0 (ratio); the squared number of
        ratings from a to b, those at either end counting half (ordinal), that is, of mid-ranks. No pair is formed:
        squares and sums per item suffice, and for the ratio 4ab / (a + b)^2 is the integral of 4 t (a e^(-ta)) (b
        e^(-tb)). Interval: items drawn with replacement, percentiles.
    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; Krippendorff 2019, "Content analysis",
        chapter 12; Hayes & Krippendorff 2007 for intervals by bootstrap.

    Example:
        >>> alphas = krippendorff_alphas([1, 1, 2, 2, 3, 4], ["a", "a", "b", "b", "c", "c"])
        >>> round(alphas["interval"].value, 4), round(alphas["nominal"].value, 4)
        (0.878, 0.6154)
        >>> krippendorff_alphas([1, 1, 1, 1], ["a", "a", "b", "b"])["nominal"].reason
        'no_variation'
    """
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise ValueError(f"the level must be one of {', '.join(LEVELS)}, not {unknown[0]!r}")
    units = _pairable(as_floats(values), items)
    if units.values.size == 0:
        return {level: nothing_to_compare() for level in levels}
    measured = {level: _DISAGREEMENTS[level](units) for level in levels if level != "ratio" or units.values.min() >= 0}
    intervals = _intervals(measured, units, resamples, confidence, rng) if resamples else {}
    everything = np.ones((1, units.sizes.size))
    return {
        level: _alpha(measured[level], everything, units.values.size, intervals.get(level, NO_INTERVAL))
        if level in measured
        else Agreement(float("nan"), float("nan"), float("nan"), units.values.size, reason="negative_ratings")
        for level in levels
    }


@dataclass
class _Units:
    """Ratings sorted by unit: `sizes` ratings each, the first at `starts`. The levels share what was `counted` last."""

    values: FloatArray
    sizes: IntArray
    starts: IntArray
    counted: tuple[FloatArray, FloatArray] | None = None

    @cached_property
    def unit(self) -> IntArray:
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @cached_property
    def distinct(self) -> tuple[FloatArray, IntArray]:
        distinct, codes = np.unique(self.values, return_inverse=True)
        return distinct, codes.astype(np.int64, copy=False)

    def sums(self, values: FloatArray) -> FloatArray:
        return np.add.reduceat(values, self.starts)

    def sums_of_codes(self, of_distinct: FloatArray) -> FloatArray:
        """`sums` of numbers per distinct value; fast for repeated calls."""
        if self._padded is None:
            return self.sums(of_distinct[self.distinct[1]])
        return np.append(of_distinct, 0.0)[self._padded].sum(axis=0)  # type: ignore[no-any-return]

    @cached_property
    def _padded(self) -> IntArray | None:
        """(largest size, n_units): codes of the distinct values, and behind them where a unit is smaller."""
        distinct, codes = self.distinct
        largest = int(self.sizes.max())
        if largest * self.sizes.size > 2 * codes.size:
            return None
        padded = np.full((largest, self.sizes.size), distinct.size, dtype=np.int64)
        padded[np.arange(codes.size) - np.repeat(self.starts, self.sizes), self.unit] = codes
        return padded

    def value_counts(self, times: FloatArray) -> FloatArray:
        """(rows, n_distinct): how often each value is in the drawn units."""
        if self.counted is None or self.counted[0] is not times:
            self.counted = times, self.weighted_counts(times)
        return self.counted[1]

    def weighted_counts(self, weights: FloatArray) -> FloatArray:
        return np.ascontiguousarray((self._table @ weights.T).T, dtype=np.float64)

    @cached_property
    def _table(self) -> "scipy.sparse.csr_array":
        """Sparse, (n_distinct, n_units): a dense product would be mostly zeros."""
        distinct, codes = self.distinct
        shape = (distinct.size, self.sizes.size)
        return scipy.sparse.csr_array((np.ones(codes.size), (codes, self.unit)), shape=shape)


def _pairable(values: FloatArray, items: ArrayLike) -> _Units:
    _, codes = as_codes(items, values.size)
    present = ~np.isnan(values)
    values, codes = values[present], codes[present]
    sizes = np.bincount(codes)
    paired = sizes[codes] > 1
    values, codes = values[paired], codes[paired]
    order = np.argsort(codes, kind="stable")
    sizes = sizes[sizes > 1].astype(np.int64, copy=False)
    starts = np.cumsum(sizes) - sizes
    return _Units(values[order], sizes, starts)


class _Interval:
    """Sums of squares within and over units; values are centred first, for rounding's sake."""

    def __init__(self, units: _Units) -> None:
        centred = units.values - units.values.mean()
        # What is equal must give exactly zero.
        if units.values.min() == units.values.max():
            centred = np.zeros_like(centred)
        sums, squares = units.sums(centred), units.sums(centred**2)
        # The squared differences of all ordered pairs of each unit, over one less than its ratings.
        within = 2 * (units.sizes * squares - sums**2) / (units.sizes - 1)
        self._columns = np.stack([within, sums, squares, units.sizes], axis=1)

    def of(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        within, sums, squares, n = (times @ self._columns).T
        return within / n, 2 * (n * squares - sums**2) / (n * (n - 1))


class _Nominal:
    def __init__(self, units: _Units) -> None:
        self._units = units
        distinct, codes = units.distinct
        _, first, together = np.unique(units.unit * distinct.size + codes, return_index=True, return_counts=True)
        alike = np.bincount(units.unit[first], weights=together.astype(np.float64) ** 2, minlength=units.sizes.size)
        self._within = (units.sizes.astype(np.float64) ** 2 - alike) / (units.sizes - 1)

    def of(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        counts = self._units.value_counts(times)
        n = counts.sum(axis=1)
        return (times @ self._within) / n, (n**2 - (counts**2).sum(axis=1)) / (n * (n - 1))


class _Ordinal:
    """Interval on mid-ranks, which the drawn ratings decide anew each time."""

    def __init__(self, units: _Units) -> None:
        self._units = units

    def of(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        counts = self._units.value_counts(times)
        n = counts.sum(axis=1)
        ranks = np.cumsum(counts, axis=1) - counts / 2 - n[:, None] / 2
        sums_of = self._units.sums_of_codes if len(times) > 1 else self._sums_once
        squares = np.array([sums_of(rank) ** 2 for rank in ranks])
        sums = (times * squares / (self._units.sizes - 1)).sum(axis=1)
        observed = 2 * ((self._spread(times, counts) * ranks**2).sum(axis=1) - sums)
        expected = 2 * (n * (counts * ranks**2).sum(axis=1) - (counts * ranks).sum(axis=1) ** 2)
        return np.maximum(observed, 0.0) / n, expected / (n * (n - 1))

    def _sums_once(self, ranks: FloatArray) -> FloatArray:
        return self._units.sums(ranks[self._units.distinct[1]])

    def _spread(self, times: FloatArray, counts: FloatArray) -> FloatArray:
        """`counts` with each unit weighing m / (m - 1)."""
        sizes = self._units.sizes
        if sizes.min() == sizes.max():
            weighing: FloatArray = counts * (sizes[0] / (sizes[0] - 1))
            return weighing
        return self._units.weighted_counts(times * (sizes / (sizes - 1)))


class _Ratio:
    """((a - b) / (a + b))^2 = 1 - 4ab / (a + b)^2, and 1 / (a + b)^2 is the integral of t e^(-(a + b)t) over t > 0.

    With A(t) the sum of a e^(-ta), all pairs together are one integral of 4 t A(t)^2. Over log t its integrand is
    smooth and falls off fast at both ends, where the trapezium rule errs by about e^(-pi^2 / step).
    """

    def __init__(self, units: _Units) -> None:
        self._units = units
        distinct, codes = units.distinct
        positive = distinct[distinct > 0]
        low, high = (positive[0], positive[-1]) if positive.size else (1.0, 1.0)
        nodes = np.exp(np.arange(-np.log(high) - _BELOW, -np.log(low) + _ABOVE, _STEP))
        self._nodes = [(node, 4 * _STEP * node**2) for node in nodes]
        sizes = units.sizes.astype(np.float64)
        differing = sizes**2 - units.sums((units.values == 0).astype(np.float64)) ** 2
        for node, weight in self._nodes:
            differing -= weight * units.sums(self._part(node)[codes]) ** 2
        self._within = _without_rounding(differing, sizes) / (sizes - 1)

    def of(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        counts = self._units.value_counts(times)
        n = counts.sum(axis=1)
        differing = n**2 - (counts[:, self._units.distinct[0] == 0].sum(axis=1)) ** 2
        for node, weight in self._nodes:
            differing -= weight * (counts @ self._part(node)) ** 2
        return (times @ self._within) / n, _without_rounding(differing, n) / (n * (n - 1))

    def _part(self, node: float) -> FloatArray:
        distinct = self._units.distinct[0]
        return distinct * np.exp(-node * distinct)


_Disagreement = _Interval | _Nominal | _Ordinal | _Ratio
_DISAGREEMENTS: dict[Level, type[_Disagreement]] = {
    "nominal": _Nominal,
    "ordinal": _Ordinal,
    "interval": _Interval,
    "ratio": _Ratio,
}


def _without_rounding(differing: FloatArray, n: FloatArray) -> FloatArray:
    """What is equal must give exactly zero."""
    return np.where(differing < 1e-9 * n**2, 0.0, differing)


def _alpha(measured: _Disagreement, times: FloatArray, n: int, interval: Interval) -> Agreement:
    observed, expected = (float(part[0]) for part in measured.of(times))
    if expected <= 0:
        return Agreement(float("nan"), observed, expected, n, reason="no_variation")
    return Agreement(1 - observed / expected, observed, expected, n, interval)


def _intervals(
    measured: dict[Level, _Disagreement],
    units: _Units,
    resamples: int,
    confidence: float,
    rng: np.random.Generator | None,
) -> dict[Level, Interval]:
    drawn: dict[Level, list[FloatArray]] = {level: [] for level in measured}
    if units.sizes.size < 2:
        return {}
    for times in times_drawn(units.sizes.size, resamples, need_rng(resamples, rng)):
        for level, one in measured.items():
            drawn[level].append(1 - ratios(*one.of(times)))
    return {level: percentile_interval(np.concatenate(values), confidence) for level, values in drawn.items()}
