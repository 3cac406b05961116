"""All pairs of several metrics compared by one set of swaps, and the groups that follow."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, as_floats
from metrics.statistics.correlation.pairwise import pairwise_accuracy_with_ties

NO_COMMON_PAIR = "too_few"
_CELLS_AT_ONCE = 4_000_000
_GAINS_AT_ONCE = 16_000_000


@dataclass(frozen=True)
class AccuraciesCompared:
    """Square matrices: `difference[i, j]` is accuracy(i) - accuracy(j), `p[i, j]` one-sided for i; NaN on the diagonal.

    `values` and `epsilons` are each metric's own. NaN off it: NO_COMMON_PAIR is the reason.
    """

    values: FloatArray
    epsilons: FloatArray
    difference: FloatArray
    p: FloatArray


def compare_accuracies(
    human: ArrayLike, metrics: Sequence[ArrayLike], *, resamples: int = 1_000, rng: np.random.Generator
) -> AccuraciesCompared:
    """Which metrics order the translations of a segment as people do more often than others do.

    Shape: `human` and each of `metrics`: (n_systems, n_segments).
    Unit and range: Higher is better in all; accuracies from 0 to 1, p from 1 / (resamples + 1) to 1.
    Missing data: Two metrics are compared on the pairs of translations for which people and both have scores.
    Degenerate input: Two metrics without a common pair: NaN, reason `too_few`. Less than one resample raises
        ValueError.
    Method: As `permutation_test` with `accuracy_with_ties` by item: each metric at its own epsilon, outcomes of pairs
        swapped at random; p = (b + 1) / (resamples + 1). All pairs of metrics share the swaps, which makes of all tests
        one product of matrices.
    Source: Deutsch, Foster & Freitag 2023, "Ties matter"; Deutsch, Dror & Roth 2021.

    Example:
        >>> human = np.arange(60.0).reshape(3, 20)
        >>> found = compare_accuracies(human, [human, -human], resamples=99, rng=np.random.default_rng(1))
        >>> found.difference[0, 1], found.p[0, 1], found.p[1, 0]
        (np.float64(1.0), np.float64(0.01), np.float64(1.0))
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    people = as_floats(human, dimensions=2)
    scores = [as_floats(metric, dimensions=2) for metric in metrics]
    found = [pairwise_accuracy_with_ties(people, metric) for metric in scores]
    one, other = np.triu_indices(len(people), k=1)
    wanted = people[one] - people[other]
    apart = [metric[one] - metric[other] for metric in scores]
    compared = [~(np.isnan(each) | np.isnan(wanted)) for each in apart]
    agree = [_agreement(wanted, each, of.epsilon) for each, of in zip(apart, found, strict=True)]
    difference, p = np.full((len(scores), len(scores)), np.nan), np.full((len(scores), len(scores)), np.nan)
    first, second = np.triu_indices(len(scores), k=1)
    seed = int(rng.integers(2**32))
    step = max(1, _GAINS_AT_ONCE // max(1, wanted.size))
    for start in range(0, first.size, step):
        left, right = first[start : start + step], second[start : start + step]
        both = [compared[i] & compared[j] for i, j in zip(left, right, strict=True)]
        columns = [_weighted(agree[i] - agree[j], met) for i, j, met in zip(left, right, both, strict=True)]
        gains, common = np.stack(columns, axis=1), np.array([met.any() for met in both], dtype=np.bool_)
        observed = gains.sum(axis=0)
        above, below = _reached(gains, observed, resamples, np.random.default_rng(seed))
        difference[left, right] = np.where(common, observed, np.nan)
        difference[right, left] = np.where(common, -observed, np.nan)
        p[left, right] = np.where(common, (above + 1) / (resamples + 1), np.nan)
        p[right, left] = np.where(common, (below + 1) / (resamples + 1), np.nan)
    values, epsilons = (np.array([getattr(each, name) for each in found]) for name in ("value", "epsilon"))
    return AccuraciesCompared(values, epsilons, difference, p)


def significance_groups(p: ArrayLike, *, alpha: float = 0.05) -> list[int]:
    """The group of each metric, best metric first: a metric that any other of the group is better than begins the next.

    Shape: `p`: (n_metrics, n_metrics), best metric first; `p[i, j]` is of i being better than j. Returns n_metrics
        numbers from 1.
    Unit and range: p from 0 to 1.
    Missing data: NaN counts as not significant.
    Degenerate input: No metric: an empty list.
    Method: Down the list; metric j begins a new group where some i of the present group has p[i, j] < alpha.
    Source: Freitag et al. 2023 and the metrics tasks before it.

    Example:
        The third is worse than the first, so it begins a group, though it cannot be told apart from the second.

        >>> significance_groups([[1, 0.2, 0.01], [0.8, 1, 0.3], [0.99, 0.7, 1]])
        [1, 1, 2]
    """
    matrix = np.asarray(p, dtype=np.float64)
    groups: list[int] = []
    start = 0
    for place in range(len(matrix)):
        if place and (matrix[start:place, place] < alpha).any():
            start = place
            groups.append(groups[-1] + 1)
        else:
            groups.append(groups[-1] if groups else 1)
    return groups


def _agreement(wanted: FloatArray, apart: FloatArray, epsilon: float) -> FloatArray:
    """Over (pairs, segments): 1 where the metric, differences up to epsilon being ties, says what people say."""
    said = np.where(np.abs(apart) <= (0.0 if np.isnan(epsilon) else epsilon), 0.0, np.sign(apart))
    agreed: FloatArray = (said == np.sign(wanted)).astype(np.float64)
    return agreed


def _weighted(gain: FloatArray, compared: BoolArray) -> FloatArray:
    """Each pair's part in the mean over segments of the share of pairs."""
    per_segment = compared.sum(axis=0)
    segments = max(1, int((per_segment > 0).sum()))
    weighted: FloatArray = (np.where(compared, gain, 0.0) / np.maximum(per_segment, 1) / segments).ravel()
    return weighted


def _reached(
    gains: FloatArray, observed: FloatArray, resamples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """How many swaps give at least what was observed, and at most."""
    gains = gains[(gains != 0).any(axis=1)]
    above, below = np.zeros(observed.size), np.zeros(observed.size)
    step = max(1, _CELLS_AT_ONCE // max(1, len(gains)))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        signs = rng.integers(0, 2, size=(rows, len(gains)), dtype=np.int8).astype(np.float64) * 2 - 1
        swapped = signs @ gains
        above += (swapped >= observed - 1e-12).sum(axis=0)
        below += (swapped <= observed + 1e-12).sum(axis=0)
    return above, below
