"""Agreement on which of two systems is better, as WMT counted it for its rankings."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.agreement.outcome import interval_beyond_chance, need_rng
from metrics.statistics.arrays import FloatArray, IntArray, as_codes, ratios
from metrics.statistics.resampling import NO_INTERVAL, Interval, times_drawn


@dataclass(frozen=True)
class PreferenceAgreement:
    """`agreed` of `comparable` pairs of labels; `ties` of the `total` labels that decide what chance gives.

    `n` is `comparable`. `reason` is `no_overlap` or `no_variation` where there is no value.
    """

    value: float
    observed: float
    expected: float
    n: int
    agreed: int
    comparable: int
    ties: int
    total: int
    interval: Interval = NO_INTERVAL
    reason: str = ""


def preference_kappa(
    segments: ArrayLike,
    pairs: ArrayLike,
    judges: ArrayLike,
    labels: ArrayLike,
    *,
    mode: Literal["inter", "intra"] = "inter",
    resamples: int = 0,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
) -> PreferenceAgreement:
    """How far judges agree, with others or with themselves, on which of two translations is better.

    Shape: All (n_labels,), one entry a judgment of two translations: what segment, which two systems (any labels; a
        pair has the same label in either order), who judged, and the answer.
    Unit and range: Labels -1, 0 and 1, 0 being a tie; kappa is 1 at most and 0 for chance.
    Missing data: Leave such rows out.
    Degenerate input: No two labels on one item: NaN, reason `no_overlap`. Ties only: NaN, reason `no_variation`. A
        label other than -1, 0, 1 and an unknown mode raise ValueError.
    Method: An item is a segment and pair. inter: all pairs of labels on an item, a judge's repeats among them. intra:
        pairs of labels of one judge on an item; only segments count where that judge has a repeated item, and all
        labels of the judge there give the ties. P(A) = agreed / comparable, t = ties / total, P(E) = t^2 + 2 ((1 - t) /
        2)^2, kappa = (P(A) - P(E)) / (1 - P(E)). Interval: segments drawn with replacement.
    Source: Bojar et al. 2016, "Findings of the 2016 conference on machine translation", section 3, and its script.

    Example:
        Two segments: on the first all three say the same, on the second two of three.

        >>> kappa = preference_kappa([1, 1, 1, 2, 2, 2], ["x|y"] * 6, ["a", "b", "c"] * 2, [1, 1, 1, 0, 0, -1])
        >>> kappa.agreed, kappa.comparable, kappa.ties, kappa.total, round(kappa.value, 4)
        (4, 6, 2, 6, 0.5)
    """
    if mode not in ("inter", "intra"):
        raise ValueError(f"mode must be inter or intra, not {mode!r}")
    answers = np.asarray(labels)
    if answers.size and not np.isin(answers, (-1, 0, 1)).all():
        raise ValueError("labels must be -1, 0 or 1")
    outcome = answers.astype(np.int64)
    _, segment = as_codes(segments, outcome.size)
    _, pair = as_codes(pairs, outcome.size)
    _, judge = as_codes(judges, outcome.size)
    place = segment if mode == "inter" else _coded(segment, judge)
    item = _coded(place, pair)
    is_repeated = np.bincount(item)[item] > 1
    counted = np.ones(outcome.size, dtype=np.bool_) if mode == "inter" else np.isin(place, place[is_repeated])
    return _agreement(segment[counted], item[counted], outcome[counted], resamples, confidence, rng)


def _coded(first: IntArray, second: IntArray) -> IntArray:
    joined = first * (int(second.max(initial=0)) + 1) + second
    codes: IntArray = np.unique(joined, return_inverse=True)[1].astype(np.int64, copy=False)
    return codes


def _agreement(
    segment: IntArray,
    item: IntArray,
    outcome: IntArray,
    resamples: int,
    confidence: float,
    rng: np.random.Generator | None,
) -> PreferenceAgreement:
    nan = float("nan")
    if not outcome.size:
        return PreferenceAgreement(nan, nan, nan, 0, 0, 0, 0, 0, reason="no_overlap")
    items, first, code = np.unique(item, return_index=True, return_inverse=True)
    tally = np.bincount(code * 3 + outcome + 1, minlength=3 * items.size).reshape(-1, 3).astype(np.float64)
    sizes = tally.sum(axis=1)
    per_item = np.stack([(tally * (tally - 1)).sum(axis=1) / 2, sizes * (sizes - 1) / 2, tally[:, 1], sizes], axis=1)
    _, of_segment = np.unique(segment[first], return_inverse=True)
    summed = [np.bincount(of_segment, weights=column) for column in per_item.T]
    per_segment = np.stack(summed, axis=1).astype(np.float64, copy=False)
    totals = per_segment.sum(axis=0)
    agreed, comparable, ties, total = (int(part) for part in totals)
    if not comparable:
        return PreferenceAgreement(nan, nan, nan, 0, 0, 0, ties, total, reason="no_overlap")
    observed, expected = (float(part[0]) for part in _parts(totals[None]))
    if expected >= 1:
        return PreferenceAgreement(
            nan, observed, expected, comparable, agreed, comparable, ties, total, reason="no_variation"
        )
    interval = NO_INTERVAL
    if resamples and len(per_segment) > 1:
        drawn = times_drawn(len(per_segment), resamples, need_rng(resamples, rng))
        interval = interval_beyond_chance((_parts(times @ per_segment) for times in drawn), confidence)
    value = (observed - expected) / (1 - expected)
    return PreferenceAgreement(value, observed, expected, comparable, agreed, comparable, ties, total, interval)


def _parts(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    agreed, comparable, ties, total = totals.T
    tied = ratios(ties, total)
    return ratios(agreed, comparable), tied**2 + 2 * ((1 - tied) / 2) ** 2
