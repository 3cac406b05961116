"""What a page draws beside the means: how often one system beats another, and how a system's segments are spread."""

import math

import numpy as np

from metrics.statistics.arrays import FloatArray

BINS = 20


def win_share(first: FloatArray, second: FloatArray) -> tuple[float, int]:
    """The share of shared segments in which `first` is higher, ties halved; NaN without any. And how many there are.

    Shape: two rows of (n_segments,), NaN = not judged, higher is better. Source: the probability of superiority
    P(A > B) + P(A = B) / 2 (Vargha and Delaney 2000), here over pairs of the same segment.

    >>> win_share(np.array([90.0, 70.0, 50.0, np.nan]), np.array([80.0, 70.0, 60.0, 10.0]))
    (0.5, 3)
    """
    both = ~(np.isnan(first) | np.isnan(second))
    shared = int(np.count_nonzero(both))
    if not shared:
        return math.nan, 0
    wins = np.count_nonzero(first[both] > second[both]) + 0.5 * np.count_nonzero(first[both] == second[both])
    return float(wins / shared), shared


def histogram(values: FloatArray, *, low: float, high: float) -> list[int] | None:
    """Counts of segments in BINS equal bands of the scale, the lowest first; None for a scale without ends.

    Shape: (n_segments,), NaN = not judged, in natural units.

    >>> histogram(np.array([0.0, 4.9, 5.0, 100.0, np.nan]), low=0, high=100)[:2]
    [2, 1]
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    counts, _edges = np.histogram(values[~np.isnan(values)], bins=BINS, range=(low, high))
    return [int(count) for count in counts]
