"""One value an annotator and item, and the matrix of those that somebody else has as well."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from metrics.analyses.json_numbers import number
from metrics.matrices import ScoreTable
from metrics.statistics.agreement import AnnotatorPair, bands
from metrics.statistics.arrays import FloatArray, IntArray

MOST_POINTS = 11  # a scale with more is cut into bands for kappas
_LARGEST_MATRIX = 20_000_000


@dataclass(frozen=True)
class Ratings:
    """`values[i]` in natural units, given by `names[annotator[i]]` to `item[i]`."""

    values: FloatArray
    annotator: IntArray
    item: IntArray
    names: tuple[str, ...]

    @property
    def matrix(self) -> FloatArray:
        """(annotators, items that somebody else has as well); no larger than memory likes."""
        shared = np.bincount(self.item)[self.item] > 1
        _, column = np.unique(self.item[shared], return_inverse=True)
        n_rows, n_columns = len(self.names), int(column.max(initial=-1)) + 1
        if n_rows * n_columns > _LARGEST_MATRIX:
            n_columns = _LARGEST_MATRIX // n_rows
        matrix = np.full((n_rows, n_columns), np.nan)
        kept = column < n_columns
        matrix[self.annotator[shared][kept], column[kept]] = self.values[shared][kept]
        return matrix

    @property
    def n_shared(self) -> int:
        """Items with two ratings or more."""
        return int((np.bincount(self.item) > 1).sum()) if self.item.size else 0


def ratings_of(table: ScoreTable) -> Ratings:
    """The last regular row of each annotator and item; an output of several systems is one item."""
    own = table.where(table.of_kinds(["regular"]) & table.is_own)
    cells = own.annotator * (int(items_of(own).max(initial=0)) + 1) + items_of(own)
    _, last = np.unique(cells[::-1], return_index=True)
    kept = own.where(np.sort(len(own) - 1 - last))
    annotators, annotator = np.unique(kept.annotator, return_inverse=True)
    _, item = np.unique(items_of(kept), return_inverse=True)
    values = kept.values if kept.higher_is_better else -kept.values + 0.0
    return Ratings(values, annotator, item, tuple(kept.annotators[code] for code in annotators))


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


def pair_entries(found: Sequence[AnnotatorPair], names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "annotators": [names[pair.first], names[pair.second]],
            "n": pair.n,
            "kappa": number(pair.kappa),
            "kappa_linear": number(pair.kappa_linear),
            "kappa_quadratic": number(pair.kappa_quadratic),
            "pearson": number(pair.pearson),
            "spearman": number(pair.spearman),
            "kendall_b": number(pair.kendall_b),
        }
        for pair in found
    ]


def few_shared(matrix: FloatArray, names: Sequence[str], fewest: int) -> list[dict[str, Any]]:
    """Pairs of annotators who share something, and too little for a coefficient."""
    present = csr_array((~np.isnan(matrix)).astype(np.float64))
    overlap = np.triu((present @ present.T).toarray(), k=1) if matrix.size else np.zeros((0, 0))
    firsts, seconds = np.nonzero((overlap > 0) & (overlap < fewest))
    return [
        {"annotators": [names[first], names[second]], "n": int(overlap[first, second])}
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
