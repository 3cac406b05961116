"""EED of many pairs at once in machine code, as eed.py has it."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Distances = NDArray[np.float64]
_BLANK = 32


def extended_distances(
    texts: Flat, references: Flat, groups: Starts, *, alpha: float, rho: float, deletion: float, insertion: float
) -> Distances:
    """EED of each text and its references, those of `groups[i]` to `groups[i + 1]` for text i.

    Shape: (n_references,), from 0 to 1.
    """
    distances: Distances = _extended_distances(
        texts.codes, texts.starts, references.codes, references.starts, groups, alpha, rho, deletion, insertion
    )
    return distances


@kernel
def _extended_distances(
    codes: Codes,
    starts: Starts,
    reference_codes: Codes,
    reference_starts: Starts,
    groups: Starts,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
) -> Distances:
    distances = np.zeros(reference_starts.size - 1)
    for text in range(starts.size - 1):
        ours = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            theirs = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            distances[reference] = _extended_distance(ours, theirs, alpha, rho, deletion, insertion)
    return distances


@inner
def _extended_distance(
    ours: Codes, theirs: Codes, alpha: float, rho: float, deletion: float, insertion: float
) -> float:
    visits = np.full(ours.size + 1, -1, np.int64)
    row, following = np.ones(ours.size + 1), np.empty(ours.size + 1)
    row[0] = 0.0
    for at in range(theirs.size):
        left = row[0] + 1.0
        following[0] = cheapest = left
        visited = 0
        for place in range(ours.size):
            differs = 1.0 if ours[place] != theirs[at] else 0.0
            left = min(left + deletion, row[place] + differs, row[place + 1] + insertion)
            following[place + 1] = left
            if left < cheapest:
                cheapest, visited = left, place + 1
        visits[visited] += 1
        if theirs[at] == _BLANK:
            for place in range(following.size):
                following[place] = min(following[place], alpha + cheapest)
        row, following = following, row
    count = 0
    for place in range(visits.size):
        count += visits[place] if visits[place] >= 0 else 1
    coverage = rho * count
    length = theirs.size + coverage
    return float(min(1.0, (row[ours.size] + coverage) / length)) if length else 0.0
