"""Does a metric order pairs as people do: systems, systems with their uncertainty, and segments with ties."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_floats, paired
from metrics.statistics.resampling import rows_at_once

By = Literal["none", "item", "system"]
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class PairwiseAccuracy:
    """`value` over `n` pairs of systems; NaN without any, `reason` then says why."""

    value: float
    n: int
    reason: str = field(default="", repr=False)


@dataclass(frozen=True)
class AccuracyWithTies:
    """`value` at the threshold `epsilon`, up to which differences of the metric are ties; mean over `groups`.

    NaN, both, where no group has two cells; `reason` is then `too_few`.
    """

    value: float
    epsilon: float
    groups: int
    reason: str = field(default="", repr=False)


def pairwise_accuracy(human: ArrayLike, metric: ArrayLike, *, groups: ArrayLike | None = None) -> PairwiseAccuracy:
    """In what share of pairs of systems does the metric prefer the one people prefer?

    Shape: `human` and `metric`: (n_systems,); `groups`: (n_systems,) labels, of language pairs say: only pairs within
        one are compared, and all are pooled.
    Unit and range: Higher is better in both; a share from 0 to 1.
    Missing data: A system with a NaN on either side is left out.
    Degenerate input: No pair: NaN, reason `too_few`.
    Method: sign(human difference) = sign(metric difference), two ties agreeing.
    Source: Kocmi et al. 2021, "To ship or not to ship".

    Example:
        >>> pairwise_accuracy([3, 2, 1], [30, 10, 20])
        PairwiseAccuracy(value=0.6666666666666666, n=3)
    """
    labels = np.zeros(np.shape(human)) if groups is None else np.asarray(groups)
    first, second = paired(human, metric)
    present = ~(np.isnan(first) | np.isnan(second))
    codes = np.unique(labels[present], return_inverse=True)[1]
    one, other = np.triu_indices(codes.size, k=1)
    alike = codes[one] == codes[other]
    one, other = one[alike], other[alike]
    first, second = first[present], second[present]
    if not one.size:
        return PairwiseAccuracy(float("nan"), 0, "too_few")
    agree = np.sign(first[one] - first[other]) == np.sign(second[one] - second[other])
    return PairwiseAccuracy(float(agree.mean()), one.size)


def soft_pairwise_accuracy(
    human: ArrayLike, metric: ArrayLike, *, resamples: int = 1_000, rng: np.random.Generator
) -> PairwiseAccuracy:
    """Is the metric as sure as people are about which of two systems is better?

    Shape: `human` and `metric`: (n_systems, n_segments), the metric's segment scores averaging to its system score.
    Unit and range: Higher is better in both; 0 to 1.
    Missing data: Two systems are compared on segments where neither has a NaN in either matrix.
    Degenerate input: A pair without a shared segment is left out; no pair: NaN, reason `no_shared_segments`, or
        `too_few` where there are no two systems. Less than one resample raises ValueError.
    Method: The mean over pairs of 1 - |p_h - p_m|, p being the one-sided p of a paired permutation: the share of random
        signs under which the mean difference is at least as large. All pairs, and people and metric, share the signs.
    Source: Thompson, Mathur, Deutsch & Khayrallah 2024, "Improving statistical significance in human evaluation of
        automatic metrics via soft pairwise accuracy".

    Example:
        >>> rng = np.random.default_rng(1)
        >>> human = rng.normal(size=(3, 50)) + [[0], [1], [2]]
        >>> soft_pairwise_accuracy(human, human * 2 + 5, rng=rng).value
        1.0
    """
    scores, others = as_floats(human, dimensions=2), as_floats(metric, dimensions=2)
    if scores.shape != others.shape:
        raise ValueError(f"human and metric must have one shape, got {scores.shape} and {others.shape}")
    one, other = np.triu_indices(len(scores), k=1)
    by_human, by_metric = scores[one] - scores[other], others[one] - others[other]
    missing = np.isnan(by_human) | np.isnan(by_metric)
    by_human, by_metric = np.where(missing, 0.0, by_human), np.where(missing, 0.0, by_metric)
    compared = ~missing.all(axis=1)
    if not compared.any():
        return PairwiseAccuracy(float("nan"), 0, "no_shared_segments" if compared.size else "too_few")
    differences = np.concatenate([by_human[compared], by_metric[compared]]).T
    p = _one_sided(differences, resamples, rng)
    n = int(compared.sum())
    return PairwiseAccuracy(float(1 - np.abs(p[:n] - p[n:]).mean()), n)


def pairwise_accuracy_with_ties(
    human: ArrayLike, metric: ArrayLike, *, by: By = "item", epsilon: float | None = None
) -> AccuracyWithTies:
    """In what share of pairs does the metric order, or tie, as people do, its ties being differences up to epsilon?

    Shape: `human` and `metric`: (n_systems, n_segments).
    Unit and range: Higher is better in both; a share from 0 to 1, epsilon in the unit of the metric. Human ties are
        exact: give scores without rounding noise (MQM in whole tenths, so that three times 0.1 is 0.3).
    Missing data: A cell in which either is NaN is left out.
    Degenerate input: Groups with fewer than two cells are skipped; no group: NaN, epsilon too, reason `too_few`.
    Method: Per group (alike ordered + both tied) / pairs, the mean over groups. Without an epsilon the one that
        maximises it, one for all groups, 0 among the candidates, the smallest of equally good ones but for rounding:
        differences are sorted once, and each that becomes a tie gains or loses its pair.
    Source: Deutsch, Foster & Freitag 2023, "Ties matter: meta-evaluating modern metrics with pairwise accuracy and tie
        calibration".

    Example:
        People tie the first two systems; the metric differs by a little.

        >>> pairwise_accuracy_with_ties([[2], [2], [1]], [[5.0], [4.0], [1.0]])
        AccuracyWithTies(value=1.0, epsilon=1.0, groups=1)
        >>> round(pairwise_accuracy_with_ties([[2], [2], [1]], [[5.0], [4.0], [1.0]], epsilon=0).value, 4)
        0.6667
    """
    pairs = outcome_pairs(human, metric, by=by)
    if not pairs.groups:
        return AccuracyWithTies(float("nan"), float("nan"), 0, "too_few")
    if epsilon is None:
        epsilon = _calibrated(pairs)
    value = float((ordered_alike(pairs.human, pairs.metric, epsilon) * pairs.weights).sum())
    return AccuracyWithTies(value, epsilon, pairs.groups)


@dataclass(frozen=True)
class OutcomePairs:
    """Pairs of cells: how people order them (-1, 0, 1), how far apart, how far apart the metric, each pair's weight."""

    human: IntArray
    distance: FloatArray
    metric: FloatArray
    weights: FloatArray
    group: IntArray
    groups: int


