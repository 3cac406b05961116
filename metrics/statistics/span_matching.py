"""Spans matched one to one, with credit for what overlaps: precision, recall and F of whole errors, not characters."""

from dataclasses import dataclass

import numpy as np
import scipy

from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.spans import SpanRows

SIGNATURE = "mpp,variant-assay"


@dataclass(frozen=True)
class SpanMatches:
    """The credit of each predicted span and of each gold span, from 0 (unmatched) to 1 (the same characters)."""

    credit_predicted: FloatArray
    credit_gold: FloatArray

    @property
    def predicted(self) -> int:
        return self.credit_predicted.size

    @property
    def gold(self) -> int:
        return self.credit_gold.size

    @property
    def precision(self) -> float:
        return float(self.credit_predicted.mean()) if self.predicted else float("nan")

    @property
    def recall(self) -> float:
        return float(self.credit_gold.mean()) if self.gold else float("nan")

    @property
    def f(self) -> float:
        """The harmonic mean; 0 where one side marked nothing, NaN where both did."""
        if not (self.predicted and self.gold):
            return 0.0 if self.predicted or self.gold else float("nan")
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


def match_spans(predicted: SpanRows, gold: SpanRows) -> SpanMatches:
    """How many of the predicted errors are errors of the reference, and the reverse, where parts of a span count?

    Shape: Two sets of spans in columns, of any order; the comparisons (items) of both are numbered alike.
    Unit and range: Credit is a share of the span's own characters, 0 to 1, an entry a span in the order of its set;
        precision, recall and F are from 0 to 1.
    Missing data: Leave out comparisons of what one of the two did not look at.
    Degenerate input: Nothing predicted: precision NaN; no gold: recall NaN; neither: F NaN, one of them: F 0. A span
        without characters (an omission) must be left out before: it raises ValueError.
    Method: In each comparison predicted and gold spans are matched one to one so that the sum of 2 o / (|p| + |g|) is
        greatest, o being the characters that two spans share (Hungarian assignment). A match gives o / |p| to precision
        and o / |g| to recall, which are micro: sums of credit over numbers of spans. Two equal spans of one set are
        two spans.
    Source: After "match with partial overlap and partial credit", arXiv 2603.19921. Its own credit was not compared:
        hence the signature `mpp,variant-assay`. Kuhn 1955 for the assignment.

    Example:
        >>> def one(*spans):
        ...     return SpanRows(*np.array([(0, *span, 1) for span in spans]).T)
        >>> matches = match_spans(one((0, 10)), one((0, 5), (5, 10)))
        >>> matches.precision, matches.recall, round(matches.f, 4)
        (0.5, 0.5, 0.5)
    """
    credits = np.zeros(predicted.start.size), np.zeros(gold.start.size)
    lengths = predicted.end - predicted.start, gold.end - gold.start
    if any((length <= 0).any() for length in lengths):
        raise ValueError("spans without characters cannot be matched")
    one, other, shared = _overlaps(predicted, gold)
    if one.size:
        worth = 2 * shared / (lengths[0][one] + lengths[1][other])
        chosen = _best(one, other, worth, (credits[0].size, credits[1].size))
        for credit, length, at in zip(credits, lengths, (one[chosen], other[chosen]), strict=True):
            credit[at] = shared[chosen] / length[at]
    return SpanMatches(*credits)


def _overlaps(predicted: SpanRows, gold: SpanRows) -> tuple[IntArray, IntArray, IntArray]:
    """Every two spans of one comparison that share characters, in the order of the text, and how many."""
    of_predicted, of_gold = (np.lexsort((rows.end, rows.start, rows.comparison)) for rows in (predicted, gold))
    first, last = (
        np.searchsorted(gold.comparison[of_gold], predicted.comparison[of_predicted], side)
        for side in ("left", "right")
    )
    count = last - first
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    one, other = np.repeat(of_predicted, count), of_gold[np.repeat(first, count) + within]
    shared = np.minimum(predicted.end[one], gold.end[other]) - np.maximum(predicted.start[one], gold.start[other])
    return one[shared > 0], other[shared > 0], shared[shared > 0]


def _best(one: IntArray, other: IntArray, worth: FloatArray, sizes: tuple[int, int]) -> IntArray:
    """The places of the matches among the overlaps; overlaps that hang together are assigned together."""
    n_spans = sum(sizes)
    graph = scipy.sparse.coo_array((np.ones(one.size), (one, sizes[0] + other)), shape=(n_spans, n_spans))
    group = scipy.sparse.csgraph.connected_components(graph, directed=False)[1][one]
    alone = np.bincount(group)[group] == 1
    chosen = [np.flatnonzero(alone)]
    tangled = np.flatnonzero(~alone)
    tangled = tangled[np.lexsort((other[tangled], one[tangled], -worth[tangled], group[tangled]))]
    starts = np.flatnonzero(np.diff(group[tangled], prepend=-1))
    if not starts.size:
        return chosen[0]
    # where all overlap one span, the best of them is its match; most groups are so
    is_star = np.any(
        [
            np.minimum.reduceat(end[tangled], starts) == np.maximum.reduceat(end[tangled], starts)
            for end in (one, other)
        ],
        axis=0,
    )
    chosen.append(tangled[starts[is_star]])
    ends = np.append(starts[1:], tangled.size)
    for start, end in zip(starts[~is_star].tolist(), ends[~is_star].tolist(), strict=True):
        places = tangled[start:end]
        chosen.append(_assigned(places, one[places], other[places], worth[places]))
    return np.concatenate(chosen)


def _assigned(places: IntArray, one: IntArray, other: IntArray, worth: FloatArray) -> IntArray:
    rows, columns = (np.unique(each, return_inverse=True)[1] for each in (one, other))
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    at = np.full(table.shape, -1, dtype=np.int64)
    table[rows, columns], at[rows, columns] = worth, places
    chosen: IntArray = at[scipy.optimize.linear_sum_assignment(table, maximize=True)]
    return chosen[chosen >= 0]
