"""One value per annotator and item, the matrix of items that several annotators rated, and how far these agree."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from metrics.matrices import ScoreTable
from metrics.results.values import Ends, Missing, Number, by_part, interval_ends, listed, names_reason, number, numbers
from metrics.statistics.agreement.kappas import fleiss_kappa
from metrics.statistics.agreement.krippendorff import Level, krippendorff_alphas
from metrics.statistics.agreement.outcome import Agreement
from metrics.statistics.agreement.pairs import AnnotatorPair, bands, pooled_pairs
from metrics.statistics.agreement.preferences import PreferenceAgreement
from metrics.statistics.arrays import FloatArray, IntArray, last_of_each

MOST_IN_A_MATRIX = 20  # annotators; with more, a page shows those who share most
MOST_POINTS = 11  # a scale with more is cut into bands for kappas
_LARGEST_MATRIX = 20_000_000
MAJOR = 5.0
# What a penalty is cut into: the least penalty of each part but the first.
CUTS: dict[str, tuple[float, ...]] = {"has_error": (1e-9,), "has_major": (MAJOR,), "three_bands": (1e-9, MAJOR)}
_OF_BANDS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators on the `n` items both rated: kappas on categories, correlations on scores.

    Results of preferences had once no more than the first kappa.
    """

    annotators: tuple[str, str]
    n: int
    kappa: Number
    kappa_linear: Number | None = None
    kappa_quadratic: Number | None = None
    pearson: Number | None = None
    spearman: Number | None = None
    kendall_b: Number | None = None


@dataclass(frozen=True)
class FewShared:
    """Two annotators and their number of shared items, too few for a coefficient."""

    annotators: tuple[str, str]
    n: int


@dataclass(frozen=True, kw_only=True)
class SharedPairs:
    """Every two annotators who have rated the same; `sharing`: how many there are, where a page has only some."""

    pairs: tuple[PairAgreement, ...] = listed(empty="no_overlap")
    few_shared: tuple[FewShared, ...] = ()
    sharing: int | None = None

    @property
    def shared(self) -> dict[str, int]:
        """How much each annotator shares with others."""
        shared: dict[str, int] = {}
        pairs: tuple[PairAgreement | FewShared, ...] = (*self.pairs, *self.few_shared)
        for pair in pairs:
            for name in pair.annotators:
                shared[name] = shared.get(name, 0) + pair.n
        return shared

    @property
    def shown(self) -> list[str]:
        """The annotators that a page has room for, those who share most, by name."""
        shared = self.shared
        return sorted(sorted(shared, key=lambda name: -shared[name])[:MOST_IN_A_MATRIX])

    def only_pairs(self) -> "SharedPairs":
        return SharedPairs(pairs=self.pairs, few_shared=self.few_shared)

    def shortened(self) -> "SharedPairs":
        """The pairs that a page shows."""
        shown = set(self.shown)
        return SharedPairs(
            pairs=tuple(pair for pair in self.pairs if shown.issuperset(pair.annotators)),
            few_shared=tuple(pair for pair in self.few_shared if shown.issuperset(pair.annotators)),
            sharing=len(self.shared),
        )


@dataclass(frozen=True)
class Ratings:
    """`values[i]` in natural units: the score by `names[annotator[i]]` for `item[i]`."""

    values: FloatArray
    annotator: IntArray
    item: IntArray
    names: tuple[str, ...]

    @property
    def matrix(self) -> FloatArray:
        """(annotators, items rated by at least two); limited by memory."""
        shared = np.bincount(self.item)[self.item] > 1
        _, column = np.unique(self.item[shared], return_inverse=True)
        n_rows, n_columns = len(self.names), int(column.max(initial=-1)) + 1
        if n_rows * n_columns > _LARGEST_MATRIX:
            n_columns = _LARGEST_MATRIX // n_rows
        matrix = np.full((n_rows, n_columns), np.nan)
        fits = column < n_columns
        matrix[self.annotator[shared][fits], column[fits]] = self.values[shared][fits]
        return matrix


def ratings_of(table: ScoreTable) -> Ratings:
    """The last regular row of each annotator and item; an output of several systems is one item."""
    own = table.where(table.of_kinds(["regular"]) & table.is_own)
    rated = own.where(last_of_each(own.annotator, items_of(own)))
    annotators, annotator = np.unique(rated.annotator, return_inverse=True)
    _, item = np.unique(items_of(rated), return_inverse=True)
    values = rated.values if rated.higher_is_better else -rated.values + 0.0
    return Ratings(values, annotator, item, tuple(rated.annotators[code] for code in annotators))


def items_of(table: ScoreTable) -> IntArray:
    return table.unit * (len(table.systems) + 1) + table.system


def has_points(table: ScoreTable) -> bool:
    """Whether the scale has two ends, few points, and nothing between them."""
    if not math.isfinite(table.high - table.low) or table.low == table.high:
        return False
    return table.high - table.low + 1 <= MOST_POINTS and bool((table.values == np.round(table.values)).all())