def ordered_alike(human: FloatArray | IntArray, metric: FloatArray, epsilon: float) -> BoolArray:
    """Whether differences of a metric have the signs of people's differences; those up to epsilon are ties."""
    alike: BoolArray = np.where(np.abs(metric) <= epsilon, 0.0, np.sign(metric)) == np.sign(human)
    return alike


def outcome_pairs(human: ArrayLike, metric: ArrayLike, *, by: By) -> OutcomePairs:
    """The pairs within each group; a pair weighs what its share in the mean over groups is."""
    (human_cells, metric_cells), starts = rated_cells(human, metric, by=by)
    first, second, group = pairs_within(starts, human_cells.size)
    sizes = np.bincount(group)
    groups = int((sizes > 0).sum())
    weights = 1 / (sizes[group] * max(1, groups)).astype(np.float64)
    apart = human_cells[first] - human_cells[second]
    order = np.sign(apart).astype(np.int64)
    return OutcomePairs(order, np.abs(apart), metric_cells[first] - metric_cells[second], weights, group, groups)


def _calibrated(pairs: OutcomePairs) -> float:
    """One running sum of the groups' shares, a pair's group taken out and put back as the pair becomes a tie.

    Several epsilons are often equally good, and then rounding decides between them: adding up in the order of the
    authors' own implementation makes the choice theirs.
    """
    size = np.abs(pairs.metric)
    order = np.argsort(size, kind="stable")
    size, group = size[order], pairs.group[order]
    untied = (np.sign(pairs.metric) == pairs.human)[order]
    change = (pairs.human == 0)[order].astype(np.int64) - untied
    sizes, right = np.bincount(group), np.bincount(group, weights=untied)
    by_group = np.argsort(group, kind="stable")
    running = np.cumsum(change[by_group])
    begins = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    before_group = (running - change[by_group])[begins]
    after = np.empty(size.size)
    after[by_group] = running - np.repeat(before_group, sizes[sizes > 0])
    after += right[group]
    steps = np.stack([-(after - change) / sizes[group], after / sizes[group]], axis=1).ravel()
    total = np.cumsum(right[sizes > 0] / sizes[sizes > 0])[-1]
    shares = np.cumsum(np.concatenate([[total], steps]))[2::2] / pairs.groups
    last = np.flatnonzero(np.append(size[1:] != size[:-1], True))  # equal differences become ties together
    candidates, values = size[last], shares[last]
    if candidates[0] > 0:
        candidates, values = np.append(0.0, candidates), np.append(total / pairs.groups, values)
    return float(candidates[np.argmax(values)])


