"""Do outputs on one screen influence each other: by their places, by strong neighbours, by being alike?"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes


@dataclass(frozen=True)
class ClusteredSlope:
    """`slope` with the ends of its interval and p, two-sided; NaN with a `reason` (`few_documents`, `no_variation`)."""

    slope: float
    low: float
    high: float
    p: float
    n: int
    reason: str = ""


@dataclass(frozen=True)
class PlaceEffects:
    """The mean of each of `places` with its interval, and `p` of all places being alike."""

    places: tuple[int, ...]
    effects: FloatArray
    low: FloatArray
    high: FloatArray
    p: float


def clustered_slope(
    y: ArrayLike, x: ArrayLike, *, documents: ArrayLike, intercept: bool = True, confidence: float = 0.95
) -> ClusteredSlope:
    """By how much does y change with x, where rows of one document are not independent of each other?

    Shape: All (n,).
    Unit and range: The slope is in units of y by unit of x.
    Missing data: Rows with a NaN in y or x are left out.
    Degenerate input: One document: NaN, `few_documents`. x without variation: NaN, `no_variation`.
    Method: Least squares; variance D / (D - 1) sum_d (sum_{i in d} x_i e_i)^2 / (sum x^2)^2, x centred, D documents;
        interval and p by Student's t with D - 1 degrees of freedom. Without `intercept` x and y are not centred.
    Source: Liang & Zeger 1986 (the sandwich estimator); Cameron & Miller 2015, section II.

    Example:
        >>> slope = clustered_slope([1, 2, 3, 5], [1, 2, 3, 4], documents=[1, 1, 2, 2])
        >>> round(slope.slope, 2), slope.n
        (1.3, 4)
    """
    of_y, of_x = np.asarray(y, dtype=np.float64), np.asarray(x, dtype=np.float64)
    known: BoolArray = ~(np.isnan(of_y) | np.isnan(of_x))
    of_y, of_x, of_documents = of_y[known], of_x[known], np.asarray(documents)[known]
    nan, n = float("nan"), int(known.sum())
    labels, document = as_codes(of_documents, n)
    if len(labels) < 2:
        return ClusteredSlope(nan, nan, nan, nan, n, "few_documents")
    if intercept:
        of_y, of_x = of_y - of_y.mean(), of_x - of_x.mean()
    squares = float(of_x @ of_x)
    if squares <= 1e-12 * max(1.0, float(np.abs(np.asarray(x, dtype=np.float64)[known]).max()) ** 2) * n:
        return ClusteredSlope(nan, nan, nan, nan, n, "no_variation")
    slope = float(of_x @ of_y) / squares
    scores = np.bincount(document, weights=of_x * (of_y - slope * of_x))
    clusters = len(labels)
    error = float(np.sqrt(clusters / (clusters - 1) * (scores @ scores)) / squares)
    reach = float(scipy.special.stdtrit(clusters - 1, (1 + confidence) / 2)) * error
    p = 2 * float(scipy.special.stdtr(clusters - 1, -abs(slope) / error)) if error > 0 else float(slope == 0)
    return ClusteredSlope(slope, slope - reach, slope + reach, p, n)


def place_effects(
    residuals: ArrayLike,
    places: ArrayLike,
    screens: ArrayLike,
    outputs: ArrayLike,
    *,
    documents: ArrayLike,
    resamples: int = 1_000,
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> PlaceEffects:
    """Does it matter for its score at which place of a screen an output stands?

    Shape: All (n,), one entry a score: what a model leaves of it, its place, its screen, which of the screen's outputs
        it is of (any labels), and its document.
    Unit and range: Effects are in the unit of the residuals; p from 0 to 1.
    Missing data: Leave out scores without a residual or a place.
    Degenerate input: No score: no places, p NaN. One document: intervals NaN.
    Method: The mean residual by place, its interval as `clustered_slope`. p: the sum over places of squared sums by
        number, and how often it is as large when the outputs of each screen change places at random.
    Source: Good 2005, "Permutation, parametric and bootstrap tests", chapter 3, for permutations within blocks.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> screens, places = np.repeat(np.arange(40), 2), np.tile([1, 2], 40)
        >>> residuals = np.where(places == 1, 1.0, -1.0) + rng.normal(size=80)
        >>> made = place_effects(residuals, places, screens, places, documents=screens, rng=rng)
        >>> made.places, bool(made.p < 0.01)
        ((1, 2), True)
    """
    of = np.asarray(residuals, dtype=np.float64)
    if not of.size:
        nothing = np.zeros(0)
        return PlaceEffects((), nothing, nothing, nothing, float("nan"))
    labels, place = as_codes(places, of.size)
    _screens, screen = as_codes(screens, of.size)
    _outputs, output = as_codes(outputs, of.size)
    slopes = [
        clustered_slope(of, np.where(place == code, 1.0, 0.0), documents=documents, intercept=False,
                        confidence=confidence)
        for code in range(len(labels))
    ]  # fmt: skip
    effects = np.bincount(place, weights=of) / np.bincount(place)
    _stands, first, stand = np.unique(screen * (output.max() + 1) + output, return_index=True, return_inverse=True)
    sums, counts = np.bincount(stand, weights=of), np.bincount(stand).astype(np.float64)
    screen, place = screen[first], place[first]
    by_screen = np.argsort(screen, kind="stable")
    n_places = len(labels)

    def spread(order: IntArray) -> float:
        """Of the outputs in this order over the places as they are."""
        total = np.bincount(place[by_screen], weights=sums[order], minlength=n_places)
        number = np.bincount(place[by_screen], weights=counts[order], minlength=n_places)
        return float((total**2 / np.maximum(number, 1.0)).sum())

    reached = spread(by_screen)
    drawn = [spread(np.lexsort((rng.random(screen.size), screen))) for _draw in range(resamples)]
    extreme = sum(each >= reached * (1 - 1e-9) for each in drawn)
    low, high = (np.array([getattr(one, side) for one in slopes]) for side in ("low", "high"))
    return PlaceEffects(tuple(int(label) for label in labels), effects, low, high, (1 + extreme) / (1 + resamples))