def categories_of(table: ScoreTable, matrix: FloatArray, n_bands: int) -> tuple[FloatArray | None, int]:
    """The points of a short scale, a long one in bands, and none where a scale has no end."""
    if not math.isfinite(table.high - table.low) or table.low == table.high:
        return None, 0
    if has_points(table):
        return matrix - table.low, int(table.high - table.low + 1)
    return bands(matrix, low=table.low, high=table.high, n_bands=n_bands), n_bands


def value_and_ends(coefficient: Agreement | PreferenceAgreement) -> tuple[Number, Ends]:
    value = number(coefficient.value, coefficient.reason)
    return value, interval_ends(coefficient.interval, value)


def pair_agreements(
    pairs: Sequence[AnnotatorPair], names: Sequence[str], *, has_categories: bool
) -> tuple[PairAgreement, ...]:
    no_kappa = "no_variation" if has_categories else "no_categories"
    return tuple(
        PairAgreement(
            annotators=(names[pair.first], names[pair.second]),
            n=pair.n,
            **numbers(pair, "kappa", "kappa_linear", "kappa_quadratic", reason=no_kappa),
            **numbers(pair, "pearson", "spearman", "kendall_b", reason="constant"),
        )
        for pair in pairs
    )


def few_shared(matrix: FloatArray, names: Sequence[str], fewest: int) -> tuple[FewShared, ...]:
    """Pairs of annotators with shared items, but too few for a coefficient."""
    present = scipy.sparse.csr_array(~np.isnan(matrix)).astype(np.float64)
    overlap = np.triu((present @ present.T).toarray(), k=1) if matrix.size else np.zeros((0, 0))
    firsts, seconds = np.nonzero((overlap > 0) & (overlap < fewest))
    return tuple(
        FewShared((names[first], names[second]), int(overlap[first, second]))
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
    )


@dataclass(frozen=True)
class Bands:
    """Alpha by level, of a long scale cut into so many equal `bands`, as kappas see it."""

    bands: int
    alpha: Mapping[str, Number] = by_part()


@dataclass(frozen=True, kw_only=True)
class Cut:
    """Penalties cut into few categories: alpha by level, and Fleiss' kappa."""

    alpha: Mapping[str, Number] = by_part()
    fleiss: Number


@dataclass(frozen=True, kw_only=True)
class PooledRatings:
    """All `n` pairs of ratings of one item: correlations, mean absolute difference (in the measure's unit), and the
    share of pairs that are identical.
    """

    n: int
    pearson: Number
    kendall_b: Number
    difference: Number = names_reason()
    identical: Number


def agreement_in_bands(ratings: Ratings, *, low: float, high: float, n_bands: int) -> Bands | Missing:
    """Only of a long scale with two ends."""
    if not (math.isfinite(high - low) and high - low >= MOST_POINTS):
        return Missing("no_bands")
    codes = bands(ratings.values, low=low, high=high, n_bands=n_bands)
    return Bands(n_bands, _values_of(krippendorff_alphas(codes, ratings.item, levels=_OF_BANDS)))


def pooled_ratings(ratings: Ratings) -> PooledRatings:
    pairs = pooled_pairs(ratings.values, ratings.item)
    correlations = numbers(pairs, "pearson", "kendall_b", reason=pairs.reason or "constant")
    return PooledRatings(n=pairs.n, **correlations, **numbers(pairs, "difference", "identical"))


def usual_fleiss(counts: IntArray, **options: Any) -> Agreement:
    """Of the items with the number of ratings that most have; `counts` (n_items, n_categories)."""
    sizes = counts.sum(axis=1)
    several = sizes[sizes > 1]
    return fleiss_kappa(counts[sizes == np.argmax(np.bincount(several))] if several.size else counts[:0], **options)


def agreement_of_cuts(ratings: Ratings) -> dict[str, Cut]:
    """Is there an error, is there a major one (5 points and more), and none, less, or so much: alpha and Fleiss."""
    return {name: _of_codes(np.digitize(ratings.values, edges), ratings.item) for name, edges in CUTS.items()}


def _of_codes(codes: IntArray, item: IntArray) -> Cut:
    shape = int(item.max(initial=-1)) + 1, int(codes.max(initial=0)) + 1
    fleiss = usual_fleiss(np.bincount(item * shape[1] + codes, minlength=shape[0] * shape[1]).reshape(shape))
    alphas = krippendorff_alphas(codes.astype(np.float64), item, levels=("nominal", "ordinal"))
    return Cut(alpha=_values_of(alphas), fleiss=number(fleiss.value, fleiss.reason))


def _values_of(alphas: Mapping[Level, Agreement]) -> dict[str, Number]:
    return {level: number(alpha.value, alpha.reason) for level, alpha in alphas.items()}