def _one_sided(differences: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """(n_columns,): how often the sum under random signs is at least the observed one."""
    observed = differences.sum(axis=0) - 1e-12 * np.abs(differences).sum(axis=0)
    reached = np.zeros(differences.shape[1])
    for rows in rows_at_once(resamples, len(differences), cells=_CELLS_AT_ONCE):
        signs = rng.integers(0, 2, size=(rows, len(differences))).astype(np.float64) * 2 - 1
        reached += (signs @ differences >= observed).sum(axis=0)
    return reached / resamples


@dataclass(frozen=True)
class KendallLike:
    """`value` over `concordant` and `discordant` pairs; NaN, reason `no_clear_pairs`, without any."""

    value: float
    concordant: int
    discordant: int
    reason: str = ""


def kendall_like(human: ArrayLike, metric: ArrayLike, *, threshold: float = 25.0) -> KendallLike:
    """Of pairs of translations with clearly different human scores, how many more does a metric order alike than not?

    Shape: `human` and `metric`: (n_systems, n_segments); pairs are of one segment.
    Unit and range: Higher is better in both; `threshold` in the unit of `human` (raw points of 0 to 100); -1 to 1.
    Missing data: A cell in which either is NaN is left out.
    Degenerate input: No pair so far apart: NaN, reason `no_clear_pairs`. A threshold of 0 or less raises ValueError:
        then equals would have to be ordered.
    Method: (C - D) / (C + D) over all pairs of all segments whose human difference is at least the threshold; C are
        those the metric orders alike, D all others: a tie of the metric counts against it.
    Source: "daRR" of Bojar, Graham & Kamran 2017 and the metrics tasks of WMT up to Mathur et al. 2020; abandoned in
        2021. It is not Kendall's tau: ties of the metric are not treated separately.

    Example:
        Two clear pairs in order, one tied by the metric; the fourth is too close to count.

        >>> kendall_like([[90, 80], [60, 70], [30, 70]], [[3, 2], [2, 1], [2, 1]])
        KendallLike(value=0.3333333333333333, concordant=2, discordant=1, reason='')
    """
    if threshold <= 0:
        raise ValueError(f"the threshold must be above 0, not {threshold}")
    pairs = outcome_pairs(human, metric, by="item")
    clear = pairs.distance >= threshold - 1e-9
    concordant = int(np.count_nonzero(clear & (np.sign(pairs.metric) == pairs.human)))
    discordant = int(np.count_nonzero(clear)) - concordant
    if not clear.any():
        return KendallLike(float("nan"), 0, 0, reason="no_clear_pairs")
    return KendallLike((concordant - discordant) / (concordant + discordant), concordant, discordant)


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
