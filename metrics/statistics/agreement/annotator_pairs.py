"""Every two annotators on the items both have."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from metrics.statistics.agreement.two_raters import kappas_of_codes
from metrics.statistics.arrays import FloatArray, as_floats
from metrics.statistics.correlation.coefficients import kendall, pearson, spearman


@dataclass(frozen=True)
class AnnotatorPair:
    """Annotators `first` and `second` (rows of the matrix) on `n` items; NaN where a number does not exist."""

    first: int
    second: int
    n: int
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    pearson: float
    spearman: float
    kendall_b: float


def annotator_pairs(
    ratings: ArrayLike, *, categories: ArrayLike | None = None, n_categories: int = 0, fewest: int = 20
) -> tuple[AnnotatorPair, ...]:
    """How far each two annotators agree: kappas on categories, correlations on scores.

    Shape: `ratings`: (n_annotators, n_items), NaN = not rated; `categories`: the same shape, each rating's place on a
        scale of `n_categories`, from 0 (see `bands`); without it there are no kappas.
    Unit and range: Scores in any unit; all coefficients from -1 to 1.
    Missing data: Two annotators are compared on the items both rated; pairs with fewer than `fewest` are left out.
    Degenerate input: A coefficient that does not exist for a pair is NaN; the pair stays.
    Method: `kappas_of_codes`: plain, linear and quadratic; `pearson`, `spearman`, `kendall`.
    Source: As of each coefficient.

    Example:
        >>> ratings = [[10, 20, 30, 40], [12, 25, 24, np.nan], [np.nan, np.nan, np.nan, 1]]
        >>> [(pair.first, pair.second, pair.n, round(pair.pearson, 3)) for pair in annotator_pairs(ratings, fewest=3)]
        [(0, 1, 3, 0.829)]
    """
    matrix = as_floats(ratings, dimensions=2)
    codes = None if categories is None else as_floats(categories, dimensions=2)
    present = ~np.isnan(matrix)
    some = csr_array(present.astype(np.float64))
    overlap = (some @ some.T).toarray()
    firsts, seconds = np.nonzero(np.triu(overlap >= max(1, fewest), k=1))
    return tuple(
        _pair(int(first), int(second), matrix, codes, n_categories)
        for first, second in zip(firsts, seconds, strict=True)
    )


def bands(values: ArrayLike, *, low: float, high: float, n_bands: int = 7) -> FloatArray:
    """Which of `n_bands` equal parts of a scale each value falls into, so that a slider has categories.

    Shape: `values` of any shape; returns the same shape.
    Unit and range: Values from `low` to `high`; bands from 0 to n_bands - 1, as floats. What lies outside goes to the
        end bands.
    Missing data: NaN stays NaN.
    Degenerate input: Ends that are not finite, or equal, and fewer than one band raise ValueError.
    Method: floor((x - low) / (high - low) * n_bands), the upper end belonging to the last band.
    Source: A convention, to compare sliders with scales of few points; seven bands stand for the points 0 to 6.

    Example:
        >>> bands([0, 14, 15, 100, np.nan], low=0, high=100).tolist()
        [0.0, 0.0, 1.0, 6.0, nan]
    """
    if not (np.isfinite(low) and np.isfinite(high)) or low == high or n_bands < 1:
        raise ValueError(f"no bands between {low} and {high}, {n_bands} of them")
    parts = np.floor((np.asarray(values, dtype=np.float64) - low) / (high - low) * n_bands)
    cut: FloatArray = np.clip(parts, 0, n_bands - 1)
    return cut


def _pair(first: int, second: int, matrix: FloatArray, codes: FloatArray | None, n_categories: int) -> AnnotatorPair:
    both = ~(np.isnan(matrix[first]) | np.isnan(matrix[second]))
    x, y = matrix[first, both], matrix[second, both]
    kappas = (float("nan"),) * 3
    if codes is not None:
        a, b = codes[first, both].astype(np.int64), codes[second, both].astype(np.int64)
        kappas = kappas_of_codes(a, b, n_categories)
    correlations = pearson(x, y).value, spearman(x, y).value, kendall(x, y).value
    return AnnotatorPair(first, second, x.size, *kappas, *correlations)
