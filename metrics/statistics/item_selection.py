"""Which items of a test set are worth judging: what each promises by a metric's scores, and the best for a budget."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_floats, group_sums
from metrics.statistics.correlation.coefficients import kendall

ByScores = Literal["variance", "average", "consistency"]


def utilities_of_scores(scores: ArrayLike, *, method: ByScores) -> FloatArray:
    """What judging each segment promises, by one metric's scores of all systems' outputs.

    Shape: `scores`: (n_systems, n_segments); the result is (n_segments,).
    Unit and range: `variance` in squared units of the metric, `average` in its units, `consistency` from -1 to 1.
        Higher scores are better outputs; higher utilities are better segments.
    Missing data: NaN scores are left out. A segment that fewer than two systems (for `average`: none) have has NaN.
    Degenerate input: No segments give an empty array. A segment whose scores are all alike has consistency 0.
    Method: `variance`: population variance over systems, where outputs differ; `average`: minus the mean, hard items
        first; `consistency`: Kendall's tau-c of the segment's scores with the systems' means over all segments.
    Source: Zouhar et al. 2025, "How to select datapoints for efficient human evaluation of NLG models?";
        subset2evaluate 1.0.27.

    Example:
        Three systems on two segments: they differ on the first, and are ordered there as by their means.

        >>> scores = [[0.9, 0.5], [0.5, 0.5], [0.1, 0.6]]
        >>> utilities_of_scores(scores, method="variance").round(4).tolist()
        [0.1067, 0.0022]
        >>> utilities_of_scores(scores, method="consistency").round(4).tolist()
        [1.0, -0.8889]
    """
    values = as_floats(scores, dimensions=2)
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    means: FloatArray = np.divide(sums, counts, out=np.full(counts.size, np.nan), where=counts > 0)
    if method == "average":
        hardness: FloatArray = 0.0 - means
        return hardness
    if method == "variance":
        squares = np.where(known, (values - means) ** 2, 0.0).sum(axis=0)
        variances: FloatArray = np.divide(squares, counts, out=np.full(counts.size, np.nan), where=counts > 1)
        return variances
    if method != "consistency":
        raise ValueError(f"method must be variance, average or consistency, not {method!r}")
    per_system = known.sum(axis=1)
    of_systems = np.divide(
        np.where(known, values, 0.0).sum(axis=1), per_system, out=np.full(len(values), np.nan), where=per_system > 0
    )
    orders = [
        np.nan if count < 2 else kendall(column, of_systems, variant="c").value
        for column, count in zip(values.T, counts.tolist(), strict=True)
    ]
    constant = (counts > 1) & (np.ptp(np.where(known, values, means), axis=0) == 0)
    return np.where(constant, 0.0, np.array(orders, dtype=np.float64))


def unigram_diversity(outputs: Sequence[Sequence[Sequence[str]]]) -> FloatArray:
    """How little the systems' outputs of each segment overlap, word by word.

    Shape: `outputs`: for each segment the tokens of each output; the result is (n_segments,).
    Unit and range: From -1, where all outputs are alike, to 0, where no two share a token.
    Missing data: Leave out outputs that do not exist; a segment with fewer than two has NaN.
    Degenerate input: Two outputs of which one is empty overlap wholly (1): they say nothing about each other. No
        segments give an empty array.
    Method: Minus the mean over unordered pairs of 2|A∩B| / (|A| + |B|) of multisets of tokens.
    Source: As `utilities_of_scores`.

    Example:
        >>> unigram_diversity([["a b".split(), "a c".split()], ["a".split(), "a".split()]]).tolist()
        [-0.5, -1.0]
    """
    return np.array([-_mean_overlap([Counter(tokens) for tokens in texts]) for texts in outputs], dtype=np.float64)


def _mean_overlap(texts: Sequence[Counter[str]]) -> float:
    if len(texts) < 2:
        return float("nan")
    columns = {token: place for place, token in enumerate(dict.fromkeys(token for text in texts for token in text))}
    counts = np.zeros((len(texts), len(columns)))
    for row, text in enumerate(texts):
        counts[row, [columns[token] for token in text]] = list(text.values())
    first, second = np.triu_indices(len(texts), k=1)
    shared = np.array([np.minimum(counts[one], counts[other]).sum() for one, other in zip(first, second, strict=True)])
    sizes = counts.sum(axis=1)
    either_is_empty = (sizes[first] == 0) | (sizes[second] == 0)
    both = np.where(either_is_empty, 1.0, sizes[first] + sizes[second])
    return float(np.where(either_is_empty, 1.0, 2 * shared / both).mean())


def select_items(
    utilities: ArrayLike,
    *,
    budget: float,
    costs: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    domains: ArrayLike | None = None,
) -> BoolArray:
    """The segments to judge for a budget: the best by what they promise for what they cost.

    Shape: `utilities`, `costs`, `groups`, `domains`: (n_segments,), in the order of the test set. `groups` are
        documents, which are chosen whole. The result is (n_segments,), true where chosen.
    Unit and range: `costs` above 0, such as words; without them each segment costs 1 and `budget` counts segments.
    Missing data: A segment without utility is never chosen by itself; in a document it counts as the least of all.
        Costs must be known.
    Degenerate input: A budget that buys nothing gives an empty choice; one for everything gives all with a utility.
    Method: Items in the order of utility by cost, documents in that of their mean (without costs) or of their
        summed utility by cost; ties in the order of the test set. What does not fit into the rest of the budget is
        passed over. With costs, utilities some of which are negative count from the least of all: a negative one by
        cost would favour what is expensive. With domains, the next item is always of the domain of which the
        smallest share (of its cost) is chosen, so that domains keep their shares.
    Source: As `utilities_of_scores`; the budget is the greedy rule for knapsacks (Dantzig 1957).

    Example:
        The best two of four; then for four words, where the best costs three.

        >>> select_items([3, 1, 2, 5], budget=2).tolist()
        [True, False, False, True]
        >>> select_items([3, 1, 2, 5], budget=4, costs=[1, 1, 1, 3]).tolist()
        [True, True, True, False]
    """
    values = as_floats(utilities)
    price = np.ones(values.size) if costs is None else as_floats(costs)
    if price.size != values.size or not (price > 0).all():
        raise ValueError("every segment needs a cost above 0")
    unit = np.arange(values.size) if groups is None else _in_order(groups)
    n_units = int(unit.max(initial=-1)) + 1
    least = np.nanmin(values) if np.isfinite(values).any() else 0.0
    promise = values if costs is None else values - min(0.0, float(least))
    if groups is not None:
        promise = np.where(np.isnan(promise), least if costs is None else max(0.0, float(least)), promise)
    cost = group_sums(price, unit, n_units)
    rate = group_sums(promise, unit, n_units) / cost
    first = np.full(n_units, values.size)
    np.minimum.at(first, unit, np.arange(values.size))
    domain = np.zeros(n_units, dtype=np.int64) if domains is None else _in_order(domains)[first]
    chosen = _affordable(rate, cost, domain, budget)
    return chosen[unit]


def _in_order(labels: ArrayLike) -> IntArray:
    """Codes from 0 in the order in which the labels first occur."""
    _labels, first, codes = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)


def _affordable(rate: FloatArray, cost: FloatArray, domain: ArrayLike, budget: float) -> BoolArray:
    """Best first, always of the domain that is furthest behind; of what does not fit, nothing is chosen."""
    codes = np.asarray(domain)
    order = np.argsort(-rate, kind="stable")
    order = order[np.isfinite(rate[order])]
    queues = {code: [int(unit) for unit in order[codes[order] == code]][::-1] for code in dict.fromkeys(codes.tolist())}
    total = {code: float(cost[codes == code].sum()) for code in queues}
    spent = dict.fromkeys(queues, 0.0)
    chosen = np.zeros(rate.size, dtype=np.bool_)
    left = float(budget) * (1 + 1e-12)
    while queues := {code: queue for code, queue in queues.items() if queue}:
        code = min(queues, key=lambda each: spent[each] / total[each])
        unit = queues[code].pop()
        if cost[unit] <= left:
            chosen[unit] = True
            left -= cost[unit]
            spent[code] += cost[unit]
    return chosen
