"""What a page draws beside the means: how often one system beats another, and how a system's segments are spread."""

import math

import numpy as np

from metrics.results.values import Missing
from metrics.statistics.arrays import FloatArray
from metrics.statistics.scales import probability_of_superiority

BINS = 20


def win_share(first: FloatArray, second: FloatArray) -> tuple[float, int]:
    """The share of shared segments in which `first` is higher, ties halved; NaN without any. And how many there are.

    Shape: two rows of (n_segments,), NaN = not judged, higher is better. Source: the probability of superiority
    P(A > B) + P(A = B) / 2 (Vargha and Delaney 2000), here over pairs of the same segment.

    >>> win_share(np.array([90.0, 70.0, 50.0, np.nan]), np.array([80.0, 70.0, 60.0, 10.0]))
    (0.5, 3)
    """
    found = probability_of_superiority(first, second, paired=True)
    return found.value, found.n


def histogram(values: FloatArray, *, low: float, high: float) -> tuple[int, ...] | Missing:
    """Counts of segments in BINS equal bands of the scale, the lowest first; Missing on a scale without ends.

    Shape: (n_segments,), NaN = not judged, in natural units. What lies above `high` is counted in the last band.

    >>> histogram(np.array([0.0, 4.9, 5.0, 100.0, np.nan]), low=0, high=100)[:2]
    (2, 1)
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return Missing("open_scale")
    counts, _edges = np.histogram(np.minimum(values[~np.isnan(values)], high), bins=BINS, range=(low, high))
    return tuple(counts.tolist())


def drawn_high(values: FloatArray, *, low: float, high: float) -> float:
    """Where a drawing of these values ends: `high`, or without one a round number that few of them exceed.

    Shape: any; NaN = not judged, in natural units. The 98th percentile, rounded up to 1, 2 or 5 times a power of ten.

    >>> drawn_high(np.array([0.0, 1.0, 3.5, np.nan]), low=0, high=math.inf)
    5.0
    """
    known = values[~np.isnan(values)]
    if math.isfinite(high) or not math.isfinite(low) or not known.size:
        return high
    reach = max(float(np.quantile(known, 0.98)) - low, 1e-9)
    magnitude = 10.0 ** math.floor(math.log10(reach))
    return low + next(step * magnitude for step in (1.0, 2.0, 5.0, 10.0) if step * magnitude >= reach * (1 - 1e-12))
