"""One order of systems over several language pairs, from their places in each."""

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats


def places_over_pairs(means: ArrayLike) -> FloatArray:
    """How many systems are above each one on average, counted as if all took part in every language pair.

    Shape: `means`: (n_pairs, n_systems), higher is better, NaN where a system took no part. Returns (n_systems,).
    Unit and range: From 0 (the best everywhere) to below n_systems; the least is the best.
    Missing data: A system's pairs are those that it has a mean in.
    Degenerate input: A system without a mean in any pair: NaN. No pairs: NaN for every system.
    Method: In each pair, the share of its systems that have a higher mean (equal ones do not count); the mean of these
        shares over the system's pairs, times the number of systems.
    Source: The table over language pairs of WMT 2026. It counts places only: a hair's breadth weighs as much as a gulf.

    Example:
        Three systems in two pairs; the last took part in the first pair alone, where it was third.

        >>> places_over_pairs([[90, 80, 70], [60, 80, np.nan]]).tolist()
        [0.75, 0.5, 2.0]
    """
    table = as_floats(means, dimensions=2)
    present = ~np.isnan(table)
    above = (table[:, None, :] > table[:, :, None]).sum(axis=2)
    shares = np.where(present, above / np.maximum(1, present.sum(axis=1))[:, None], 0.0)
    counts = present.sum(axis=0)
    places: FloatArray = np.where(counts > 0, shares.sum(axis=0) / np.maximum(1, counts), np.nan) * table.shape[1]
    return places
