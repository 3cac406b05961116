"""Two annotators, the same items, categories: Cohen's kappa and Scott's pi."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from metrics.statistics.agreement.outcome import Agreement, beyond_chance, need_rng
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.resampling import NO_INTERVAL, Interval, percentile_interval

Weights = Literal["linear", "quadratic"] | None


def cohen_kappa(
    a: Sequence[Any],
    b: Sequence[Any],
    *,
    categories: Sequence[Any] | None = None,
    weights: Weights = None,
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> Agreement:
    """How far two annotators agree beyond what their own habits would give by chance.

    Shape:
        `a` and `b`: n_items labels each, paired by position; numbers, words, anything hashable. `categories`: the
        full scale in order. `resamples` and `rng` ask for an interval.
    Unit and range:
        1 at most, 0 for chance, negative for less. `observed` and `expected` are (weighted) shares agreed.
    Missing data:
        A pair with None or NaN on either side is dropped.
    Degenerate input:
        No pair: NaN, reason `no_overlap`. Both use one and the same category only: NaN, reason `no_variation`. A label
        outside `categories`, unequal lengths or unknown weights raise ValueError.
    Method:
        (P_o - P_e) / (1 - P_e), P_e from either annotator's own shares of the categories. Weights of a pair i, j of k
        categories: 1 - |i - j| / (k - 1), or 1 - (i - j)^2 / (k - 1)^2. Without `categories` the scale is what was
        seen, which changes weighted values where a category in between was never used: give the scale. Interval:
        items drawn with replacement, percentiles.
    Source:
        Cohen 1960; Cohen 1968 for weights.

    Example:
        >>> a, b = ["yes", "yes", "no", "no", "yes"], ["yes", "no", "no", "no", "yes"]
        >>> kappa = cohen_kappa(a, b)
        >>> round(kappa.value, 4), kappa.observed, round(kappa.expected, 2)
        (0.6154, 0.8, 0.48)
        >>> round(cohen_kappa([1, 2, 3, 5], [1, 3, 3, 4], categories=range(1, 6), weights="quadratic").value, 4)
        0.8519
    """
    table = _table(a, b, categories)
    credit = credits_of(len(table), weights)
    observed, expected = _cohen_parts(table[None], credit)
    n = int(table.sum())
    interval = _interval(table, credit, resamples, confidence, rng, own_margins=True)
    return beyond_chance(float(observed[0]), float(expected[0]), n, interval)


def scott_pi(
    a: Sequence[Any],
    b: Sequence[Any],
    *,
    categories: Sequence[Any] | None = None,
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> Agreement:
    """How far two annotators agree beyond chance, chance being drawn from what both used together.

    Shape:
        As `cohen_kappa`.
    Unit and range:
        As `cohen_kappa`; never above it on the same labels.
    Missing data:
        As `cohen_kappa`.
    Degenerate input:
        As `cohen_kappa`.
    Method:
        (P_o - P_e) / (1 - P_e), P_e the sum of squares of the pooled shares. Fleiss' kappa of two.
    Source:
        Scott 1955.

    Example:
        >>> round(scott_pi(["yes", "yes", "no", "no", "yes"], ["yes", "no", "no", "no", "yes"]).value, 4)
        0.6
    """
    table = _table(a, b, categories)
    credit = credits_of(len(table), None)
    observed, expected = _scott_parts(table[None], credit)
    interval = _interval(table, credit, resamples, confidence, rng, own_margins=False)
    return beyond_chance(float(observed[0]), float(expected[0]), int(table.sum()), interval)


def kappas_of_codes(a: IntArray, b: IntArray, n_categories: int) -> tuple[float, float, float]:
    """Cohen's kappa plain, linear and quadratic of labels that are codes of the full scale already.

    Shape:
        `a` and `b`: (n_items,) whole numbers from 0 below `n_categories`.
    Unit and range:
        As `cohen_kappa`.
    Missing data:
        There must be none.
    Degenerate input:
        NaN where `cohen_kappa` has a reason.
    Method:
        As `cohen_kappa`, all three from one table.
    Source:
        As `cohen_kappa`.

    Example:
        >>> [round(kappa, 4) for kappa in kappas_of_codes(np.array([0, 1, 2, 4]), np.array([0, 2, 2, 3]), 5)]
        [0.3846, 0.6667, 0.8519]
    """
    cells = np.bincount(a * n_categories + b, minlength=n_categories**2)
    table = cells.reshape(1, n_categories, n_categories).astype(np.float64)
    schemes: tuple[Weights, ...] = (None, "linear", "quadratic")
    parts = [_cohen_parts(table, credits_of(n_categories, weights)) for weights in schemes]
    n = int(table.sum())
    plain, linear, quadratic = (beyond_chance(float(o[0]), float(e[0]), n).value for o, e in parts)
    return plain, linear, quadratic


def _table(a: Sequence[Any], b: Sequence[Any], categories: Sequence[Any] | None) -> FloatArray:
    first, second = list(a), list(b)
    if len(first) != len(second):
        raise ValueError(f"a and b must be paired, got {len(first)} and {len(second)} labels")
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if not (_is_missing(x) or _is_missing(y))]
    known = list(categories) if categories is not None else sorted({label for pair in pairs for label in pair})
    places = {label: place for place, label in enumerate(known)}
    strange = sorted({str(label) for pair in pairs for label in pair if label not in places})
    if strange:
        raise ValueError(f"not among the categories: {', '.join(strange)}")
    table = np.zeros((len(known), len(known)))
    np.add.at(table, ([places[x] for x, _ in pairs], [places[y] for _, y in pairs]), 1.0)
    return table


def _is_missing(label: Any) -> bool:
    return label is None or label != label  # noqa: PLR0124 - only NaN differs from itself


def credits_of(n_categories: int, weights: Weights) -> FloatArray:
    """What a pair of categories counts as agreement, 1 on the diagonal."""
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f"weights must be None, linear or quadratic, not {weights!r}")
    places = np.arange(n_categories, dtype=np.float64)
    apart = np.abs(places[:, None] - places[None, :]) / max(1, n_categories - 1)
    if weights is None:
        return np.eye(n_categories)
    credit: FloatArray = 1 - (apart if weights == "linear" else apart**2)
    return credit


def _cohen_parts(tables: FloatArray, credit: FloatArray) -> tuple[FloatArray, FloatArray]:
    shares = _shares(tables)
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    return (shares * credit).sum(axis=(1, 2)), ((rows @ credit) * columns).sum(axis=1)


def _scott_parts(tables: FloatArray, credit: FloatArray) -> tuple[FloatArray, FloatArray]:
    shares = _shares(tables)
    pooled = (shares.sum(axis=2) + shares.sum(axis=1)) / 2
    return (shares * credit).sum(axis=(1, 2)), (pooled**2).sum(axis=1)


def _shares(tables: FloatArray) -> FloatArray:
    shares: FloatArray = tables / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1)
    return shares


def _interval(
    table: FloatArray,
    credit: FloatArray,
    resamples: int,
    confidence: float,
    rng: np.random.Generator | None,
    *,
    own_margins: bool,
) -> Interval:
    """Items drawn with replacement fall into the cells of the table as a multinomial draw does."""
    n = int(table.sum())
    if not resamples or n < 2:
        return NO_INTERVAL
    drawn = need_rng(resamples, rng).multinomial(n, (table / n).ravel(), size=resamples)
    parts = _cohen_parts if own_margins else _scott_parts
    observed, expected = parts(drawn.reshape(resamples, *table.shape).astype(np.float64), credit)
    beyond = np.divide(observed - expected, 1 - expected, out=np.full(resamples, np.nan), where=expected < 1)
    return percentile_interval(beyond, confidence)
