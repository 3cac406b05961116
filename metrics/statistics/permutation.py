"""Paired permutation: the signs of differences are flipped, whole documents together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, IntArray, as_codes, as_floats, ratios

_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class PairwisePermutation:
    """Matrices (n_systems, n_systems): `difference[i, j]` is mean(i - j), on `n[i, j]` segments.

    `extreme[i, j]` of `resamples` permutations were at least as far from zero.
    """

    difference: FloatArray
    p: FloatArray
    extreme: IntArray
    n: IntArray
    resamples: int
    is_exact: bool


def paired_permutation_all(
    scores: ArrayLike, *, groups: ArrayLike | None = None, resamples: int = 10_000, rng: np.random.Generator
) -> PairwisePermutation:
    """Whether the mean difference of each two systems could be chance, if each document's signs were a coin's throw.

    Shape: `scores`: (n_systems, n_segments), NaN = not judged; `groups`: (n_segments,) labels of what is flipped
        together (the document); without them each segment is flipped on its own.
    Unit and range: Any interval unit; the two-sided p runs from 1 / (resamples + 1) to 1.
    Missing data: Each pair of systems is compared on the segments where neither is NaN.
    Degenerate input: A pair without a shared segment has p and difference NaN; the diagonal is NaN. All differences
        zero, or a single group: p is 1. With fewer than six groups p cannot fall below 0.05, however clear the
        difference: the group is the unit of evidence. Less than one resample raises ValueError.
    Method: D_g = sum of differences in group g; a permutation is sum(s_g D_g) with s_g = +-1 at random; b =
        permutations with |sum| >= |observed|; p = (b + 1) / (resamples + 1). When there are no more sign patterns than
        `resamples`, all of them are taken once and p = b / patterns, the observed one among them. All pairs share the
        signs, so that one matrix product (permutations x groups) by (groups x pairs) answers them all.
    Source: Fisher 1935 (randomisation of signs); Phipson & Smyth 2010 for the + 1; groups as the unit of exchange after
        Good 2005, "Permutation, parametric and bootstrap tests of hypotheses"; sharing the draws among pairs as
        Thompson et al. 2024 do for soft pairwise accuracy.

    Example:
        Three differences, 1, 2 and 3: of eight sign patterns only +++ and --- are as extreme.

        >>> test = paired_permutation_all([[2, 4, 6], [1, 2, 3]], rng=np.random.default_rng(1))
        >>> test.p.tolist(), test.n.tolist()
        ([[nan, 0.25], [0.25, nan]], [[0, 3], [3, 0]])
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")
    matrix = as_floats(scores, dimensions=2)
    n_systems, n_segments = matrix.shape
    labels, codes = as_codes(np.arange(n_segments) if groups is None else groups, n_segments)
    first, second = np.triu_indices(n_systems, k=1)
    sums, sizes, shared = _differences_by_group(matrix, codes, labels.size, first, second)
    extreme, drawn, is_exact = _extremes(sums, sizes, resamples, rng)
    p = np.where(shared > 0, _p(extreme, drawn, is_exact), np.nan)
    difference = ratios(sums.sum(axis=0), shared)

    def square(values: FloatArray | IntArray, *, diagonal: float, mirrored: FloatArray | IntArray) -> FloatArray:
        matrix = np.full((n_systems, n_systems), diagonal)
        matrix[first, second], matrix[second, first] = values, mirrored
        return matrix

    return PairwisePermutation(
        difference=square(difference, diagonal=np.nan, mirrored=-difference),
        p=square(p, diagonal=np.nan, mirrored=p),
        extreme=square(extreme, diagonal=0, mirrored=extreme).astype(np.int64),
        n=square(shared, diagonal=0, mirrored=shared).astype(np.int64),
        resamples=drawn,
        is_exact=is_exact,
    )


def p_of_flips(sums: FloatArray, *, resamples: int, rng: np.random.Generator) -> FloatArray:
    """p of `paired_permutation_all`, of sums of differences that are already made: (n_groups, n_pairs)."""
    return _p(*_extremes(sums, np.abs(sums).sum(axis=0), resamples, rng))


def _p(extreme: IntArray, drawn: int, is_exact: bool, /) -> FloatArray:
    return extreme / drawn if is_exact else (extreme + 1) / (drawn + 1)


def _differences_by_group(
    matrix: FloatArray, codes: IntArray, n_groups: int, first: IntArray, second: IntArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Per pair of systems: the sum of differences and of their sizes in each group, and the number of shared segments.

    One pair at a time, so that memory stays at a few rows of segments.
    """
    sums = np.zeros((n_groups, first.size))
    sizes = np.zeros(first.size)
    shared = np.zeros(first.size, dtype=np.int64)
    for pair, (one, other) in enumerate(zip(first, second, strict=True)):
        differences = matrix[one] - matrix[other]
        present = ~np.isnan(differences)
        shared[pair] = np.count_nonzero(present)
        differences[~present] = 0.0
        sums[:, pair] = np.bincount(codes, weights=differences, minlength=n_groups)
        sizes[pair] = np.abs(differences).sum()
    return sums, sizes, shared


def _extremes(
    sums: FloatArray, sizes: FloatArray, resamples: int, rng: np.random.Generator
) -> tuple[IntArray, int, bool]:
    """How many sign patterns are at least as extreme as the observed one, how many were tried, and whether all were.

    A sum counts as reached when it misses by rounding alone: sums of the same numbers in another order differ a little.
    """
    n_groups, n_pairs = sums.shape
    reached = np.abs(sums.sum(axis=0)) - 1e-12 * sizes
    is_exact = n_groups < 60 and 2**n_groups <= resamples
    drawn = 2**n_groups if is_exact else resamples
    extreme = np.zeros(n_pairs, dtype=np.int64)
    step = max(1, _CELLS_AT_ONCE // max(1, n_groups))
    for start in range(0, drawn, step):
        rows = min(step, drawn - start)
        signs = _all_signs(start, rows, n_groups) if is_exact else _random_signs(rows, n_groups, rng)
        extreme += np.count_nonzero(np.abs(signs @ sums) >= reached, axis=0)
    return extreme, drawn, is_exact


def _all_signs(start: int, rows: int, n_groups: int) -> FloatArray:
    patterns = np.arange(start, start + rows, dtype=np.int64)[:, None]
    return np.where((patterns >> np.arange(n_groups)) & 1, -1.0, 1.0)


def _random_signs(rows: int, n_groups: int, rng: np.random.Generator) -> FloatArray:
    bits = np.unpackbits(np.frombuffer(rng.bytes((rows * n_groups + 7) // 8), dtype=np.uint8), count=rows * n_groups)
    return bits.reshape(rows, n_groups).astype(np.float64) * 2.0 - 1.0
