"""All pairs of ratings of the same item taken together, whoever gave them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats
from metrics.statistics.correlation.coefficients import kendall, pearson

MOST_PAIRS = 2_000_000


@dataclass(frozen=True)
class PooledPairs:
    """Over `n` pairs: `pearson` and `kendall_b` of both orders, the mean absolute `difference`, the share `identical`.

    NaN where a number does not exist; `reason` is `no_overlap` without a pair, `too_many` beyond two million.
    """

    n: int
    pearson: float
    kendall_b: float
    difference: float
    identical: float
    reason: str = ""


def pooled_pairs(values: ArrayLike, items: ArrayLike) -> PooledPairs:
    """How far apart, and how alike in order, are two ratings of one item by any two annotators?

    Shape: `values`: (n_ratings,); `items`: (n_ratings,) labels of what was rated. One rating an annotator and item.
    Unit and range: Scores in any unit; the difference in theirs, coefficients from -1 to 1, a share from 0 to 1.
    Missing data: A NaN rating is dropped.
    Degenerate input: Nothing rated twice: NaN, reason `no_overlap`. Where all are equal, coefficients are NaN. More
        than two million pairs are not formed: NaN, reason `too_many`.
    Method: Every pair of ratings of an item enters once for difference and share, and in both orders for the
        coefficients, so that it does not matter who is first. An item with many ratings weighs by its pairs.
    Source: Pearson of both orders is Fisher's first intraclass correlation (Fisher 1925, section 38).

    Example:
        >>> found = pooled_pairs([1, 2, 5, 5, 9, 7], ["a", "a", "b", "b", "c", "c"])
        >>> found.n, found.difference, round(found.identical, 4), round(found.pearson, 4)
        (3, 1.0, 0.3333, 0.8885)
    """
    given = as_floats(values)
    _, codes = as_codes(items, given.size)
    present = ~np.isnan(given)
    given, codes = given[present], codes[present]
    sizes = np.bincount(codes).astype(np.int64)
    n, nan = int((sizes * (sizes - 1) // 2).sum()), float("nan")
    if not n or n > MOST_PAIRS:
        return PooledPairs(n, nan, nan, nan, nan, reason="too_many" if n else "no_overlap")
    first, second = _pairs(given, codes)
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    apart = np.abs(first - second)
    correlations = pearson(one, other).value, kendall(one, other).value
    return PooledPairs(n, *correlations, float(apart.mean()), float(np.mean(apart == 0)))


def _pairs(values: FloatArray, codes: IntArray) -> tuple[FloatArray, FloatArray]:
    order = np.argsort(codes, kind="stable")
    values, codes = values[order], codes[order]
    firsts, seconds = [], []
    lag = 1
    while lag < codes.size and (together := codes[lag:] == codes[:-lag]).any():
        firsts.append(values[:-lag][together])
        seconds.append(values[lag:][together])
        lag += 1
    return np.concatenate(firsts), np.concatenate(seconds)
