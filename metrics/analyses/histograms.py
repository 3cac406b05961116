"""How the scores of one system are spread over the scale, for a drawing."""

import math

import numpy as np

from metrics.results.values import Missing
from metrics.statistics.arrays import FloatArray

BINS = 20


def histogram(values: FloatArray, *, low: float, high: float) -> tuple[int, ...] | Missing:
    """Counts of segments in BINS equal bands of the scale, the lowest first; Missing on a scale without ends.

    Shape: (n_segments,), NaN = not judged, in natural units. Values above `high` are counted in the last band.

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
